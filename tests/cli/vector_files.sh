# labels: once
# Sources and maps from vector files: GeoJSON, GeoPackage, FlatGeobuf, Shapefile. Maps are what gdal_rasterize makes.
. "$(dirname "$0")/lib.bash"

# A terrain of 60 x 44 cells of 10 m in UTM, and springs in it, in degrees as GeoJSON has them.
"$WADI" generate ridged --size 60x44 --cell-size 10 --relief 300 --seed 4 -o hills.npy >/dev/null
has_format tif || exit 77
"$WADI" clip hills.npy --window 0,0,60,44 -o plain.tif >/dev/null
feature() { printf '{"type":"Feature","properties":{%s},"geometry":{"type":"%s","coordinates":%s}}' "$@"; }
collect() { # FILE CRS FEATURE...: the coordinates are in the CRS
    local file=$1 crs='' IFS=,
    [ -z "$2" ] || crs='"crs":{"type":"name","properties":{"name":"'$2'"}},'
    shift 2
    printf '{"type":"FeatureCollection",%s"features":[%s]}\n' "$crs" "$*" >"$file"
}
utm=urn:ogc:def:crs:EPSG::32617
collect points.geojson $utm "$(feature '"rate_m3s":2,"radius_m":15' Point '[500105,4000235]')" \
    "$(feature '"rate_m3s":"0.5","start_s":1,"end_s":9' Point '[500305,4000135]')"
said=$("$WADI" run --no-preview hills.npy --mask points.geojson -o no --steps 1 2>&1) && fail "a terrain without a place"
case $said in
*'not built'*)
    [ "$(wc -l <<<"$said")" = 1 ] || fail "more than one line: $said"
    expect_error 2 'vector files are not built' "$WADI" run --no-preview hills.npy --sources points.geojson -o no
    exit 77
    ;;
*'the terrain has no georeference'*) ;;
*) fail "$said" ;;
esac
command -v gdal_rasterize >/dev/null || { echo "skipped: no gdal_rasterize (gdal-bin)" && exit 77; }
gdal_translate -q -a_srs EPSG:32617 -a_ullr 500000 4000440 500600 4000000 plain.tif hills.tif

run() { "$WADI" run --no-preview hills.tif --steps 12 --preset valleys --quiet --force "$@"; }
# --- sources: the same run as by CSV, whatever the format and the CRS
printf '500105,4000235,15,2\n500305,4000135,10,0.5,1,9\n' >points.csv
run --sources points.csv -o csv
run --sources points.geojson -o geojson
same_hashes csv geojson
for format in GPKG FlatGeobuf 'ESRI Shapefile'; do
    file=points-${format%% *}.$(sed 's/GPKG/gpkg/; s/FlatGeobuf/fgb/; s/ESRI.*/shp/' <<<"$format")
    ogr2ogr -f "$format" "$file" points.geojson -nln springs
    run --sources "$file" -o other
    same_hashes csv other
done
ogr2ogr -f GeoJSON degrees.geojson points.geojson -t_srs EPSG:4326 -lco RFC7946=YES -lco COORDINATE_PRECISION=12
run --sources degrees.geojson -o degrees
# The cells of both points, to a thousandth: the file has 12 digits, PROJ more.
places() { sed -n '/"sources"/,/\]/p' "$1/run.json" | grep -oE '"[xy]": [0-9.]+' | awk '{ printf "%.3f ", $2 }'; }
[ "$(places degrees)" = '10.500 20.500 30.500 30.500 ' ] || fail "degrees: $(places degrees)"
"$WADI" run --no-preview --recipe geojson/run.json -o again --quiet # holds the sources themselves
same_hashes csv again

# A line shares its discharge between discs no further apart than their radius.
collect line.geojson $utm "$(feature '"rate_m3s":6,"radius_m":20' LineString '[[500105,4000235],[500165,4000235],[500165,4000195]]')"
run --sources line.geojson -o line
for at in 10 30 50 70 90; do
    ((at <= 60)) && echo "$((500105 + at)),4000235,20,1.2" || echo "500165,$((4000235 + 60 - at)),20,1.2"
done >line.csv
run --sources line.csv -o pieces
same_hashes line pieces

# A line of one place is a point.
collect one.geojson $utm "$(feature '"rate_m3s":6,"radius_m":20' LineString '[[500105,4000235]]')"
run --sources one.geojson -o line
echo '500105,4000235,20,6' >one.csv
run --sources one.csv -o pieces
same_hashes line pieces

