# labels: once
# A preset's values follow the terrain's size or its cells, as --scale says; a run.json keeps them.
. "$(dirname "$0")/lib.bash"

"$WADI" generate noise --size 64x64 --cell-size 2 --seed 4 -o coarse.r32 >/dev/null
"$WADI" generate noise --size 128x128 --cell-size 1 --seed 4 -o fine.r32 >/dev/null
parameter() { sed -n "/\"parameters\"/,/}/s/.*\"$2\": \([^,]*\),*/\1/p" "$1/run.json"; }
# ratio A B NAME: of a parameter's values in two runs
ratio() { awk "BEGIN { printf \"%.6g\", $(parameter "$1" "$3") / $(parameter "$2" "$3") }"; }
erode() { "$WADI" run --no-preview "$@" --steps 2 --quiet --force; }

# The same terrain in cells half as large: the physics is the same, the numerics follow.
erode coarse.r32 --size 64x64 --cell-size 2 -o coarse
erode fine.r32 --size 128x128 --cell-size 1 -o fine
for name in Kc Ks Kd Kr cf d_floor Ki; do
    [ "$(ratio coarse fine $name)" = 1 ] || fail "$name changes with the cells: $(ratio coarse fine $name)"
done
for pair in dt:2 A:2 Kt:0.25; do
    [ "$(ratio coarse fine ${pair%:*})" = "${pair#*:}" ] || fail "${pair%:*}: $(ratio coarse fine ${pair%:*})"
done
[ "$(value fine scale)" = '"world"' ] || fail "scale: $(value fine scale)"

# A part of a terrain four times as large. Lengths scale with the size, times with its root.
erode fine.r32 --size 128x128 --cell-size 1 -o part --world-size 512
[ "$(ratio part fine d_floor)" = 4 ] && [ "$(ratio part fine Kc)" = 2 ] || fail "--world-size 512 is not four of 128"

# With scale cell the values follow the cells alone.
erode coarse.r32 --size 64x64 --cell-size 2 -o cells --scale cell
erode fine.r32 --size 128x128 --cell-size 1 -o cell --scale cell
[ "$(ratio cells cell d_floor)" = 2 ] && [ "$(ratio cells cell A)" = 4 ] || fail "--scale cell does not scale by cells"

# The preset says how long in seconds: the finer cells take twice as many steps.
"$WADI" run --no-preview coarse.r32 --size 64x64 --cell-size 2 --dry-run >long 2>&1
"$WADI" run --no-preview fine.r32 --size 128x128 --cell-size 1 --dry-run >longer 2>&1
steps() { sed -n 's/^steps *\([0-9]*\) .*/\1/p' "$1"; }
(($(steps longer) >= 2 * $(steps long) - 1 && $(steps longer) <= 2 * $(steps long) + 1)) || # both are rounded
    fail "$(steps long) steps, then $(steps longer)"

# A run.json names the scale and every value.
erode fine.r32 --size 128x128 --cell-size 1 -o set --world-size 2048 --set Kc=20
case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in *'not built'*) exit 0 ;; esac
"$WADI" run --no-preview --recipe set/run.json -o again --quiet
for name in d_floor Kc A; do [ "$(ratio set again $name)" = 1 ] || fail "$name is not kept"; done
cmp -s set/height.r32 again/height.r32 || fail "a run.json with a scale gives another height"

expect_error 2 'world or cell' "$WADI" run --no-preview fine.r32 --size 128x128 --cell-size 1 -o no --scale metre
expect_error 2 'world-size' "$WADI" run --no-preview fine.r32 --size 128x128 --cell-size 1 -o no --world-size 0
