# labels: once
# GeoTIFFs made by GDAL: COG from run and derive, and rendered maps with a place. GDAL's tools say what is in them.
. "$(dirname "$0")/lib.bash"

"$WADI" generate ridged --size 560x520 --cell-size 10 --relief 900 --seed 4 -o hills.npy >/dev/null
has_format cog.tif || { expect_error 2 'this build cannot write it' "$WADI" generate cone --size 4x4 -o no.cog.tif && exit 77; }
command -v gdalinfo >/dev/null || { echo "skipped: no gdalinfo (gdal-bin)" && exit 77; }
has_format tif || exit 77
"$WADI" clip hills.npy --window 0,0,560,520 -o plain.tif >/dev/null
gdal_translate -q -a_srs EPSG:32617+8052 -a_ullr 500000 4005200 505600 4000000 plain.tif feet.tif # heights in feet
gdal_translate -q -srcwin 20 15 90 70 -scale 0 1 -9999 -9999 feet.tif hole.tif                      # no data there
gdalbuildvrt -q -srcnodata none holed.vrt feet.tif hole.tif
gdal_translate -q -a_nodata -9999 holed.vrt hills.tif

says() { # FILE TEXT...: gdalinfo says each
    local file=$1 facts
    shift
    facts=$(gdalinfo "$file")
    for text in "$@"; do case $facts in *"$text"*) ;; *) fail "$file: gdalinfo does not say '$text': $facts" ;; esac done
}
silent() { case $(gdalinfo "$1") in *"$2"*) fail "$1: gdalinfo says '$2'" ;; esac }

# --- COG: in tiles, with overviews; values, place, nodata, unit and meaning are those of the plain GeoTIFF
"$WADI" run --no-preview hills.tif --steps 3 --quiet --maps all --format cog -o cog
"$WADI" run --no-preview hills.tif --steps 3 --quiet --maps all --format tif -o tif
same_hashes cog tif
grep -q '"format": "cog"' cog/run.json || fail "the recipe does not say cog"
place() { gdalinfo "$1" | grep -E '^Origin|^Pixel|  Unit Type| Description|ID\["EPSG"'; }
checked=0
for file in tif/*.tif; do
    name=$(basename "$file" .tif)
    says cog/"$name".cog.tif LAYOUT=COG Overviews: 'Block=512x512' 'NoData Value=nan'
    expect 0 'the same' "$WADI" compare cog/"$name".cog.tif "$file"
    [ "$name" = height ] || [ "$(place cog/"$name".cog.tif)" = "$(place "$file")" ] || fail "$name: $(place cog/"$name".cog.tif)"
    checked=$((checked + 1))
done
[ "$checked" -ge 7 ] || fail "only $checked maps"
says cog/height.cog.tif 'Unit Type: metre'
"$WADI" run --no-preview --recipe cog/run.json -o again --quiet
same_hashes cog again
expect 0 'slope' "$WADI" derive cog -o slope.png --maps slope # the height of such a run is found
says cog/flow.cog.tif 'Unit Type: m3/s' 'Description = time-mean discharge'
silent cog/flow.cog.tif foot
"$WADI" derive hills.tif --maps all --format cog -o maps >/dev/null
for name in slope:degrees area:m2 filled:metre wetness:1; do says maps/"${name%:*}".cog.tif LAYOUT=COG "Unit Type: ${name#*:}"; done
# Codes have no mean: an overview has the codes of some cells.
gdal_translate -q -outsize 280 260 maps/direction.cog.tif codes.tif
gdal_translate -q -of XYZ codes.tif codes.xyz
[ -z "$(awk '{ print $3 }' codes.xyz | sort -u | grep -vxE 'nan|0|1|2|4|8|16|32|64|128')" ] || fail "codes of overviews: $(awk '{ print $3 }' codes.xyz | sort -u)"
"$WADI" resample hills.tif --size 40x30 -o small.cog.tif >/dev/null
says small.cog.tif LAYOUT=COG 'Size is 40, 30'
"$WADI" resample hills.tif --size 40x30 -o small.tif >/dev/null
expect 0 'the same' "$WADI" compare small.cog.tif small.tif

# --- rendered maps: RGBA over the terrain's extent; transparent where there is no data
"$WADI" render hills.tif --scale 0.5 -o map.tif >/dev/null
says map.tif 'Size is 280, 260' 'Pixel Size = (20.0' 'Origin = (500000.0' 'ID["EPSG",32617]' ColorInterp=Red ColorInterp=Alpha Type=Byte
silent map.tif 'foot'
"$WADI" render hills.tif --scale 0.5 --no-decoration -o map.png >/dev/null
alpha() { gdallocationinfo -valonly -b 4 map.tif "$1" "$2"; }
[ "$(alpha 30 30) $(alpha 200 200)" = '0 255' ] || fail "transparent: $(alpha 30 30), $(alpha 200 200)"
for at in '200 200' '5 250' '279 0'; do
    # shellcheck disable=SC2086 # two words
    [ "$(gdallocationinfo -valonly -b 1 -b 2 -b 3 map.tif $at)" = "$(gdallocationinfo -valonly -b 1 -b 2 -b 3 map.png $at)" ] || fail "other colours at $at"
done
"$WADI" render cog --map flow -o flow.cog.tif >/dev/null
says flow.cog.tif LAYOUT=COG 'ID["EPSG",32617]' ColorInterp=Alpha
expect_error 2 'has no place on a map' "$WADI" render hills.tif --3d -o no.tif
expect_error 2 'leave the title out' "$WADI" render hills.tif --title x -o no.tif
expect_error 2 'name it .png or .tif' "$WADI" render hills.tif -o no.jpg
expect_error 2 'exists; --force' "$WADI" render hills.tif -o map.tif
"$WADI" render hills.npy -o bare.tif >/dev/null # a size, and no CRS
[ -z "$(find . -name '.wadi-*' -o -name '*.gdal*')" ] || fail "left behind: $(find . -name '.wadi-*' -o -name '*.gdal*')"
