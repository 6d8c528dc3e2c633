# labels: once
# wadi generate: every kind of terrain, each format written and read back, refusals.
. "$(dirname "$0")/lib.bash"

for kind in diamond-square cone ramp basin wall noise ridged billowed warped voronoi base spectral random channel mountain mountains island range \
    everywhere disc point; do
    expect 0 "$kind" "$WADI" generate $kind --size 40x30 --seed 3 -o $kind.npy
    expect 0 'size     40 x 30 cells of 1 x 1 m' "$WADI" info $kind.npy
done
# The seed alone determines the terrain.
"$WADI" generate diamond-square --size 40x30 --seed 3 -o again.npy >/dev/null
"$WADI" generate diamond-square --size 40x30 --seed 4 -o other.npy >/dev/null
expect 0 'the same' "$WADI" compare diamond-square.npy again.npy
expect 1 'cells differ' "$WADI" compare diamond-square.npy other.npy

# Float formats keep the bits. Integer formats keep values to half a step of their range.
for format in tif exr r32 npy; do
    has_format $format || continue
    "$WADI" generate diamond-square --size 40x30 --seed 3 -o same.$format >/dev/null
    expect 0 'the same' "$WADI" compare diamond-square.npy same.$format --size 40x30
done
for format in png r16; do
    has_format $format || continue
    "$WADI" generate diamond-square --size 40x30 --seed 3 --relief 100 -o float.npy --force >/dev/null
    expect 0 '--height-range' "$WADI" generate diamond-square --size 40x30 --seed 3 --relief 100 -o near.$format
    range=$(sed -n 's/.*--height-range \([^ ]*\).*/\1/p' <<<"$said")
    expect 0 'within the tolerance' "$WADI" compare float.npy near.$format --size 40x30 --height-range "$range" --tolerance 0.001
    expect 1 'cells differ' "$WADI" compare float.npy near.$format --size 40x30 --height-range "$range"
done
if has_format tif; then
    "$WADI" generate cone --size 20x10 --cell-size 30,20 -o cells.tif >/dev/null
    expect 0 'cells of 30 x 20 m' "$WADI" info cells.tif
fi
"$WADI" generate cone --size 20x10 --relief 7 --base 5 -o relief.npy >/dev/null
expect 0 'heights  5 to 12 m' "$WADI" info relief.npy

# Rain maps have values from 0 to --relief.
expect 0 'disc, 40 x 30' "$WADI" generate disc --size 40x30 --relief 0.01 -o rain.npy
expect 0 'heights  0 to 0.01 m' "$WADI" info rain.npy
expect 0 'heights  1 to 1 m' "$WADI" info everywhere.npy

# A mountain from any picture, dark on light or light on dark
expect 0 'letters, 50 x 40' "$WADI" generate letters --from disc.npy --size 50x40 -o letters.npy
"$WADI" generate basin --size 40x30 -o dark.npy --relief 1 >/dev/null
expect 0 'letters' "$WADI" generate letters --from dark.npy --size 50x40 --relief 9 -o dark-letters.npy
expect 0 'heights  0 to 9 m' "$WADI" info dark-letters.npy
if has_format png; then
    "$WADI" generate disc --size 40x30 -o disc.png >/dev/null
    "$WADI" generate letters --from disc.png --size 50x40 -o from-png.npy >/dev/null
    expect 0 'the same' "$WADI" compare letters.npy from-png.npy
fi

