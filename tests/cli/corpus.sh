# labels: once
# Some 300 kinds of rasters, made anew by GDAL's tools and by hand. libwadi_io and GDAL read each, and must agree in size,
# place, cell size, scale and every cell (against_gdal.c). What cannot be read is refused by one line.
. "$(dirname "$0")/lib.bash"
against=$WADI_BUILD/tests/against_gdal
[ -x "$against" ] || { echo "skipped: built without GDAL (libgdal-dev, libgeotiff-dev)" && exit 77; }
command -v gdal_translate >/dev/null || { echo "skipped: no gdal_translate (gdal-bin)" && exit 77; }
workers=$(($(nproc) < 4 ? $(nproc) : 4))

# --- sources ----------------------------------------------------------------------------------------------------------

here=(-a_srs EPSG:32617 -a_ullr 500000 4000000 500600 3999600)
cut() { gdal_translate -q -srcwin 100 100 60 40 "${here[@]}" "$@"; }
cut -ot Float32 -scale 0 1000 0 987.654321 "$WADI_DATA/jacksboro.tif" base.tif
cut -ot Int16 "$WADI_DATA/jacksboro.tif" whole.tif
cut -ot Byte -scale 0 1000 0 255 "$WADI_DATA/jacksboro.tif" bytes.tif
gdal_translate -q -b 1 -b 1 -b 1 -co PHOTOMETRIC=RGB bytes.tif grey.tif
gdal_translate -q -b 1 -b 1 -b 1 -scale_2 0 255 255 0 -co PHOTOMETRIC=RGB bytes.tif rgb.tif
gdal_translate -q -b 1 -b 1 -scale_2 0 1000 -500 500 base.tif pair.tif
gdal_translate -q -co PROFILE=BASELINE base.tif bare.tif && rm -f bare.tif.aux.xml
# A mask of all but the first five rows
gdal_translate -q -srcwin 0 -5 60 40 "${here[@]}" bytes.tif hole.tif
gdalbuildvrt -q -separate masked.vrt base.tif hole.tif

# --- kinds that gdal_translate makes ----------------------------------------------------------------------------------

