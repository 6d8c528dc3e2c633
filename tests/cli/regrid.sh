# labels: once
# wadi resample, clip and reproject, beside gdalwarp and gdal_translate where they are installed.
. "$(dirname "$0")/lib.bash"

# Clip needs no GDAL: the cells are copied.
"$WADI" generate ridged --size 60x44 --relief 300 --seed 4 -o hills.npy >/dev/null
expect 0 '20 x 10 cells' "$WADI" clip hills.npy --window 5,7,20,10 -o part.npy
"$WADI" clip part.npy --window 2,1,3,2 -o small.npy >/dev/null
"$WADI" clip hills.npy --window 7,8,3,2 -o same.npy >/dev/null
cmp -s small.npy same.npy || fail "a part of a part is another one"
expect_error 2 'not all are in a raster of 60 x 44' "$WADI" clip hills.npy --window 50,0,11,10 -o no.npy
expect_error 2 'whole numbers' "$WADI" clip hills.npy --window 0,0,1.5,10 -o no.npy
expect_error 2 'four numbers' "$WADI" clip hills.npy --window 0,0,10 -o no.npy
expect_error 2 'four numbers' "$WADI" clip hills.npy --bounds 0,0,10,4,5 -o no.npy
expect_error 2 'has no georeference' "$WADI" clip hills.npy --bounds 0,0,10,4 -o no.npy
expect_error 2 'one of --window' "$WADI" clip hills.npy --window 0,0,4,4 --bounds 0,0,4,4 -o no.npy
expect_error 2 'one of --window' "$WADI" clip hills.npy -o no.npy
expect_error 2 '-o FILE is missing' "$WADI" clip hills.npy --window 0,0,4,4
expect_error 2 'exists; --force' "$WADI" clip hills.npy --window 0,0,4,4 -o part.npy
expect_error 2 'is the input' "$WADI" clip hills.npy --window 0,0,4,4 -o hills.npy --force
expect_error 2 'one of --size' "$WADI" resample hills.npy -o no.npy
expect_error 2 'one of --size' "$WADI" resample hills.npy --size 4x4 --cell-size 2 -o no.npy
expect_error 2 'one of --crs' "$WADI" reproject hills.npy -o no.npy
expect_error 2 'nearest' "$WADI" resample hills.npy --size 4x4 --method closest -o no.npy
expect_error 2 'has no CRS' "$WADI" reproject hills.npy --crs EPSG:32617 -o no.npy

said=$("$WADI" resample hills.npy --size 30x22 --method average -o half.npy 2>&1) || case $said in
*'not built'*)
    [ "$(wc -l <<<"$said")" = 1 ] || fail "more than one line: $said"
    exit 77
    ;;
*) fail "$said" ;;
esac
# Means of four cells, as `wadi compare` takes them; and an enlarged raster has the old cells at its own.
expect 0 'height' "$WADI" compare half.npy hills.npy --tolerance 1e-4
"$WADI" resample hills.npy --size 180x132 --method nearest -o large.npy >/dev/null
expect 0 'height' "$WADI" compare hills.npy large.npy --tolerance 1e-4
"$WADI" resample hills.npy --cell-size 3,2 --method nearest -o wide.npy 2>/dev/null >said
grep -q '20 x 22 cells of 3 x 2 m' said || fail "said: $(cat said)"
expect_error 2 'make a grid of' "$WADI" resample hills.npy --cell-size 1e-8 -o no.npy
expect_error 2 'make a grid of' "$WADI" resample hills.npy --cell-size 1000 -o no.npy
expect_error 3 'take a smaller raster' "$WADI" resample hills.npy --cell-size 1e-5 -o no.npy

# The rest needs GDAL's tools.
command -v gdalwarp >/dev/null || { echo "skipped: no gdalwarp (gdal-bin)" && exit 77; }
"$WADI" clip hills.npy --window 0,0,60,44 -o plain.tif >/dev/null
gdal_translate -q -a_srs EPSG:32617 -a_ullr 500000 4000440 500600 4000000 plain.tif whole.tif
gdal_translate -q -srcwin 20 15 6 5 -scale 0 1 -9999 -9999 whole.tif hole.tif # a hole of cells without data
gdalbuildvrt -q -srcnodata none holed.vrt whole.tif hole.tif
gdal_translate -q -a_nodata -9999 holed.vrt hills.tif
expect 0 'nodata   30 cells' "$WADI" info hills.tif

same() { # FILE FILE: the same grid, CRS, values and cells without data
    expect 0 'the same' "$WADI" compare "$1" "$2"
    [ "$(place "$1")" = "$(place "$2")" ] || fail "$1: $(place "$1"), $2: $(place "$2")"
}
place() { gdalinfo "$1" | grep -E '^Size|^Origin|^Pixel| ID\["EPSG",[0-9]*\]\]$' | sed 's/\([0-9]\.[0-9]\{6\}\)[0-9]*/\1/g'; }
warp() { gdalwarp -q -overwrite -et 0 -ot Float32 -srcnodata -9999 -dstnodata -9999 "$@"; }
while read -r method name; do
    warp -r "$name" -te 500000 4000000 500600 4000440 -ts 40 22 hills.tif warped.tif
    "$WADI" resample hills.tif --size 40x22 --method "$method" --force -o resampled.tif >/dev/null
    same warped.tif resampled.tif
    warp -r "$name" -t_srs EPSG:32616 -tr 7 9 hills.tif warped.tif
    "$WADI" reproject hills.tif --crs EPSG:32616 --cell-size 7,9 --method "$method" --force -o reprojected.tif >/dev/null
    same warped.tif reprojected.tif