# Gauges in cells go with sources that are in the CRS.
run --sources points.geojson -o plain
run --sources points.geojson --pixel --gauges 'weir=12,30' -o gauged
same_hashes plain gauged
grep -q weir gauged/gauges.csv || fail "no gauge: $(head -n 3 gauged/gauges.csv)"
"$WADI" run --no-preview --recipe gauged/run.json -o again --quiet --force
same_hashes gauged again
cmp gauged/gauges.csv again/gauges.csv || fail "a replay has other gauges"
# A stage of a recipe may say so too, with gauges or without.
stage='stages: [{preset: valleys, steps: 12, sources: points.geojson, pixel: true}]'
printf 'input: hills.tif\n%s\n' "$stage" >stage.yaml
expect 0 'its places are in a CRS, whatever --pixel says' "$WADI" run --no-preview --recipe stage.yaml -o again --force
same_hashes plain again
printf 'gauges: weir=12,30\n' >>stage.yaml
"$WADI" run --no-preview --recipe stage.yaml -o again --quiet --force
same_hashes gauged again
cmp gauged/gauges.csv again/gauges.csv || fail "a recipe has other gauges"

# --- maps: areas, lines and points, as gdal_rasterize makes them
square() { echo "[[[$1,$2],[$3,$2],[$3,$4],[$1,$4],[$1,$2]]]"; }
collect areas.geojson $utm "$(feature '"name":"valley","hardness":0.75,"rain":0.004,"value":0.3' Polygon "$(square 500102 4000103 500333 4000291)")" \
    "$(feature '"hardness":0.25,"rain":0.001,"value":0.9' Polygon "$(square 500290 4000200 500480 4000390)")" \
    "$(feature '"hardness":1,"rain":0,"value":0.1' LineString '[[500020,4000020],[500570,4000410]]')"
burned() { # ATTRIBUTE OUTSIDE
    rm -f burned.tif
    gdal_rasterize -q -a "$1" -init "$2" -te 500000 4000000 500600 4000440 -ts 60 44 -ot Float32 areas.geojson burned.tif
}
burned hardness 0
run --hardness areas.geojson -o areas
run --hardness burned.tif -o raster
same_hashes areas raster
burned rain 0
run --rain @areas.geojson -o areas
run --rain @burned.tif -o raster
same_hashes areas raster
run --set rain=@areas.geojson -o areas
same_hashes areas raster
burned value 0
run --mask areas.geojson -o areas
run --mask burned.tif -o raster
same_hashes areas raster
# A parameter must have a value everywhere: here a field of the whole lies below the others.
collect soil.geojson $utm "$(feature '"Kd":0.2' Polygon "$(square 499000 3999000 501000 4001000)")" \
    "$(feature '"Kd":0.9' Polygon "$(square 500290 4000200 500480 4000390)")"
gdal_rasterize -q -a Kd -te 500000 4000000 500600 4000440 -ts 60 44 -ot Float32 soil.geojson kd.tif
run --set Kd=@soil.geojson -o areas
run --set deposition-rate=@kd.tif -o raster
same_hashes areas raster
expect_error 2 'areas.geojson has no value at cell (0, 0)' "$WADI" run --no-preview hills.tif -o no --set Kd=@areas.geojson
expect 0 'the map has their rain where its shapes lie, and 0 elsewhere' "$WADI" run --no-preview hills.tif --steps 1 --rain @areas.geojson -o said
# A mask needs no values: 1 within.
ogr2ogr -q -f GPKG areas.gpkg areas.geojson -nln soil
ogr2ogr -q -f GPKG -update areas.gpkg points.geojson -nln springs
ogr2ogr -q -f GeoJSON bare.geojson areas.geojson -select name
gdal_rasterize -q -burn 1 -te 500000 4000000 500600 4000440 -ts 60 44 -ot Float32 bare.geojson ones.tif
run --mask bare.geojson -o areas
run --mask ones.tif -o raster
same_hashes areas raster
# A layer of several; a recipe's paths
run --hardness GPKG:areas.gpkg:soil -o areas
run --hardness areas.geojson -o raster
same_hashes areas raster
mkdir sub
printf 'input: ../hills.tif\npreset: valleys\nsteps: 12\nhardness: ../areas.geojson\nsources: ../points.geojson\n' >sub/one.yaml
"$WADI" run --no-preview --recipe sub/one.yaml -o recipe --quiet
sed -e 's|^hardness: .*|hardness: GPKG:../areas.gpkg:soil|' -e 's|^sources: .*|sources: GPKG:"../areas.gpkg":springs|' sub/one.yaml >sub/two.yaml
"$WADI" run --no-preview --recipe sub/two.yaml -o layers --quiet
same_hashes recipe layers
printf 'set: {rain: "@GPKG:../areas.gpkg:soil"}\n' >>sub/two.yaml
"$WADI" run --no-preview --recipe sub/two.yaml -o layers --quiet --force
run --hardness areas.geojson --sources points.csv -o raster
same_hashes recipe raster
"$WADI" run --no-preview --recipe recipe/run.json -o recipe2 --quiet
same_hashes recipe recipe2

