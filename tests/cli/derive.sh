# labels: once
# wadi derive: maps of a terrain, beside gdaldem's where it is installed.
. "$(dirname "$0")/lib.bash"

"$WADI" generate ridged --size 60x44 --relief 300 --seed 4 --cell-size 10,8 -o hills.npy >/dev/null
derive() { "$WADI" derive "$@" >said; }

# One map into its file, several into a folder, in the format of the input
derive hills.npy --cell-size 10,8 --maps slope -o steep.npy
derive hills.npy --cell-size 10,8 --maps slope,direction,streams -o maps
[ "$(ls maps)" = "direction.npy
slope.npy
streams.geojson" ] || fail "in the folder: $(ls maps)"
cmp -s steep.npy maps/slope.npy || fail "a map in a file differs from that in a folder"
grep -q '^maps/slope.npy: [0-9.]* to [0-9.]* degrees$' said || fail "said: $(cat said)"
check_json all maps/streams.geojson
grep -q '"crs"' maps/streams.geojson && fail "a CRS out of nothing"
derive hills.npy --cell-size 10,8 -o usual --format tif
[ "$(find usual -name '*.tif' | wc -l)" -ge 10 ] || fail "by default: $(ls usual)"
expect 0 'plan_curvature' "$WADI" derive --help
expect 0 'steepest descent' "$WADI" derive --help

# The same bits on any number of threads, and of a run the height that it made
derive hills.npy --cell-size 10,8 --maps all -o three
OMP_NUM_THREADS=1 derive hills.npy --cell-size 10,8 --maps all -o one
diff -r one three || fail "threads make other bits"
"$WADI" run hills.npy --cell-size 10,8 -o eroded --steps 5 --quiet
derive eroded --cell-size 10,8 --maps area -o area.npy
derive eroded/height.npy --cell-size 10,8 --maps area -o area2.npy
cmp -s area.npy area2.npy || fail "the area of a run is not that of its height"
derive hills.npy --cell-size 10,8 --maps area --breach -o area3.npy
"$WADI" render hills.npy --cell-size 10,8 --map slope -o slope.png >/dev/null 2>&1 || ! has_format png || fail "no picture of a slope"

expect_error 2 'holds a run' "$WADI" derive eroded --maps area -o eroded
# Nothing is replaced without --force, and nothing is made where an option is wrong.
expect_error 2 'exists; --force' "$WADI" derive hills.npy --maps slope -o steep.npy
expect_error 2 'exists; --force' "$WADI" derive hills.npy --maps slope -o maps
derive hills.npy --maps slope --force -o maps
expect_error 2 '-o DIR|FILE is missing' "$WADI" derive hills.npy
expect_error 2 'did you mean slope?' "$WADI" derive hills.npy --maps slop -o no
expect_error 2 'one file for several maps' "$WADI" derive hills.npy --maps slope,area -o no.npy
expect_error 2 'streams are lines' "$WADI" derive hills.npy --maps streams -o no.npy
expect_error 2 'streams are lines' "$WADI" derive hills.npy --maps slope -o no.geojson
expect_error 2 'no folder' "$WADI" derive hills.npy --maps slope -o no/where
expect_error 2 'from 0 to 90' "$WADI" derive hills.npy --altitude 91 -o no
cp hills.npy slope.npy
expect_error 2 'is the input' "$WADI" derive ./slope.npy --maps slope --force -o .
expect_error 2 'is a file; this map is a run folder' "$WADI" render hills.npy --map velocity -o no.png
[ -z "$(ls -d no* 2>/dev/null)" ] || fail "left behind: $(ls -d no*)"

# The rest needs GDAL, and its tools. Cells are square, because gdaldem takes them so for the aspect.
command -v gdaldem >/dev/null || { echo "skipped: no gdaldem (gdal-bin)" && exit 77; }
derive hills.npy --cell-size 10,8 --maps filled -o plain.tif
case $("$WADI" info plain.tif 2>&1 || true) in *'not built'*) exit 77 ;; esac
gdal_translate -q -a_srs EPSG:32617 -a_ullr 500000 4000440 500600 4000000 plain.tif hills.tif
derive hills.tif --maps all -o georeferenced
same() { # FILE FILE TOLERANCE: without the border, where gdaldem has no data
    for file in "$1" "$2"; do gdal_translate -q -srcwin 1 1 58 42 -ot Float32 -a_nodata -9999 "$file" "$file.tif"; done
    expect 0 'height' "$WADI" compare "$1.tif" "$2.tif" --tolerance "$3"
}
for map in slope aspect hillshade; do gdaldem $map -q hills.tif gdal_$map.tif; done
same gdal_slope.tif georeferenced/slope.tif 3e-4 # GDAL computes in float32
same gdal_aspect.tif georeferenced/aspect.tif 0.02
gdal_translate -q -ot Byte -scale 0 1 1 255 georeferenced/hillshade.tif shade.tif
same gdal_hillshade.tif shade.tif 0
derive hills.tif --maps hillshade --azimuth 90 --altitude 30 --exaggeration 2 -o light.tif
gdaldem hillshade -q -az 90 -alt 30 -z 2 hills.tif gdal_light.tif
gdal_translate -q -ot Byte -scale 0 1 1 255 light.tif light_byte.tif
same gdal_light.tif light_byte.tif 0