done <<<'nearest near
bilinear bilinear
cubic cubic
cubicspline cubicspline
lanczos lanczos
average average
median med
mode mode
minimum min
maximum max'
warp -r bilinear -t_srs EPSG:4326 hills.tif warped.tif
"$WADI" reproject hills.tif --crs EPSG:4326 -o degrees.tif >/dev/null
same warped.tif degrees.tif
warp -r bilinear -te 500000 3999992 500608 4000440 -tr 16 16 hills.tif warped.tif
"$WADI" resample hills.tif --cell-size 16 -o sixteen.tif >/dev/null
same warped.tif sixteen.tif

gdal_translate -q -srcwin 10 4 30 20 hills.tif cut.tif
"$WADI" clip hills.tif --window 10,4,30,20 -o window.tif >/dev/null
"$WADI" clip hills.tif --bounds 500100,4000400,500400,4000200 -o bounds.tif >/dev/null
"$WADI" clip hills.tif --like cut.tif -o like.tif >/dev/null
for file in window bounds like; do same cut.tif $file.tif; done
"$WADI" clip hills.tif --bounds 400000,4000104,500104,5000000 -o corner.tif >said
grep -q '10 x 34 cells' said || fail "beyond the raster: $(cat said)"
expect_error 2 'the raster reaches from 500000, 4000000 to 500600, 4000440' "$WADI" clip hills.tif --bounds 0,0,9,9 -o no.tif
expect_error 2 'wadi reproject' "$WADI" clip hills.tif --like reprojected.tif -o no.tif
for crs in EPSG:99999 EPSG:5703 +proj=longlat "$PWD/hills.prj" 4326; do
    expect_error 2 'is no CRS of the ground' "$WADI" reproject hills.tif --crs "$crs" -o no.tif
done

# Cells in degrees have another width in metres where the part lies.
gdal_translate -q -a_srs EPSG:4326 -a_ullr 5 60 5.6 16 plain.tif globe.tif
gdal_translate -q -srcwin 0 0 10 4 globe.tif north.tif
cells() { "$WADI" info "$1" | sed -n 's/^size .* cells of \([^ ]* x [^ ]*\) m.*/\1/p'; }
if has_format exr; then
    "$WADI" clip globe.tif --window 0,0,10,4 -o north.exr >/dev/null
    [ "$(cells north.exr)" = "$(cells north.tif)" ] || fail "cells of $(cells north.exr) m, not $(cells north.tif)"
    [ "$(cells north.exr)" != "$(cells globe.tif)" ] || fail "cells of the whole"
    "$WADI" clip globe.tif --cell-size 50 --window 0,0,10,4 -o given.exr >/dev/null
    [ "$(cells given.exr)" = '50 x 50' ] || fail "--cell-size: cells of $(cells given.exr)"
fi

# The grid of another raster, in the same CRS or in another: its place to the last digit.
warp -r cubic -t_srs EPSG:32616 -te 1040200 4016850 1040500 4017050 -ts 30 25 hills.tif there.tif
"$WADI" reproject hills.tif --like there.tif --method cubic -o like32616.tif >/dev/null
same there.tif like32616.tif
warp -r average -te 500105 4000105 500405 4000305 -tr 15 20 hills.tif within.tif
"$WADI" resample hills.tif --like within.tif --method average -o like32617.tif >/dev/null
same within.tif like32617.tif
expect_error 2 'one of --crs' "$WADI" reproject hills.tif --crs EPSG:32616 --like there.tif -o no.tif
expect_error 2 'has its own CRS and cells' "$WADI" reproject hills.tif --cell-size 5 --like there.tif -o no.tif
expect_error 2 'the other raster has no georeference' "$WADI" resample hills.tif --like hills.npy -o no.tif
# Integers as a map: 0 to 1
gdal_translate -q -ot Byte -scale 0 400 0 255 whole.tif mask.tif
"$WADI" resample mask.tif --map --size 30x22 --method average -o mask30.tif >said
grep -q '30 x 22 .* 0\(\.[0-9]*\)* to 0\.[0-9]* 1' said || fail "said: $(cat said)"

# A map keeps its unit; heights in feet come out in metres.
"$WADI" derive hills.tif --maps slope -o slope.tif >/dev/null
"$WADI" resample slope.tif --size 20x20 -o slope20.tif >said
grep -q 'degrees' said || fail "said: $(cat said)"
case $(gdalinfo slope20.tif) in *'Unit Type: degrees'*) ;; *) fail "slope20.tif has lost its unit" ;; esac
gdal_translate -q -a_srs EPSG:32617+8052 whole.tif feet.tif
expect 0 'heights' "$WADI" info feet.tif
heights=$(sed -n 's/^heights *\([^,]*\),.*/\1/p' <<<"$said")
"$WADI" reproject feet.tif --crs EPSG:32617 --cell-size 10 --method nearest -o metres.tif >/dev/null
"$WADI" resample feet.tif --size 60x44 --method nearest -o kept.tif >/dev/null
for file in metres.tif kept.tif; do expect 0 "$heights" "$WADI" info $file; done
[ -z "$(ls -d no.* 2>/dev/null)" ] || fail "left behind: $(ls -d no.*)"
