# labels: once
# Terrain of layers: each way to combine, masks, files, groups, the same in a recipe of a run, and errors with places.
. "$(dirname "$0")/lib.bash"

case $("$WADI" generate --recipe none.yaml -o x.npy 2>&1 || true) in
*'not built'*) exit 77 ;;
esac

# heights FROM TO, layers on standard input: the terrain has these heights
heights() {
    { echo 'size: 40x30' && echo 'layers:' && cat; } >terrain.yaml
    "$WADI" generate --recipe terrain.yaml -o made.npy --force >/dev/null
    expect 0 "heights  $1 to $2 m" "$WADI" info made.npy
}
heights 7 7 <<<'[{value: 3}, {value: 4}]'
heights -1 -1 <<<'[{value: 3}, {value: 4, combine: subtract}]'
heights 12 12 <<<'[{value: 3}, {value: 4, combine: multiply}]'
heights 3 3 <<<'[{value: 3}, {value: 4, combine: min}]'
heights 4 4 <<<'[{value: 3}, {value: 4, combine: max}]'
heights 4 4 <<<'[{value: 3}, {value: 4, combine: replace}]'
heights 9 9 <<<'[{value: 10}, {value: 10, combine: min, smooth: 4}]'
heights 11 11 <<<'[{value: 10}, {value: 10, combine: max, smooth: 4}]'
heights 10 10 <<<'[{value: 10}, {value: 14, combine: min, smooth: 4}]'
heights 125 125 <<<'[{value: 100}, {value: 200, combine: replace, mask: {value: 0.25}}]'
heights 200 200 <<<'[{value: 100}, {value: 200, combine: replace, mask: {value: 3}}]'
heights 100 100 <<<'[{value: 100}, {value: 200, combine: replace, mask: {value: -3}}]'
heights 350 350 <<<'[{value: 300}, {value: 100, mask: {height: [200, 400]}}]'
heights 350 350 <<<'[{value: 300}, {value: 100, mask: [{value: 1}, {value: 0.5, combine: multiply}]}]'
heights 14 14 <<<'[{value: 4}, {layers: [{value: 2}, {value: 3}], base: 5}]'
heights 5 25 <<<'[{layers: [{kind: ramp, relief: 4}, {value: 9}], base: 5, relief: 20}]'
heights 0 60 <<<'[{kind: ramp, relief: 60}, {kind: ramp, combine: multiply}]' # a share of 1 at the top

# One layer is the kind itself. The layers of one kind differ, unless they have one seed.
heights 0 50 <<<'[{kind: ridged, relief: 50, octaves: 3, warp: 2}]'
"$WADI" generate ridged --size 40x30 --relief 50 --octaves 3 --warp 2 -o ridged.npy >/dev/null
expect 0 'the same' "$WADI" compare made.npy ridged.npy
heights 0 0 <<<'[{kind: ridged, relief: 50, seed: 3}, {kind: ridged, relief: 50, seed: 3, combine: subtract}]'
printf 'size: 40x30\nlayers: [{kind: ridged, relief: 50}, {kind: ridged, relief: 50, combine: subtract}]\n' >two.yaml
"$WADI" generate --recipe two.yaml -o two.npy >/dev/null
"$WADI" info two.npy | grep -q 'heights  0 to 0 m' && fail "two layers have one shape"
# The command line overrides the top of the file: another seed changes every layer.
"$WADI" generate --recipe two.yaml --seed 1 -o seed.npy >/dev/null
expect 1 'cells differ' "$WADI" compare two.npy seed.npy
"$WADI" generate --recipe two.yaml --size 20x10 --world-size 400 --relief 8 --base 2 -o small.npy >/dev/null
expect 0 '20 x 10 cells of 20 x 20 m' "$WADI" info small.npy
expect 0 'heights  2 to 10 m' "$WADI" info small.npy

# A line may be a list of points.
heights 0 50 <<<'[{kind: range, line: "0.1,0.5 0.9,0.25 1,0.25", width: 9, relief: 50}]'
mv made.npy text.npy
heights 0 50 <<<'[{kind: range, line: [[0.1, 0.5], [0.9, 0.25], [1, 0.25]], width: 9, relief: 50}]'
expect 0 'the same' "$WADI" compare made.npy text.npy

# A heightmap is a layer: as it is at its own size, and stretched over another. Paths are relative to the file.
mkdir -p sub
printf 'size: 40x30\nlayers: [{file: ../ridged.npy}]\n' >sub/file.yaml
"$WADI" generate --recipe sub/file.yaml -o same.npy >/dev/null
expect 0 'the same' "$WADI" compare same.npy ridged.npy
"$WADI" generate ramp --size 80x60 --relief 59 -o ramp.npy >/dev/null
heights 0.714286 58.2857 <<<'[{file: ramp.npy}]'
heights 3 9 <<<'[{file: ramp.npy, relief: 6, base: 3}]'