# Place, unit and description
said=$(gdalinfo georeferenced/area.tif)
for text in 'UTM zone 17N' 'Origin = (500000.0' 'Pixel Size = (10.0' 'Unit Type: m2' 'Description = contributing area by D8'; do
    case $said in *"$text"*) ;; *) fail "georeferenced/area.tif: no '$text' in $said" ;; esac
done
grep -q 'urn:ogc:def:crs:EPSG::32617' georeferenced/streams.geojson || fail "the streams do not name their CRS"
count=$(grep -c '"LineString"' georeferenced/streams.geojson)
expect 0 "Feature Count: $count" ogrinfo -so -al georeferenced/streams.geojson
case $said in *'UTM zone 17N'*) ;; *) fail "GDAL does not know the streams' CRS: $said" ;; esac
# The same lines as GeoPackage and FlatGeobuf, alone and in a folder
lines() { ogr2ogr -f CSV /vsistdout/ "$1" -lco GEOMETRY=AS_WKT -select id,next_id,strahler,length_m,area_m2,from_m,to_m | tr -d '"' | sed 's#\.0*\([,]\)#\1#g' | sort; }
for ending in gpkg fgb; do
    derive hills.tif --maps streams -o streams.$ending
    derive hills.tif --maps streams --lines $ending -o in_$ending
    for file in streams.$ending in_$ending/streams.$ending; do
        [ "$(lines $file)" = "$(lines georeferenced/streams.geojson)" ] || fail "$file: other lines: $(diff <(lines $file) <(lines georeferenced/streams.geojson))"
        case $(ogrinfo -so -al $file) in *'UTM zone 17N'*'next_id: Integer64'*'length_m: Real'*) ;; *) fail "$file: $(ogrinfo -so -al $file)" ;; esac
    done
done
[ "$(lines streams.gpkg | wc -l)" = $((count + 1)) ] || fail "$(lines streams.gpkg | wc -l) lines, not $count"
# The disk is full, at first or in the last bytes: the earlier file stays.
for ending in gpkg fgb; do
    bytes=$(wc -c <streams.$ending)
    for most in 1 $(((bytes - 1) / 1024)); do
        cp streams.$ending kept.$ending
        full() { trap '' XFSZ && ulimit -f "$most" && exec "$WADI" derive hills.tif --maps streams --force -o kept.$ending; }
        expect_error 1 'make room' full
        cmp -s streams.$ending kept.$ending || fail "kept.$ending has changed"
    done
done
[ -z "$(find . -name '*kept*' ! -name kept.gpkg ! -name kept.fgb)" ] || fail "left behind: $(ls -A)"
derive hills.npy --cell-size 10,8 --maps streams -o bare.gpkg
expect_error 2 'streams are lines' "$WADI" derive hills.tif --maps slope -o no.gpkg
expect_error 2 'streams are lines' "$WADI" derive hills.tif --maps streams -o no.shp.tif
# A line goes through cells of its order.
read -r x y order < <(sed -n 's/.*"strahler": \([0-9]*\).*"coordinates": \[\[\([0-9.]*\), \([0-9.]*\)\].*/\2 \3 \1/p' georeferenced/streams.geojson | head -n 1)
[ "$(gdallocationinfo -valonly -geoloc georeferenced/strahler.tif "$x" "$y")" = "$order" ] || fail "no stream of order $order at $x $y"
