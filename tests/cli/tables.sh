# labels: once
# wadi models, presets and devices: tables for people, and JSON.
. "$(dirname "$0")/lib.bash"

[ "$(models | wc -l)" -ge 2 ] || fail "too few models: $(models)"
for model in $(models); do
    expect 0 "$model" "$WADI" models
    expect 0 'time-step' "$WADI" models $model
    expect 0 'rain' "$WADI" models $model
    expect 0 "$model" "$WADI" presets
    "$WADI" models $model --json >one.json
    check_json all one.json
    grep -q '"name": "dt"' one.json || fail "no dt in $model's JSON"
done
"$WADI" models --json >models.json
"$WADI" presets --json >presets.json
"$WADI" presets valleys --json >valleys.json
"$WADI" devices --json >devices.json
for file in models presets valleys devices; do check_json all $file.json; done

expect 0 'Kc ' "$WADI" presets valleys
expect 0 'gullies' "$WADI" presets --model mei2007
case $said in *valleys*) fail "mei2007 lists jako2011's presets" ;; esac
expect 0 'cpu 0' "$WADI" devices
for backend in reference opencl cuda; do
    grep -q "^$backend " <<<"$said" || fail "devices does not name $backend: $said"
    grep -q "\"backend\": \"$backend\"" devices.json || fail "devices --json does not name $backend"
done

expect_error 2 'jako2011' "$WADI" models jako2012
expect_error 2 'valleys' "$WADI" presets valeys
expect_error 2 'mei2007' "$WADI" presets --model mei2006

# A run without a length takes its preset's steps, in a recipe too.
"$WADI" generate cone --size 8x8 -o cone.npy >/dev/null
"$WADI" run --no-preview cone.npy --preset terraces -o terraces --quiet
[ "$(value terraces steps)" = 100 ] || fail "terraces: $(value terraces steps) steps"
printf 'input: cone.npy\npreset: talus\n' >talus.yaml
case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in *'not built'*) exit 0 ;; esac
"$WADI" run --no-preview --recipe talus.yaml -o talus --quiet
[ "$(value talus steps)" = 500 ] || fail "talus: $(value talus steps) steps"

# The preset depends on the place of a terrain, not on the format that holds it.
for file in place.npy place.tif; do
    case $("$WADI" generate cone --size 8x8 --cell-size 8 -o $file 2>&1 || true) in *'not built'*) continue ;; esac
    "$WADI" run --no-preview $file --cell-size 8 --steps 1 -o of-$file --quiet
    grep -q '"preset": "valleys"' of-$file/run.json || fail "$file: $(grep -m1 preset of-$file/run.json)"
done
