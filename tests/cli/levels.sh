# Runs from coarse to fine: the same bits on every engine, from a recipe, after an interruption, and from a run.json.
. "$(dirname "$0")/lib.bash"

"$WADI" generate diamond-square --size 81x66 --cell-size 5 --seed 4 -o in.npy >/dev/null
erode() { "$WADI" run --no-preview in.npy --cell-size 5 "$@" --quiet --format npy; }
same() { cmp -s "$1/height.npy" "$2/height.npy" || fail "$1 and $2 differ"; }
differ() { ! cmp -s "$1/height.npy" "$2/height.npy" || fail "$1 and $2 are the same"; }

erode --levels 3 --steps 20 --seed 3 -o cpu --backend cpu --threads 2
erode --levels 3 --steps 20 --seed 3 -o one --backend cpu --threads 1
erode --levels 3 --steps 20 --seed 3 -o reference --backend reference
same cpu one
same cpu reference
if "$WADI" devices 2>/dev/null | grep -q opencl; then
    erode --levels 3 --steps 20 --seed 3 -o opencl --backend opencl
    same cpu opencl
fi
erode --levels 1 --steps 20 --seed 3 -o fine --backend cpu
differ cpu fine

# A coarser level simulates the same time, in fewer steps.
[ "$(value cpu steps)" = 37 ] || fail "steps: $(value cpu steps), not 20 + 11 + 6"
grep -q '"level": 2' cpu/run.json && grep -q '"size": \[21, 17\]' cpu/run.json || fail "run.json has no level 2 of 21 x 17"

# The feature's eighth is the coarsest cell: 20 m.
erode --feature-size 160 --steps 20 --seed 3 -o feature --backend cpu
same cpu feature

# The duration is shared.
"$WADI" run --no-preview in.npy --cell-size 5 --levels 3 --time 300 --dry-run >plan
awk '/^steps/ { time += $(NF - 7) * $(NF - 5) } END { exit !(time > 298 && time < 304) }' plan || fail "not 300 s: $(cat plan)"

# With --steps it says the time step: of all levels together, which make as many steps in schott2023.
"$WADI" run --no-preview in.npy --cell-size 5 --levels 3 --time 60 --steps 123 --dry-run >plan
awk '/^steps/ { time += $(NF - 7) * $(NF - 5); steps = $(NF - 7) } END { exit !(time > 59.8 && time < 61 && steps == 123) }' plan ||
    fail "not 60 s in 123 steps: $(cat plan)"
"$WADI" run --no-preview in.npy --cell-size 5 --model schott2023 --levels 3 --time 7e5 --steps 100 --dry-run >plan 2>/dev/null
awk '/^steps/ { time += $(NF - 7) * $(NF - 5); lines += $(NF - 7) == 100 } END { exit !(time > 699000 && time < 701000 && lines == 3) }' plan ||
    fail "not 7e5 years in 100 steps a level: $(cat plan)"
"$WADI" run --no-preview in.npy --cell-size 5 --model schott2023 --levels 3 --time 7e5 --steps 100 -o both --backend cpu --quiet 2>/dev/null
"$WADI" run --no-preview --recipe both/run.json -o both2 --quiet
cmp -s both/height.tif both2/height.tif || cmp -s both/height.npy both2/height.npy || fail "run.json of --time with --steps gives something else"
erode --model mei2007 --levels 3 --steps 2 --time 0.04 -o few --backend cpu
[ "$(value few simulated_s)" = 0.04 ] || fail "2 steps of 0.04 s in all simulate $(value few simulated_s) s"
expect_error 2 'no steps take no time' "$WADI" run --no-preview in.npy --cell-size 5 --time 3 --steps 0 -o no
expect_error 2 'dt = 2.41332 is outside' "$WADI" run --no-preview in.npy --cell-size 5 --levels 3 --time 300 --steps 40 -o no
expect_error 2 'leave one out' "$WADI" run --no-preview in.npy --cell-size 5 --time 3 --steps 40 --set dt=0.1 -o no

# An interruption at any level, and another number of steps in between.
cuts=(3 17 27)
if sanitized; then cuts=(17); fi
for every in "${cuts[@]}"; do
    erode --levels 3 --steps 20 --seed 3 -o "cut$every" --backend cpu --checkpoint-every "$every"
    same cpu "cut$every"
done
erode --levels 3 --steps 12 --seed 3 -o more --backend cpu
"$WADI" run --no-preview --resume more --steps 8 --quiet
erode --levels 3 --steps 12 --seed 3 -o again --backend cpu
"$WADI" run --no-preview --resume again --steps 3 --quiet
"$WADI" run --no-preview --resume again --steps 5 --quiet
same more again

