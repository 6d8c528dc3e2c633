# labels: once
# wadi info, wadi compare, wadi render.
. "$(dirname "$0")/lib.bash"

"$WADI" generate cone --size 20x10 --relief 8 -o cone.npy >/dev/null
"$WADI" generate basin --size 20x10 -o basin.npy >/dev/null
"$WADI" generate cone --size 10x20 -o tall.npy >/dev/null

expect 0 'format   NPY, float32' "$WADI" info cone.npy
for line in 'size     20 x 10 cells of 1 x 1 m' 'crs      none' 'heights  0 to 8 m' 'nodata   0 cells' 'score    ' 'slopes   ' 'drainage ' 'hypsom.  ' 'realism  ' '         concavity ' '         axis power ' 'sha256   '; do
    grep -q "^$line" <<<"$said" || fail "info has no '$line': $said"
done
expect 0 'cells of 3 x 2 m' "$WADI" info cone.npy --cell-size 3,2
"$WADI" info cone.npy --json >info.json
check_json all info.json
for key in slopes_degrees cells_per_degree density_km_per_km2 hypsometry area_above_percent_of_relief; do
    grep -q "\"$key\"" info.json || fail "info --json has no $key"
done
"$WADI" generate ramp --size 50x40 --relief 39 -o ramp.npy >/dev/null
expect 0 'mean 45, median 45, steepest 45 degrees' "$WADI" info ramp.npy
expect 0 'integral 0.500' "$WADI" info ramp.npy
expect 0 'begins at 1e-05 km2' "$WADI" info ramp.npy --channel-area 0.00001
expect 0 'km/km2 (channels of 1.5 km' "$WADI" info ramp.npy --channel-area 0.00001 # 50 columns of 30 m
for measure in concavity hack draining deep_pits axis_power; do
    grep -q "\"$measure\": {" info.json || fail "info --json has no $measure"
done
expect 0 'draining out               100 %      ' "$WADI" info ramp.npy
expect 0 'drain 0.00195 km2; a channel' "$WADI" info ramp.npy --sea-level 0.5 # without the lowest of 40 rows
expect_error 2 'sea-level' "$WADI" info ramp.npy --sea-level nan
expect_error 2 'name it .png' "$WADI" info cone.npy --plot x.jpg
expect_error 2 'two heights are wanted' "$WADI" info cone.npy --height-range 5
expect_error 2 'two heights are wanted' "$WADI" info cone.npy --height-range 5,2
expect_error 2 'holds no run' "$WADI" info .

expect 0 'max 0, rms 0, the same' "$WADI" compare cone.npy cone.npy
expect 1 'cells differ, first (' "$WADI" compare cone.npy basin.npy
expect 0 'within the tolerance' "$WADI" compare cone.npy basin.npy --tolerance 1000
expect 1 '20 x 10 cells against 10 x 20' "$WADI" compare cone.npy tall.npy
# A ramp of 50 x 40 cells, and its means over blocks of 2 x 2: half a step lower or higher in each cell
"$WADI" generate ramp --size 100x80 --relief 39.5 -o fine.npy >/dev/null
expect 0 'height      max 0.' "$WADI" compare ramp.npy fine.npy --tolerance 0.3
expect 0 'correlation 1.0000, within the tolerance' "$WADI" compare fine.npy ramp.npy --tolerance 0.3
expect 1 'correlation -0.7542, 200 cells' "$WADI" compare cone.npy basin.npy
"$WADI" compare cone.npy basin.npy --json >compare.json && fail "compare --json ended with 0" || true
check_json all compare.json
"$WADI" run cone.npy --steps 5 -o a --maps water,flow --quiet
"$WADI" run cone.npy --steps 6 -o b --maps water --quiet
"$WADI" run cone.npy --steps 5 -o c --maps water,flow --quiet
expect 0 'flow        max 0' "$WADI" compare a c
expect 1 'flow: is in a alone' "$WADI" compare a b
for field in height water; do grep -q "^$field  *max " <<<"$said" || fail "compare says nothing of $field: $said"; done
expect 0 'the same' "$WADI" compare a/height.npy c
expect_error 2 'holds no height' "$WADI" compare a .

has_format png || exit 0
expect 0 'pixels' "$WADI" render cone.npy -o cone.png
[ "$(head -c 4 cone.png | tail -c 3)" = PNG ] || fail "cone.png is no PNG"
expect 0 'sha256' "$WADI" info cone.npy --plot plot.png
[ "$(head -c 4 plot.png | tail -c 3)" = PNG ] || fail "plot.png is no PNG"
expect 0 'sha256' "$WADI" info a --plot run-plot.png
"$WADI" info a --json --plot json-plot.png >run.json
check_json all run.json
cmp run-plot.png json-plot.png
expect_error 2 'is the input' "$WADI" info plot.png --plot plot.png
expect 0 '40 x 20 pixels' "$WADI" render cone.npy -o bare.png --no-decoration --scale 2
expect 0 'pixels' "$WADI" render cone.npy -o grey.png --grey --exaggeration 2 --title 'A cone' --threads 1
cmp -s cone.png grey.png && fail "--grey changes nothing"
expect 0 'pixels' "$WADI" render a -o run.png
expect 0 'pixels' "$WADI" render a -o dry.png --no-water
expect 0 'pixels' "$WADI" render a -o flow.png --map flow
cmp -s run.png flow.png && fail "--map flow changes nothing"
"$WADI" run cone.npy --steps 20 -o muddy --maps water,deposition --quiet
expect 0 'pixels' "$WADI" render muddy -o muddy.png
expect 0 'pixels' "$WADI" render muddy -o mei.png --colours mei
cmp -s muddy.png mei.png && fail "--colours mei does not draw deposits"
expect_error 2 'standard or mei' "$WADI" render a -o x.png --colours blue
expect_error 2 'with --3d' "$WADI" render a -o x.png --colours mei --3d
expect_error 2 'holds no velocity' "$WADI" render a -o x.png --map velocity
expect_error 2 'did you mean flow?' "$WADI" render a -o x.png --map flwo
expect_error 2 'this map is a run folder' "$WADI" render cone.npy -o x.png --map flow
expect_error 2 '-o PICTURE is missing' "$WADI" render cone.npy
expect_error 2 'name it .png' "$WADI" render cone.npy -o x.jpg
cp cone.png input.png
expect_error 2 'is the input' "$WADI" render input.png -o input.png
[ ! -e x.png ] || fail "a refused picture was begun"