# Lines of: what is right ("any": right or refused), the name, the source, options of gdal_translate, and of the reader
# (band=2).
kinds() {
    local type packing of bits text
    for type in Byte UInt16 Int16 UInt32 Int32 Float32 Float64; do
        echo "right type-$type.tif whole.tif -ot $type"
        echo "right big-$type.tif whole.tif -ot $type -co ENDIANNESS=BIG -co BIGTIFF=YES"
        echo "right tiles-$type.tif whole.tif -ot $type -co TILED=YES -co BLOCKXSIZE=16 -co BLOCKYSIZE=48 -co COMPRESS=LZW"
        echo "any nodata-$type.tif whole.tif -ot $type -a_nodata 644"
        echo "right predicted-$type.tif whole.tif -ot $type -co COMPRESS=DEFLATE -co PREDICTOR=2"
        echo "right apart-$type.tif whole.tif -ot $type -b 1 -b 1 -co INTERLEAVE=BAND band=2"
        for of in bil envi img nc sdat rst vrt map; do echo "any $of-$type.$of whole.tif -ot $type"; done
    done
    echo "right signed.tif bytes.tif -co PIXELTYPE=SIGNEDBYTE"
    for type in Int8 Int64 UInt64; do echo "right type-$type.tif whole.tif -ot $type -a_nodata 644"; done
    for packing in NONE LZW DEFLATE PACKBITS ZSTD LZMA LERC LERC_DEFLATE LERC_ZSTD JXL; do
        echo "right packed-$packing.tif base.tif -co COMPRESS=$packing"
        echo "right packed-tiles-$packing.tif base.tif -co COMPRESS=$packing -co TILED=YES"
        echo "right packed-strips-$packing.tif whole.tif -co COMPRESS=$packing -co BLOCKYSIZE=7"
    done
    for packing in LZW DEFLATE ZSTD; do
        echo "right three-$packing.tif base.tif -co COMPRESS=$packing -co PREDICTOR=3"
        echo "right three-64-$packing.tif base.tif -ot Float64 -co COMPRESS=$packing -co PREDICTOR=3"
    done
    for type in UInt16 Int32 Float64; do
        echo "right big-predicted-$type.tif whole.tif -ot $type -co ENDIANNESS=BIG -co COMPRESS=LZW -co PREDICTOR=2"
    done
    echo "right big-three.tif base.tif -co ENDIANNESS=BIG -co COMPRESS=DEFLATE -co PREDICTOR=3 -co TILED=YES"
    echo "right lerc-nodata.tif base.tif -co COMPRESS=LERC -a_nodata 636.04937744140625"
    echo "right lerc-mask.tif masked.vrt -b 1 -mask 2 -co COMPRESS=LERC --config GDAL_TIFF_INTERNAL_MASK YES"
    echo "right bits-scaled.tif whole.tif -ot UInt16 -co NBITS=12 -a_nodata 644 -a_scale 0.5"
    echo "right huge-integers.tif whole.tif -ot UInt32 -scale 0 1000 4000000000 4294967295"
    echo "right tiny-floats.tif base.tif -scale 0 1000 0 1e-40"
    echo "refused huge-floats.tif base.tif -ot Float64 -scale 0 1000 0 1e300"
    echo "refused complex.tif base.tif -ot CFloat32"
    echo "any packed.img whole.tif -co COMPRESSED=YES -a_nodata 644"
    echo "any bits.img bytes.tif -co NBITS=4 -scale 0 255 0 15"
    echo "any packed.nc whole.tif -co FORMAT=NC4C -co COMPRESS=DEFLATE -a_nodata 644"
    echo "any top-down.nc base.tif -co WRITE_BOTTOMUP=NO"
    echo "right date-line.tif base.tif -a_srs EPSG:4326 -a_ullr 350 10 370 0"
    for packing in JPEG WEBP; do echo "any lossy-$packing.tif bytes.tif -co COMPRESS=$packing"; done
    for packing in CCITTFAX3 CCITTFAX4 CCITTRLE; do
        echo "right $packing.tif bytes.tif -scale 0 255 0 1 -co NBITS=1 -co COMPRESS=$packing"
    done
    for bits in 1 2 3 4 5 6 7; do
        echo "right bits-$bits.tif bytes.tif -scale 0 255 0 $((2 ** bits - 1)) -co NBITS=$bits"
    done
    for bits in 10 11 12 13 14 15; do echo "right bits-$bits.tif whole.tif -ot UInt16 -co NBITS=$bits"; done
    for bits in 17 20 24 31; do echo "right bits-$bits.tif whole.tif -ot UInt32 -co NBITS=$bits"; done
    for bits in 16 24; do echo "right float-$bits.tif base.tif -co NBITS=$bits"; done
    echo "right float-16-tiles.tif base.tif -co NBITS=16 -co TILED=YES -co COMPRESS=DEFLATE"
    echo "right float-16-nodata.tif whole.tif -ot Float32 -co NBITS=16 -a_nodata 644"
    echo "right white.tif bytes.tif -co PHOTOMETRIC=MINISWHITE"
    echo "right white-1.tif bytes.tif -scale 0 255 0 1 -co NBITS=1 -co PHOTOMETRIC=MINISWHITE"
    echo "right sparse.tif base.tif -co SPARSE_OK=TRUE"
    echo "right cog.tif base.tif -of COG -co BLOCKSIZE=128"
    echo "right cog-lerc.tif base.tif -of COG -co COMPRESS=LERC -co BLOCKSIZE=128"
    echo "right cog-degrees.tif base.tif -of COG -a_srs EPSG:4326 -a_ullr 10 50 10.6 49.6"

    # bands, colours, alpha, masks
    for of in tif img vrt; do
        echo "refused two.$of pair.tif"
        echo "right two-1.$of pair.tif band=1"
        echo "right two-2.$of pair.tif band=2"
        echo "refused two-3.$of pair.tif band=3"
    done
    echo "right one-1.tif base.tif band=1"
    echo "refused one-2.tif base.tif band=2"
    echo "right two-nodata.tif pair.tif -a_nodata 0 -a_scale 2 band=2"
    echo "refused rgb-colours.tif rgb.tif"
    echo "right rgb-2.tif rgb.tif band=2"
    echo "right grey-colours.tif grey.tif"
    echo "any ycbcr.tif rgb.tif -co PHOTOMETRIC=YCBCR -co COMPRESS=JPEG"
    echo "refused cmyk.tif rgb.tif -b 1 -b 2 -b 3 -b 1 -co PHOTOMETRIC=CMYK"
    echo "refused rgb.png rgb.tif"
    echo "right rgb-2.png rgb.tif band=2"
    echo "right grey.png grey.tif"
    echo "refused rgb.vrt rgb.tif"
    echo "right alpha.tif masked.vrt -ot UInt16 -co ALPHA=YES"
    echo "right alpha-apart.tif masked.vrt -ot UInt16 -co ALPHA=YES -co INTERLEAVE=BAND"
    echo "right alpha-2.tif masked.vrt -ot UInt16 -co ALPHA=YES band=2"
    echo "right alpha-1.tif masked.vrt -ot UInt16 -co ALPHA=YES band=1"
    echo "right alpha-rgb.tif grey.tif -b 1 -b 2 -b 3 -b 1 -co ALPHA=YES"
    echo "right mask-inside.tif masked.vrt -b 1 -mask 2 --config GDAL_TIFF_INTERNAL_MASK YES"
    echo "right mask-beside.tif masked.vrt -b 1 -mask 2 --config GDAL_TIFF_INTERNAL_MASK NO"
    echo "right mask-tiles.tif masked.vrt -b 1 -mask 2 -co TILED=YES -co COMPRESS=DEFLATE --config GDAL_TIFF_INTERNAL_MASK YES"
    echo "right mask-cog.tif masked.vrt -b 1 -mask 2 -of COG -co BLOCKSIZE=128"
    echo "right mask.vrt masked.vrt -b 1 -mask 2"
    echo "right mask.img masked.vrt -b 1 -mask 2"
    echo "right mask-bits.tif masked.vrt -scale 0 1000 0 127 -ot Byte -b 1 -mask 2 -co NBITS=7 --config GDAL_TIFF_INTERNAL_MASK YES"
    echo "right mask-bits-beside.tif masked.vrt -scale 0 1000 0 127 -ot Byte -b 1 -mask 2 -co NBITS=7 --config GDAL_TIFF_INTERNAL_MASK NO"
    echo "right nodata.png bytes.tif -a_nodata 164"
    echo "right grey-16.png whole.tif -ot UInt16"
    for bits in 1 2 4; do echo "right grey-$bits.png bytes.tif -scale 0 255 0 $((2 ** bits - 1)) -co NBITS=$bits"; done
    echo "right world.png bytes.tif -co WORLDFILE=YES"

    # scale, offset, unit, nodata, metadata
    for of in tif img vrt nc; do
        echo "right scaled.$of whole.tif -a_scale 0.1 -a_offset 100"
        echo "right scaled-feet.$of whole.tif -a_srs EPSG:32617+6360 -a_scale 0.5 -a_offset 10 -a_nodata 644"
        echo "right offset.$of whole.tif -a_offset -7"
        echo "right negative.$of whole.tif -a_scale -0.25 -a_nodata 644"
    done
    echo "right long.tif whole.tif -a_scale 0.1 -a_offset 100 -mo LINEAGE=$(head -c 8200 /dev/zero | tr '\0' x)"
    echo "right quoted.tif whole.tif -a_scale 0.1 -mo A=<Item_role=\"scale\">7</Item>"
    for text in -9999 0 636.04937744140625 636.0493774 1e20 -3.4028234663852886e+38 nan inf -inf 3.4e38 -1.79769313486232e+308; do
        echo "right nodata=$text.tif base.tif -a_nodata $text"
        echo "right nodata=$text-64.tif base.tif -ot Float64 -a_nodata $text"
    done
    for text in -1 256 164 164.5 nan; do echo "right nodata=$text-8.tif bytes.tif -a_nodata $text"; done
    for of in asc img nc sdat rst envi bil grd map; do echo "any $of-nodata.$of whole.tif -a_nodata 644"; done

    # place
    for text in 32617+8052 32617+5703 32617+6360 32617+8228 32617+6130 32617+6358 2264 2277 3857 3413 2193 27700 5514; do
        echo "right crs-$text.tif base.tif -a_srs EPSG:$text"
        echo "right crs-$text.vrt base.tif -a_srs EPSG:$text"
    done
    for text in 4326 4269 4979 4326+5773 4326+6360 4807; do
        echo "right crs-$text.tif base.tif -a_srs EPSG:$text -a_ullr 10 50 10.06 49.96"
        echo "right crs-$text.img base.tif -a_srs EPSG:$text -a_ullr 10 50 10.06 49.96"
    done
    echo "right crs-own.tif base.tif -a_srs ESRI:102733"
    for of in tif vrt envi; do echo "right south-up.$of base.tif -a_ullr 500000 3999600 500600 4000000"; done
    echo "refused west.tif base.tif -a_ullr 500600 4000000 500000 3999600"
    for of in tif asc; do echo "right oblong.$of base.tif -a_ullr 500000 4000000 500600 3998000"; done
    echo "right point.tif base.tif -mo AREA_OR_POINT=Point"
    for of in tif vrt; do
        echo "refused gcps.$of bare.tif -gcp 0 0 500000 4000000 -gcp 60 0 500600 4000010 -gcp 0 40 500010 3999600"
    done
    echo "right baseline.tif base.tif -co PROFILE=BASELINE"
    echo "right geotiff.tif whole.tif -co PROFILE=GeoTIFF -a_scale 0.1 -a_nodata 644"
    echo "right geotiff-1.1.tif base.tif -co GEOTIFF_VERSION=1.1 -a_srs EPSG:32617+5703"
    echo "right geotiff-esri.tif base.tif -co GEOTIFF_KEYS_FLAVOR=ESRI_PE"
    for of in tif asc; do echo "refused degrees.$of bare.tif -a_ullr 10 50 10.06 49.96"; done

    # other formats
    for of in asc bt ter gtx xyz map img grd gsag gs7bg gpkg sigdem zmap vicar bag hf2 ers nitf rsw; do
        echo "any other.$of base.tif -ot Float32 band=1"
        echo "any other-whole.$of whole.tif band=1"
    done
    for of in bmp gif sgi webp jpg pnm; do echo "any other.$of bytes.tif"; done
    echo "any exact.jp2 whole.tif -co REVERSIBLE=YES -co QUALITY=100"
    echo "any tiles.gpkg whole.tif -co TILE_FORMAT=TIFF"
    echo "any N36W085.hgt whole.tif -a_srs EPSG:4326 -outsize 1201 1201 -a_ullr -85.0004166 37.0004166 -83.9995833 35.9995833"
    echo "any n36.dt0 whole.tif -a_srs EPSG:4326 -outsize 121 121 -a_ullr -85.00416 37.00416 -83.99583 35.99583"
    echo "any usgs.dem whole.tif -a_srs EPSG:26917"
}