# One world at two sizes is the same landscape. A line bends a range.
"$WADI" generate ridged --size 64x32 --world-size 6400 --feature-size 2000 --octaves 3 --warp 300 -o world.npy >/dev/null
expect 0 'cells of 100 x 100 m' "$WADI" info world.npy
"$WADI" generate ridged --size 64x32 --cell-size 100 --feature-size 2000 --octaves 3 --warp 300 -o cells.npy >/dev/null
expect 0 'the same' "$WADI" compare world.npy cells.npy
"$WADI" generate ridged --size 64x32 --cell-size 100 --feature-size 3000 --octaves 3 --warp 300 -o other.npy --force >/dev/null
expect 1 'cells differ' "$WADI" compare world.npy other.npy
"$WADI" generate noise --size 64x32 --stretch 5 --direction 30 -o beds.npy >/dev/null
"$WADI" generate noise --size 64x32 -o plain.npy >/dev/null
expect 1 'cells differ' "$WADI" compare beds.npy plain.npy
"$WADI" generate noise --size 64x32 --stretch 5 -o upright.npy >/dev/null
expect 1 'cells differ' "$WADI" compare beds.npy upright.npy
"$WADI" generate noise --size 64x32 --stretch 1 -o as-wide.npy >/dev/null
expect 0 'the same' "$WADI" compare as-wide.npy plain.npy
"$WADI" generate range --size 40x30 --cell-size 10 --line '0.25,0.5 0.75,0.5' --width 60 -o range.npy --force >/dev/null
"$WADI" generate range --size 40x30 --cell-size 10 --line '100,150 300,150 m' --width 60 -o metres.npy >/dev/null
expect 0 'the same' "$WADI" compare range.npy metres.npy
for line in '0.5,0.5' '0,0 1' '0,0 1,1 km' '0,0 x,1' '0,0 1,nan' '0,01,1' ' '; do
    expect_error 2 'points like' "$WADI" generate range --size 4x4 --line "$line" -o x.npy
done
expect_error 2 'goes with range, not with ridged' "$WADI" generate ridged --size 4x4 --line '0,0 1,1' -o x.npy
expect_error 2 'goes with kinds of noise, not with cone' "$WADI" generate cone --size 4x4 --octaves 3 -o x.npy
expect_error 2 'goes with kinds of noise and --warp, not with cone' "$WADI" generate cone --size 4x4 --feature-size 3 -o x.npy
expect_error 2 'goes with kinds of noise, not with cone' "$WADI" generate cone --size 4x4 --stretch 3 -o x.npy
expect_error 2 'needs --stretch' "$WADI" generate noise --size 4x4 --direction 30 -o x.npy
"$WADI" generate ramp --size 40x30 -o ramp.npy --force >/dev/null
"$WADI" generate ramp --size 40x30 --direction 90 -o turned.npy >/dev/null
expect 1 'cells differ' "$WADI" compare ramp.npy turned.npy
expect_error 2 'goes with ramp and with stretched noise, not with cone' "$WADI" generate cone --size 4x4 --direction 30 -o x.npy
expect_error 2 'goes with kinds of noise, not with ramp' "$WADI" generate ramp --size 4x4 --stretch 3 -o x.npy
expect_error 2 'a value from 1 to 100' "$WADI" generate noise --size 4x4 --stretch 0.5 -o x.npy
expect_error 2 'there is a --cell-size, too' "$WADI" generate cone --size 4x4 --cell-size 3 --world-size 20 -o x.npy
expect_error 2 'features of 0.5 m cannot be' "$WADI" generate noise --size 4x4 --feature-size 0.5 -o x.npy

expect_error 2 'PICTURE is missing' "$WADI" generate letters --size 4x4 -o x.npy
expect_error 2 'goes with letters' "$WADI" generate cone --from disc.npy --size 4x4 -o x.npy
expect_error 2 'nowhere.png' "$WADI" generate letters --from nowhere.png --size 4x4 -o x.npy
[ ! -e x.npy ] || fail "a refused terrain was begun"

expect_error 2 'did you mean cone?' "$WADI" generate conee --size 4x4 -o x.npy
expect_error 2 'names no format' "$WADI" generate cone --size 4x4 -o x.bmp
expect_error 2 '-o FILE is missing' "$WADI" generate cone --size 4x4
expect_error 2 'exists; --force' "$WADI" generate ramp --size 4x4 -o cone.npy
expect 0 '40 x 30' "$WADI" info cone.npy # as it was
expect 0 'ramp' "$WADI" generate ramp --size 4x4 -o cone.npy --force
expect 0 '4 x 4' "$WADI" info cone.npy
expect_error 3 'would fit' "$WADI" generate cone --size 4000000x4000000 -o huge.npy
[ ! -e huge.npy ] || fail "huge.npy was begun"