# Warped on the way up: the same bits on every engine, after an interruption, and from a run.json; and the balance closes.
warped=(--levels 3 --level-warp 0.4 --steps 20 --seed 3)
erode "${warped[@]}" -o bent --backend cpu --threads 2
erode "${warped[@]}" -o bent1 --backend reference
same bent bent1
differ bent cpu
erode "${warped[@]}" -o bent17 --backend cpu --checkpoint-every 17
same bent bent17
erode --levels 3 --level-warp 0.4 --steps 12 --seed 3 -o bent12 --backend cpu --checkpoint-every 5
"$WADI" run --no-preview --resume bent12 --steps 8 --quiet
erode "${warped[@]}" --steps 12 -o bent12b --backend cpu
"$WADI" run --no-preview --resume bent12b --steps 8 --quiet
same bent12 bent12b
"$WADI" run --no-preview --recipe bent/run.json -o bent2 --quiet
same bent bent2
[ "$(value bent level_warp)" = 0.4 ] || fail "run.json has level_warp $(value bent level_warp)"
expect_error 2 'level-warp' "$WADI" run --no-preview in.npy --levels 2 --level-warp 1.1 -o no
expect 0 'one level alone' "$WADI" run --no-preview in.npy --level-warp 0.4 --steps 1 -o alone

# Suspended sediment settles in the outputs. The checkpoint is not settled: more steps go on from there.
erode --steps 40 --maps sediment --settle off -o loose --backend cpu
erode --steps 40 --maps sediment -o settled --backend cpu
differ loose settled
cmp -s loose/sediment.npy settled/sediment.npy || fail "the map of the sediment is not from before it settled"
erode --steps 25 -o part --backend cpu
"$WADI" run --no-preview --resume part --steps 15 --quiet
same settled part
erode --preset paper --steps 10 -o paper --backend cpu
[ "$(value paper settled)" = false ] && [ "$(value settled settled)" = true ] || fail "a paper's preset settles, or another does not"

expect_error 2 'at most 4' "$WADI" run --no-preview in.npy --levels 9 -o no
expect_error 2 'leave one out' "$WADI" run --no-preview in.npy --levels 2 --feature-size 100 -o no

case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in *'not built'*) exit 0 ;; esac
"$WADI" run --no-preview --recipe cpu/run.json -o replay --quiet
same cpu replay
cat >two.yaml <<'TEXT'
input: in.npy
cell-size: 5
levels: 3
hardness: height
seed: 3
stages:
  - repeat: 2
    stages:
    - {model: jako2011, steps: 8, set: {Kc: 2}}
    - {model: olsen2004, preset: talus, steps: 3}
  - {model: mei2007, steps: 6, levels: 1, sources: [{x: 12, y: 60, radius_m: 6, rate_m3s: 3}], pixel: true}
TEXT
"$WADI" run --no-preview --recipe two.yaml -o two --quiet --backend cpu --checkpoint-every 5
"$WADI" run --no-preview --recipe two.yaml -o two-reference --quiet --backend reference
same two two-reference
"$WADI" run --no-preview --recipe two/run.json -o two-again --quiet
same two two-again

# A later stage with the same layers copies their map: the same bits as when they are written otherwise, and made anew.
for relief in 2e-4 0.0002; do
    cat >again.yaml <<TEXT
input: in.npy
cell-size: 5
stages:
  - {model: schott2023, steps: 5, set: {K: {kind: noise, feature-size: 60, base: 1e-4, relief: 2e-4}, U: 0.1}}
  - {model: schott2023, steps: 5, set: {K: {kind: noise, feature-size: 60, base: 1e-4, relief: $relief}, U: 0}}
TEXT
    "$WADI" run --no-preview --recipe again.yaml -o "again$relief" --quiet --format npy 2>/dev/null
done
same again2e-4 again0.0002
hashes() { grep -o '"sha256": "[0-9a-f]*"' "$1/run.json" | sort; }
[ "$(hashes again2e-4)" = "$(hashes again0.0002)" ] || fail "a copied map has another hash"

# Rock that differs from cell to cell on each grid: the same bits on two engines, in parts and from run.json.
cat >grain.yaml <<'TEXT'
input: in.npy
cell-size: 5
levels: 3
model: schott2023
steps: 20
set: {K: {layers: [{value: 1e-4}, {kind: grain, base: 0.3, relief: 1.4, combine: multiply}]}, variety: 0}
TEXT
"$WADI" run --no-preview --recipe grain.yaml -o grain --quiet --backend cpu
"$WADI" run --no-preview --recipe grain.yaml -o grain-reference --quiet --backend reference
same grain grain-reference
"$WADI" run --no-preview --recipe grain.yaml -o grain-parts --quiet --backend cpu --parts 2
same grain grain-parts
"$WADI" run --no-preview --recipe grain/run.json -o grain-again --quiet
same grain grain-again

printf 'input: in.npy\nlevels: 2\nsteps: 5\nevents: [{at: 2, set: {Kc: 1}}]\n' >events.yaml
expect_error 2 'events' "$WADI" run --no-preview --recipe events.yaml -o no

# No solid is lost between levels.
for run in cpu two; do
    value "$run" residual | head -1 | awk '{ exit !($1 < 1 && $1 > -1) }' || fail "$run: residual $(value "$run" residual)"
done