driver=
# Sets `driver` to GDAL's driver of a suffix.
find_driver() {
    case $1 in
    tif) driver=GTiff ;; img) driver=HFA ;; vrt) driver=VRT ;; nc) driver=netCDF ;; asc) driver=AAIGrid ;; sdat) driver=SAGA ;;
    rst) driver=RST ;; envi) driver=ENVI ;; bil) driver=EHdr ;; grd) driver=GSBG ;; gs7bg) driver=GS7BG ;; gsag) driver=GSAG ;;
    bt) driver=BT ;; ter) driver=Terragen ;; hf2) driver=HF2 ;; gtx) driver=GTX ;; xyz) driver=XYZ ;; pnm) driver=PNM ;;
    map) driver=PCRaster ;; gpkg) driver=GPKG ;; sigdem) driver=SIGDEM ;; zmap) driver=ZMap ;; vicar) driver=VICAR ;;
    bag) driver=BAG ;; jp2) driver=JP2OpenJPEG ;; bmp) driver=BMP ;; gif) driver=GIF ;; sgi) driver=SGI ;; webp) driver=WEBP ;;
    jpg) driver=JPEG ;; ers) driver=ERS ;; nitf) driver=NITF ;; rsw) driver=RMF ;;
    png) driver=PNG ;; hgt) driver=SRTMHGT ;; dt0) driver=DTED ;; dem) driver=USGSDEM ;;
    esac
}

