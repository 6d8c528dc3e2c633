# Rasters that GDAL reads: inside archives and containers, and georeferences that its own tools write.
. "$(dirname "$0")/lib.bash"

{ printf 'ncols 8\nnrows 6\nxllcorner 500000\nyllcorner 4000000\ncellsize 25\n' && seq -s ' ' 101 148; } >hills.asc
said=$("$WADI" info hills.asc 2>&1) || case $said in *'not built'*) exit 77 ;; *) fail "$said" ;; esac
heights='heights  101 to 148 m'
expect 0 "$heights" "$WADI" info hills.asc

# inside a compressed file or an archive
cp hills.asc plain.asc
gzip plain.asc
expect 0 "$heights" "$WADI" info plain.asc.gz
expect 0 "$heights" "$WADI" info /vsigzip/plain.asc.gz
[ ! -e plain.asc.gz.properties ] || fail "GDAL left a file beside the input"
tar cf hills.tar hills.asc
expect 0 "$heights" "$WADI" info /vsitar/hills.tar/hills.asc
expect 0 "$heights" "$WADI" info "/vsitar/$PWD/hills.tar/hills.asc"
expect_error 2 '/vsitar/hills.tar/other.asc' "$WADI" info /vsitar/hills.tar/other.asc
expect_error 2 '/vsitar/missing.tar/hills.asc' "$WADI" info /vsitar/missing.tar/hills.asc
if command -v python3 >/dev/null; then
    python3 -c 'import zipfile; z = zipfile.ZipFile("two.zip", "w"); z.write("hills.asc"); z.writestr("a/list", "eggs")'
    expect 0 "$heights" "$WADI" info /vsizip/two.zip/hills.asc
    expect_error 2 'name a raster in it, such as /vsizip/two.zip/' "$WADI" info two.zip
fi

# the rest needs GDAL's tools
command -v gdal_translate >/dev/null || { echo "skipped: no gdal_translate (gdal-bin)" && exit 77; }
translate() { gdal_translate -q "$@"; }
translate -a_srs EPSG:32617 hills.asc hills.tif

if gdalinfo --formats | grep -q 'netCDF -raster'; then
    translate -of netCDF hills.tif hills.nc
    expect 0 "$heights" "$WADI" info 'NETCDF:"hills.nc":Band1'
    expect 0 'EPSG:32617' "$WADI" info NETCDF:hills.nc:Band1
fi