# The same in a recipe of a run: generate, input, run.json, and the terrain alone
printf 'generate: {size: 40x30, seed: 4, layers: [{kind: noise, relief: 30}, {file: ridged.npy, mask: {kind: ramp}}]}\n' >run.yaml
printf 'model: olsen2004\nsteps: 3\nformat: r32\n' >>run.yaml
sed 's/^generate/input/' run.yaml >sub.yaml
"$WADI" run --no-preview --recipe run.yaml -o run --quiet
"$WADI" run --no-preview --recipe sub.yaml -o input --quiet
same_hashes run input
(cd run && "$WADI" run --no-preview --recipe ../run/run.json -o ../again --quiet) && fail "a path of run.json is not from the current folder"
"$WADI" run --no-preview --recipe run/run.json -o again --quiet
same_hashes run again
"$WADI" generate --recipe run.yaml -o alone.npy >/dev/null
"$WADI" generate --recipe run/run.json -o recorded.npy >/dev/null
expect 0 'the same' "$WADI" compare alone.npy recorded.npy

# Errors have line and column.
refused() {
    printf '%s\n' "$3" >bad.yaml
    expect_error 2 "bad.yaml:$1: $2" "$WADI" generate --recipe bad.yaml -o x.npy
}
refused 1:11 'relif: a layer has no such key; did you mean relief?' 'layers: [{relif: 3, kind: cone}]'
refused 2:5 'a layer without kind, file, value' $'layers:\n  - {relief: 3}'
refused 1:23 'value: there is a kind, too' 'layers: [{kind: cone, value: 3}]'
refused 1:17 'conee: no such kind' 'layers: [{kind: conee}]'
refused 1:9 'layers: the list is empty' 'layers: []'
refused 1:10 'a layer, a map like' 'layers: [3]'
refused 1:30 'combine sum: add, subtract' 'layers: [{value: 3, combine: sum}]'
refused 1:19 'height: two heights are wanted' 'layers: [{height: [5, 3]}]'
refused 1:21 'octaves: goes with a kind, not with value' 'layers: [{value: 3, octaves: 2}]'
refused 1:24 'size: a layer has no such key' 'layers: [{kind: noise, size: 4x4}]'
refused 1:24 'octaves: belongs in a layer' '{layers: [{value: 3}], octaves: 3}'
refused 2:1 'model: a generator has no such key' $'layers: [{value: 1}]\nmodel: mei2007'
refused 1:27 'mask: a list of layers' 'layers: [{value: 1, mask: 3}]'
refused 1:10 'line 3: points like' 'layers: [{kind: range, line: "3"}]'
refused 1:31 'a point, as in' 'layers: [{kind: range, line: [3, 4]}]'
refused 1:10 'line 3,4: points like' 'layers: [{kind: range, line: [[3, 4]]}]'
refused 1:10 'nowhere.npy' 'layers: [{file: nowhere.npy}]'
refused 1:10 'features of 0.5 m' 'layers: [{kind: noise, feature-size: 0.5}]'
refused 1:41 'layers: layers within layers, 4 deep' 'layers: [{layers: [{layers: [{layers: [{layers: [{value: 1}]}]}]}]}]'
refused 1:1 'generates no terrain' 'input: hills.npy'
expect_error 2 'the recipe says what to generate' "$WADI" generate cone --recipe two.yaml -o x.npy
expect_error 2 'KIND is missing' "$WADI" generate --size 4x4 -o x.npy
expect_error 2 'each has its own octaves' "$WADI" generate --recipe two.yaml --octaves 3 -o x.npy
expect_error 2 'none.yaml' "$WADI" generate --recipe none.yaml -o x.npy
expect_error 3 'would fit' "$WADI" generate --recipe two.yaml --size 4000000x4000000 -o x.npy
[ ! -e x.npy ] || fail "a refused terrain was begun"