# make RIGHT NAME SOURCE OPTIONS...
make() {
    local name=$2 source=$3 word options=()
    find_driver "${name##*.}"
    for word in "${@:4}"; do
        [ "$word" != -of ] || driver=
        case $word in band=* | nodata=*) ;; *) options+=("$word") ;; esac
    done
    [ -z "$driver" ] || options+=(-of "$driver")
    gdal_translate -q "${options[@]}" "$source" "$name" >/dev/null 2>&1 || rm -f "$name"
}

kinds >kinds.txt
make_share() {
    local words line=0
    while read -ra words; do
        [ $((line++ % workers)) != "$1" ] || make "${words[@]}"
    done <kinds.txt
}
for ((i = 0; i < workers; i++)); do make_share "$i" & done
wait

# --- kinds made by hand -----------------------------------------------------------------------------------------------

expected() { echo "$*" >>kinds.txt; } # as above, of a file that is there
by_hand() { expected "$1" "$2" -; }

# How writers spell a nodata value: the text in the file is replaced by one as long.
respelled() { # TEXT
    ((++spelled))
    local wanted
    printf -v wanted '%-*s' ${#long} "$1"
    LC_ALL=C sed "s/$long/$wanted/" long-nodata.tif >"spelled-$spelled.tif"
    by_hand right "spelled-$spelled.tif"
}
gdal_translate -q -a_nodata -1.2345678901234567e+30 base.tif long-nodata.tif
long=$(LC_ALL=C grep -ao -- '-1\.23[0-9e.+]*' long-nodata.tif | head -1)
spelled=0
for text in nan NaN -nan '-1.#IND' '1.#QNAN' ' -9999' none 1e400 -inf 636.049377441406 +6.36049377441406E+2 636.04937744140625 \
    ' 636.0493774' 0636.0493774414; do
    respelled "$text"
done

# .aux.xml beside a raster, which adds or replaces
beside() { # NAME SOURCE XML
    cp "$2" "$1"
    printf '<PAMDataset>%s</PAMDataset>\n' "$3" >"$1.aux.xml"
    by_hand right "$1"
}
gdal_translate -q -a_nodata 644 -a_scale 2 whole.tif own.tif
gdal_translate -q -of PNG -co WORLDFILE=NO bytes.tif bare.png && rm -f bare.png.aux.xml
band() { echo "<PAMRasterBand band=\"1\">$1</PAMRasterBand>"; }
beside aux-statistics.tif base.tif "$(band '<Metadata><MDI key="STATISTICS_MEAN">4</MDI></Metadata>')"
beside aux-scale.tif bare.tif "$(band '<Offset>10</Offset><Scale>0.5</Scale><UnitType>ft</UnitType>')"
beside aux-scale-own.tif own.tif "$(band '<Offset>10</Offset><Scale>0.5</Scale>')"
beside aux-nodata.tif whole.tif "$(band '<NoDataValue>700</NoDataValue>')"
beside aux-nodata-own.tif own.tif "$(band '<NoDataValue>700</NoDataValue>')"
beside aux-place.tif bare.tif '<SRS>EPSG:32618</SRS><GeoTransform>7, 3, 0, 9, 0, -4</GeoTransform>'
beside aux-place-own.tif base.tif '<SRS>EPSG:32618</SRS><GeoTransform>7, 3, 0, 9, 0, -4</GeoTransform>'
beside aux-crs.tif base.tif '<SRS>EPSG:32618</SRS>'
beside aux-place.png bare.png '<SRS>EPSG:32618</SRS><GeoTransform>7, 3, 0, 9, 0, -4</GeoTransform>'
beside aux-south-up.png bare.png '<SRS>EPSG:32618</SRS><GeoTransform>7, 3, 0, 9, 0, 4</GeoTransform>'
beside aux-scale.png bare.png "$(band '<Offset>10</Offset><Scale>0.5</Scale>')"
beside aux-unit-own.tif own.tif "$(band '<UnitType>ft</UnitType>')"
beside aux-nodata.png bare.png "$(band '<NoDataValue>164</NoDataValue>')"
beside aux-empty.tif base.tif ''

# World files, also of a raster whose CRS is in its own file
printf '10\n0\n0\n-10\n500005\n3999995\n' >world.txt
for ending in tfw tifw wld TFW; do
    cp bare.tif "world-$ending.tif"
    cp world.txt "world-$ending.$ending"
    by_hand right "world-$ending.tif"
done
cat >unplaced.vrt <<'TEXT'
<VRTDataset rasterXSize="60" rasterYSize="40"><SRS>EPSG:32617</SRS><VRTRasterBand dataType="Float32" band="1">
<SimpleSource><SourceFilename relativeToVRT="1">bare.tif</SourceFilename></SimpleSource></VRTRasterBand></VRTDataset>
TEXT
gdal_translate -q unplaced.vrt world-crs.tif && cp world.txt world-crs.tfw && by_hand right world-crs.tif
by_hand right unplaced.vrt
sed 's/32617/32617+6360/' unplaced.vrt >unplaced-feet.vrt
gdal_translate -q unplaced-feet.vrt unplaced-feet.tif && by_hand right unplaced-feet.tif
by_hand right unplaced-feet.vrt

# Georeferences that no grid north-up has
sed 's/<SRS>/<GeoTransform>500000, 10, 2, 4000000, 2, -10<\/GeoTransform><SRS>/' unplaced.vrt >rotated.vrt
gdal_translate -q rotated.vrt rotated.tif
for name in rotated.vrt rotated.tif; do by_hand refused $name; done

# Overviews, pages, tiles of a mosaic, warped
for name in ovr-inside ovr-beside; do cp base.tif $name.tif && by_hand right $name.tif; done
gdaladdo -q ovr-inside.tif 2 4
gdaladdo -q -ro ovr-beside.tif 2
cp base.tif pages.tif
gdal_translate -q -co APPEND_SUBDATASET=YES whole.tif pages.tif
by_hand right pages.tif
by_hand right GTIFF_DIR:2:pages.tif
gdal_translate -q -srcwin 0 0 30 40 base.tif left.tif
gdal_translate -q -srcwin 40 10 20 30 base.tif right.tif
gdalbuildvrt -q mosaic.vrt left.tif right.tif && by_hand right mosaic.vrt
gdalbuildvrt -q -vrtnodata -9999 mosaic-nodata.vrt left.tif right.tif && by_hand right mosaic-nodata.vrt
gdalbuildvrt -q -addalpha mosaic-alpha.vrt left.tif right.tif && by_hand right mosaic-alpha.vrt
gdalbuildvrt -q -resolution user -tr 7 7 mosaic-finer.vrt left.tif right.tif && by_hand right mosaic-finer.vrt
gdalwarp -q -of VRT -t_srs EPSG:4326 base.tif warped.vrt && by_hand right warped.vrt
gdalwarp -q -t_srs EPSG:3857 -dstalpha base.tif warped.tif && by_hand right warped.tif
gdalwarp -q -t_srs EPSG:32618 -dstnodata nan base.tif warped-nan.tif && by_hand right warped-nan.tif

# Several variables, archives
if [ -e two-1.img ] && gdal_translate -q -of netCDF pair.tif pair.nc 2>/dev/null; then
    by_hand refused pair.nc
    for name in Band1 Band2; do by_hand right "NETCDF:pair.nc:$name"; done
    by_hand right 'NETCDF:"pair.nc":Band2'
fi
gzip -k base.tif && mv base.tif.gz packed.tif.gz
for name in packed.tif.gz /vsigzip/packed.tif.gz; do by_hand right $name; done
tar cf packed.tar whole.tif other.asc mask-beside.tif mask-beside.tif.msk
for name in whole.tif other.asc mask-beside.tif; do by_hand right /vsitar/packed.tar/$name; done

# Text grids as people write them
grid() { # NAME HEADER, then rows
    { printf '%b\n' "$2" && cat; } >"$1"
    by_hand right "$1"
}
grid text-nan.asc 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\nNODATA_value nan' <<<$'1.5 nan 3\n4 5 6'
grid text-centre.asc 'NCOLS 3\nNROWS 2\nXLLCENTER 5\nYLLCENTER 5\nCELLSIZE 10' <<<$'1.5 2 3\n4 5 6'
grid text-dx.asc 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ndx 10\ndy 20\nNODATA_value -9999' <<<$'1.5 2 -9999\n4 5 6'
grid text-comma.asc 'ncols 3\nnrows 2\nxllcorner 0,5\nyllcorner 0\ncellsize 10,5\nNODATA_value -9999' <<<$'1,5 2 -9999\n4 5 6'
grid text-lines.asc 'ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10' <<<$'1.5\n2\n3\n4\n5e0\n6'
grid text-crlf.asc 'ncols 3\r\nnrows 2\r\nxllcorner 0\r\nyllcorner 0\r\ncellsize 10\r' <<<$'1.5 2 3\r\n4 5 6\r'
grid text-grass.asc 'north: 20\nsouth: 0\neast: 30\nwest: 0\nrows: 2\ncols: 3\nnull: -5' <<<$'1.5 -5 3\n4 5 6'
printf '5 15 1.5\n15 15 2\n25 15 3\n5 5 4\n15 5 5\n25 5 6\n' >text.xyz && by_hand right text.xyz
printf 'x,y,z\n5,5,1.5\n15,5,2\n25,5,3\n5,15,4\n15,15,5\n25,15,6\n' >columns.xyz && by_hand right columns.xyz

# --- the comparison ---------------------------------------------------------------------------------------------------

declare -A right
while read -ra words; do
    [ -e "${words[1]}" ] || [ "${words[2]}" = - ] || continue # GDAL has no such driver, or it refuses such data
    right[${words[1]}]=${words[0]}
    printf '%s' "${words[1]}"
    for word in "${words[@]:3}"; do
        case $word in band=* | nodata=*) printf '\t%s' "$word" ;; esac
    done
    echo
done <kinds.txt >list
"$against" <list >found 2>said || fail "against_gdal ended with $?: $(tail -3 said)"
declare -A count=([right]=0 [refused]=0 [wrong]=0)
while read -r how name what; do
    name=${name%:}
    [ "${right[$name]}" = "$how" ] || { [ "${right[$name]}" = any ] && [ "$how" != wrong ]; } || {
        echo "WRONG: $how $name $what (expected: ${right[$name]})"
        how=wrong
    }
    count[$how]=$((count[$how] + 1))
done <found
echo "${count[right]} right, ${count[refused]} refused, ${count[wrong]} wrong of ${#right[@]} kinds ($(wc -l <kinds.txt) tried)"
[ "$(wc -l <found)" = "${#right[@]}" ] || fail "not each kind was compared"
[ "${count[wrong]}" = 0 ] || fail "rasters are read wrong"
[ "${count[right]}" -ge 200 ] || fail "GDAL's tools made too few rasters"
