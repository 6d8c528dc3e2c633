# wadi run --memory-limit: a terrain that needs more comes to the same results in slabs, also after a kill.
. "$(dirname "$0")/lib.bash"
if sanitized; then exit 77; fi # test_stream runs the same code

streams() { grep -qE '"device": "[0-9]+ slabs: ' "$1/run.json" || fail "$1: not in slabs"; }

"$WADI" generate diamond-square --size 450x550 --seed 3 --relief 30 -o h.npy >/dev/null
for model in jako2011 schott2023; do
    run() { "$WADI" run --no-preview h.npy --model $model --steps 20 --maps all --quiet "$@"; }
    run -o $model
    run --memory-limit 10M -o $model-slabs
    streams $model-slabs
    same_hashes $model $model-slabs
    run --memory-limit 4G -o $model-slabs --force
    expect 1 '' streams $model-slabs # it fits
done

# Sources, drops, a map and a sea; one stage after the other; and both share the limit.
case $("$WADI" run --no-preview --recipe none.yaml 2>&1 || true) in
*'not built'*) ;;
*)
    cat >all.yaml <<'YAML'
input: h.npy
maps: all
boundary: open
stages:
  - model: jako2011
    steps: 12
    rain: "drops:count=20,radius=3,rate=0.05"
    events:
      - {at: 3, paint: raise, radius_m: 12, strength: 3, dabs: "30.5,39 33,341.25"}
      - {at: 5, set: {Kc: 0.3}}
      - {at: 7, paint: protect, radius_m: 10, strength: 1, dabs: "20,242"}
      - {at: 8, sources: [{x: 24, y: 440, radius_m: 2, rate_m3s: 5}]}
  - model: mei2007
    mask: previous
    steps: 8
YAML
    "$WADI" run --no-preview --recipe all.yaml -o all --quiet
    "$WADI" run --no-preview --recipe all.yaml -o all-slabs --quiet --memory-limit 16M --scratch .
    streams all-slabs
    same_hashes all all-slabs
    # a resumed run shares it too: one stage would fit
    begin --recipe all.yaml --checkpoint-every 4 -o all-killed --memory-limit 16M --scratch .
    until_it 'all-killed/checkpoint.wadi' $pid
    stop KILL
    "$WADI" run --no-preview --resume all-killed --quiet --memory-limit 32M
    streams all-killed
    same_hashes all all-killed
    # and so do all seeds of a recipe that has the keys
    cat - all.yaml >limited.yaml <<'YAML'
memory-limit: 16M
scratch: .
YAML
    "$WADI" run --no-preview --recipe limited.yaml --seeds 1..2 -o seeds --quiet
    streams seeds/seed-1
    streams seeds/seed-2
    "$WADI" run --no-preview --recipe all.yaml --seed 2 -o second --quiet
    same_hashes second seeds/seed-2
    ;;
esac

# Levels share it.
"$WADI" run --no-preview h.npy --levels 2 --steps 12 --quiet -o levels
"$WADI" run --no-preview h.npy --levels 2 --steps 12 --quiet -o levels-slabs --memory-limit 30M # the finest would fit
streams levels-slabs
same_hashes levels levels-slabs

# A run that is killed in the middle of a pass goes on from its last checkpoint, in slabs or not.
"$WADI" run --no-preview h.npy --steps 60 --quiet -o whole
for limit in 6M 4G; do
    begin h.npy --steps 60 --checkpoint-every 10 -o killed --force --memory-limit 6M
    until_it 'killed/checkpoint.wadi' $pid
    stop KILL
    "$WADI" run --no-preview --resume killed --quiet --memory-limit $limit
    same_hashes whole killed
    rm -r killed
done

# A full disk is one line at the start, and nothing is left.
mkdir scratch
full() { (ulimit -f 500; exec "$WADI" run --no-preview h.npy --steps 5 -o full --memory-limit 6M --scratch scratch); }
expect_error 2 'scratch: no room for the scratch file' full
[ ! -e full ] || fail "a folder is left"
[ -z "$(ls -A scratch)" ] || fail "a scratch file is left"

expect_error 2 '--memory-limit' "$WADI" run --no-preview h.npy --memory-limit 0 -o none
expect_error 2 '--memory-limit 4X' "$WADI" run --no-preview h.npy --memory-limit 4X -o none
expect_error 2 'not with --memory-limit' "$WADI" run --no-preview h.npy --memory-limit 6M --parts 2 -o none
expect_error 2 '--scratch nowhere: there is no such folder' "$WADI" run --no-preview h.npy --memory-limit 6M --scratch nowhere -o none
expect_error 2 '--scratch .: needs --memory-limit, or a run in parts' "$WADI" run --no-preview h.npy --scratch . -o none
expect_error 3 'a memory limit of' "$WADI" run --no-preview h.npy --memory-limit 1M -o none
