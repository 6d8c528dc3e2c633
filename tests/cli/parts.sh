# labels: once
# wadi run --parts and --devices: the results of one part, with events, levels and two models, and on resuming.
. "$(dirname "$0")/lib.bash"

# In parts: `run OPTIONS...` has used as many as it was told.
uses() { grep -q "\"device\": \"$1 parts: " "$2/run.json" || fail "$2: not $1 parts"; }

"$WADI" generate diamond-square --size 48x80 --seed 3 --relief 30 -o h.npy >/dev/null
for model in $(models); do
    run() { "$WADI" run --no-preview h.npy --model $model --steps 40 --maps all --quiet --rain drops:count=20,radius=3,rate=0.05 "$@"; }
    run -o $model
    run --parts 3 -o $model-3
    uses 3 $model-3
    same_hashes $model $model-3
    expect 0 'the same' "$WADI" compare $model $model-3
done

# From coarse to fine; a coarse grid has fewer parts
"$WADI" run --no-preview h.npy --levels 3 --steps 40 --quiet -o levels
"$WADI" run --no-preview h.npy --levels 3 --steps 40 --quiet -o levels-5 --parts 5
same_hashes levels levels-5

# Any number of parts goes on with what another number has begun.
"$WADI" run --no-preview h.npy --steps 30 --quiet -o more --parts 2
"$WADI" run --no-preview --resume more --steps 10 --quiet --parts 5
uses 5 more
"$WADI" run --no-preview h.npy --steps 40 --quiet -o whole
same_hashes whole more

# The fields of the whole may lie in files.
"$WADI" run --no-preview h.npy --steps 40 --quiet -o files --parts 3 --scratch .
uses 3 files
same_hashes whole files
"$WADI" generate cone --size 512x512 -o large.npy >/dev/null
needs() { "$WADI" run large.npy -o none --dry-run --parts 3 --json "$@" | sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p'; }
(($(needs) - $(needs --scratch .) > 5 * 512 * 512 * 4)) || fail "whole maps in files count as memory: $(needs), $(needs --scratch .)"
expect_error 2 '--scratch nowhere: there is no such folder' "$WADI" run --no-preview h.npy --parts 3 --scratch nowhere -o none

expect_error 2 '--parts' "$WADI" run --no-preview h.npy --parts 0 -o none
expect_error 2 '--parts' "$WADI" run --no-preview h.npy --parts 17 -o none
expect_error 2 '--devices 0,1: needs --backend' "$WADI" run --no-preview h.npy --devices 0,1 -o none
expect_error 2 '--devices 0,1: needs --backend' "$WADI" run --no-preview h.npy --backend cpu --devices 0,1 -o none

# A device may have two parts.
if "$WADI" devices --json | grep -q '"opencl"'; then
    on() { "$WADI" run --no-preview h.npy --model mei2007 --steps 40 --quiet --no-tune --backend opencl "$@"; }
    "$WADI" run --no-preview h.npy --model mei2007 --steps 40 --quiet -o here
    on --devices 0,0 -o there
    uses 2 there
    same_hashes here there
    on --devices all -o there --force
    same_hashes here there
    expect_error 2 '--device 99: opencl has' on --devices 0,99 -o none
    expect_error 2 '--devices 0,x: numbers are wanted' on --devices 0,x -o none
    expect_error 2 '--devices 0,: numbers are wanted' on --devices 0, -o none
    expect_error 2 'with --parts' on --devices 0,0 --parts 2 -o none
    expect_error 2 'with --device' on --devices 0,0 --device 0 -o none
fi

# A recipe with events
case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in *'not built'*) exit 0 ;; esac
cat >all.yaml <<'YAML'
input: h.npy
maps: all
stages:
  - model: jako2011
    steps: 40
    events:
      - {at: 0, paint: raise, radius_m: 12, strength: 3, dabs: "30.5,39 33,41.25"}
      - {at: 10, set: {Kc: 0.3}}
      - {at: 10, set: {advection: semi-lagrangian}}
      - {at: 10, paint: rain, radius_m: 12, strength: 0.01, falloff: 1, dabs: "20,40"}
      - {at: 22, sources: [{x: 24, y: 40, radius_m: 2, rate_m3s: 5}]}
      - {at: 30, paint: protect, radius_m: 10, strength: 1, dabs: "20,42"}
      - {at: 35, rain: {count: 3, radius: 2, rate: 0.01}}
  - model: schott2023
    mask: previous
    steps: 20
YAML
"$WADI" run --no-preview --recipe all.yaml -o all --quiet
for parts in 2 3 5; do
    "$WADI" run --no-preview --recipe all.yaml -o all-$parts --quiet --parts $parts
    uses $parts all-$parts
    same_hashes all all-$parts
done
"$WADI" run --no-preview --recipe all-5/run.json -o again --quiet
same_hashes all again