# --- refused, with one line and no folder
refuse() {
    local text=$1
    shift
    expect_error 2 "$text" "$WADI" run --no-preview hills.tif -o refused --steps 5 "$@"
    [ ! -e refused ] || fail "a refused run left its folder: $*"
}
refuse 'name one of its layers, as in GPKG:FILE:LAYER: soil, springs' --hardness areas.gpkg
refuse "Cannot find table 'sand'" --hardness GPKG:areas.gpkg:sand
refuse 'name one of its layers' --sources GPKG:areas.gpkg:sand
collect bare.geojson $utm "$(feature '"name":"a","q":3' Point '[500105,4000235]')"
refuse 'has no attribute rate_m3s (it has name, q)' --sources bare.geojson
refuse 'has no attribute hardness (it has name, q)' --hardness bare.geojson
one() { # TEXT PROPERTIES TYPE COORDINATES: refused as sources
    collect one.geojson $utm "$(feature "$2" "$3" "$4")"
    refuse "$1" --sources one.geojson
}
one 'is an area; points and lines are wanted' '"rate_m3s":1' Polygon "$(square 500102 4000103 500333 4000291)"
one 'has several parts; make a feature of each' '"rate_m3s":1' MultiPoint '[[500105,4000235],[500205,4000235]]'
one 'feature 0 has no number as its rate_m3s' '"rate_m3s":"much"' Point '[500105,4000235]'
one 'feature 0 has no number as its rate_m3s' '"rate_m3s":null' Point '[500105,4000235]'
one 'feature 0 has no number as its radius_m' '"rate_m3s":1,"radius_m":"wide"' Point '[500105,4000235]'
one 'feature 0: rate_m3s is negative' '"rate_m3s":-1' Point '[500105,4000235]'
one 'feature 0: end_s lies before start_s' '"rate_m3s":1,"start_s":9,"end_s":5' Point '[500105,4000235]'
one 'feature 0: it lies outside the terrain' '"rate_m3s":1' Point '[500605,4000235]'
one 'feature 0: it lies outside the terrain' '"rate_m3s":1' LineString '[[500105,4000235],[500105,3000000]]'
# Many lines together, each short enough
zigzag=$(for ((i = 0; i < 1000; i++)); do printf '[500005,4000235],[500595,4000235],'; done)
zigzag=$(feature '"rate_m3s":1' LineString "[${zigzag%,}]") # 118 km: 117941 discs
collect many.geojson $utm "$zigzag" "$zigzag" "$zigzag" "$zigzag" "$zigzag" "$zigzag" "$zigzag" "$zigzag" "$zigzag"
refuse 'feature 8: with it there are more than 1000000 discs' --sources many.geojson
one 'holds no feature with a place' '"rate_m3s":1' MultiPoint '[]'
collect one.geojson '' "$(feature '"hardness":1' Polygon "$(square 5 5 6 6)")"
refuse 'nothing of it lies on the terrain' --hardness one.geojson
collect one.geojson $utm "$(feature '"hardness":1e99' Polygon "$(square 500102 4000103 500333 4000291)")"
refuse 'hardness' --hardness one.geojson
collect one.geojson ''
refuse 'one.geojson' --sources one.geojson
# Damaged files and those that are none
head -c 300 points.geojson >cut.geojson
head -c 30000 areas.gpkg >cut.gpkg
head -c 200 points-FlatGeobuf.fgb >cut.fgb
cp hills.tif raster.geojson
mkdir folder.geojson
for file in cut.geojson cut.gpkg cut.fgb raster.geojson folder.geojson missing.geojson; do
    refuse "$file: " --sources $file
    refuse "$file: " --hardness $file
done
mkfifo pipe.geojson
refuse 'pipe.geojson' --sources pipe.geojson
cp points-ESRI.shp alone.shp # its attributes are elsewhere
refuse 'alone.shp: ' --sources alone.shp
mkfifo alone.dbf
refuse 'alone.dbf beside it is a device or a pipe' --sources alone.shp