# A parameter's map of layers. An even one is the number; masks by height look at the terrain.
"$WADI" generate ramp --size 24x32 --relief 31 --cell-size 20 --force -o ramp.npy >/dev/null
of_k() { # of_k FOLDER VALUE: a run whose recipe sets K to it
    printf 'input: ramp.npy\nstages: [{model: schott2023, steps: 30, set: {K: %s}}]\n' "$2" >k.yaml
    "$WADI" run --no-preview --recipe k.yaml -o "$1" --quiet --maps none --format r32
}
of_k number 2e-5
of_k even '{value: 2e-5}'
same_hashes number even
"$WADI" run --no-preview ramp.npy --model schott2023 --steps 30 --set 'K=@{value: 2e-5}' -o option --quiet --maps none --format r32
same_hashes number option
of_k below '{layers: [{value: 2e-5}, {value: 4e-5, mask: {height: [15, 15.5]}}]}' # where the ramp is higher
"$WADI" generate ramp --size 24x32 --relief 31 -o share.npy >/dev/null
printf 'size: 24x32\nlayers: [{value: 2e-5}, {value: 4e-5, mask: {layers: [{file: share.npy}, {value: 15, combine: subtract}, {value: 2, combine: multiply}]}}]\n' >k-map.yaml
"$WADI" generate --recipe k-map.yaml -o k.npy >/dev/null
of_k file '"@k.npy"'
same_hashes below file
# Another terrain has other rock, and run.json makes the same again.
printf 'generate: {kind: noise, size: 24x32, cell-size: 20, seed: 5}\nstages: [{model: schott2023, steps: 30, set: {K: {kind: noise, feature-size: 200, base: 1e-5, relief: 2e-5}}}]\n' >rock.yaml
"$WADI" run --no-preview --recipe rock.yaml -o rock --quiet --maps none
"$WADI" run --no-preview --recipe rock/run.json --strict-inputs -o rock-again --quiet --maps none
same_hashes rock rock-again
"$WADI" run --no-preview --recipe rock.yaml --seeds 5..6 -o rocks --quiet --maps none
hash_of_k() { sed -n '/"K": {$/,/sha256/s/.*"sha256": "\([0-9a-f]*\)".*/\1/p' "$1"; }
[ -n "$(hash_of_k rock/run.json)" ] || fail "run.json has no hash of K"
[ "$(find rocks -name run.json | while read -r file; do hash_of_k "$file"; done | sort -u | wc -l)" = 2 ] || fail "two seeds have the same rock"
refused_k() { # refused_k COLUMN MESSAGE VALUE
    printf 'input: ramp.npy\nstages: [{model: schott2023, steps: 30, set: {K: %s}}]\n' "$3" >k.yaml
    expect_error 2 "k.yaml:2:$1: $2" "$WADI" run --no-preview --recipe k.yaml -o none
}
of_k fine '{kind: noise, feature-size: 19, base: 1e-5, relief: 2e-5}' # less than a cell
same_hashes number fine
expect 0 'counts as the middle of its range' "$WADI" run --no-preview --recipe k.yaml -o fine --force
# Other kinds keep their form, and a warp its cells.
of_k plain '{kind: range, line: "0,0.5 1,0.5", width: 200, base: 1e-5, relief: 2e-5}'
of_k warped '{kind: range, line: "0,0.5 1,0.5", width: 200, base: 1e-5, relief: 2e-5, warp: 5, feature-size: 15}'
[ "$(hash_of_k plain/run.json)" != "$(hash_of_k warped/run.json)" ] || fail "a fine warp does nothing"
[ "$(hash_of_k warped/run.json)" != "$(hash_of_k even/run.json)" ] || fail "a fine warp makes an even map"
of_k group '{layers: [{value: 2e-5}], warp: 5, feature-size: 15}'
same_hashes number group
mkdir -p deeper && printf 'input: ../ramp.npy\nstages: [{model: schott2023, steps: 30, mask: "{value: 1}"}]\n' >deeper/mask.yaml
"$WADI" run --no-preview --recipe deeper/mask.yaml -o masked --quiet --maps none --format r32
printf 'input: ramp.npy\nstages: [{model: schott2023, steps: 30}]\n' >none.yaml
"$WADI" run --no-preview --recipe none.yaml -o unmasked --quiet --maps none --format r32
same_hashes masked unmasked
refused_k 57 'noize: no such kind' '{kind: noize}'
refused_k 51 'relif: a layer has no such key' '{relif: 3, kind: noise}'
refused_k 50 'K: a number, a choice, @FILE or a layer is wanted' '[1, 2]'
refused_k 47 'set K: its layers: ' '{value: -1}'
expect_error 2 'this parameter is one number' "$WADI" run --no-preview ramp.npy --model schott2023 --set 'm=@{value: 1}' -o none
expect_error 2 'set K:1:8: noize' "$WADI" run --no-preview ramp.npy --model schott2023 --set 'K=@{kind: noize}' -o none
[ ! -e none ] || fail "a refused run was begun"
