# labels: once
# wadi blend: heights between before and after.
. "$(dirname "$0")/lib.bash"

"$WADI" generate ridged --size 40x30 --relief 20 --seed 2 -o hills.npy >/dev/null
"$WADI" run --no-preview hills.npy -o out --preset gullies --steps 200 --quiet

for x in 0 0.25 1; do "$WADI" blend out $x -o at$x.npy >/dev/null; done
cmp -s at1.npy out/height.npy || fail "1 is not the height of the run"
expect 0 'within the tolerance' "$WADI" compare hills.npy at0.npy --tolerance 1e-5
# A quarter of the way is three quarters from the other end.
largest() { { "$WADI" compare "$1" "$2" 2>/dev/null || true; } | sed -n 's/^height *max \([^,]*\),.*/\1/p'; }
all=$(largest hills.npy out/height.npy) part=$(largest hills.npy at0.25.npy)
awk "BEGIN { exit !($all > 0.01 && $part / $all > 0.2499 && $part / $all < 0.2501) }" || fail "0.25: $part of $all"

expect_error 2 'from 0 (before) to 1 (after)' "$WADI" blend out 1.5 -o no.npy
expect_error 2 'from 0 (before) to 1 (after)' "$WADI" blend out half -o no.npy
expect_error 2 'is no run folder' "$WADI" blend hills.npy 0.5 -o no.npy
expect_error 2 '-o FILE is missing' "$WADI" blend out 0.5
expect_error 2 'names no format' "$WADI" blend out 0.5 -o no.xyz
expect_error 2 'force' "$WADI" blend out 0.5 -o at1.npy
"$WADI" run --no-preview hills.npy -o bare --preset gullies --steps 5 --maps water --quiet
expect_error 2 'erosion' "$WADI" blend bare 0.5 -o no.npy
[ ! -e no.npy ] || fail "a file was made in spite of an error"
