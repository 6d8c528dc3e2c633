# labels: once
# A run that was stopped in any way and resumed gives the bits of an undisturbed run.
. "$(dirname "$0")/lib.bash"

# A wide grid has a small preview: previews of all grids are equally wide.
"$WADI" generate diamond-square --size 256x48 --seed 5 -o hills.npy >/dev/null
"$WADI" generate noise --size 256x48 --relief 0.01 -o rain.npy >/dev/null
printf '40,30,3,2\n190,20,0,1,0.5,3\n' >springs.csv
inputs=(hills.npy --maps all --rain @rain.npy --sources springs.csv --pixel --seed 11)
scene=("${inputs[@]}" --steps 1500)

"$WADI" run --no-preview "${scene[@]}" -o whole --quiet

# Ctrl-C, several times. Each time the checkpoint is good, and the message says how to resume.
for signal in INT TERM HUP; do
    for _ in 1 2 3 4 5 6; do
        rm -rf stopped
        begin "${scene[@]}" -o stopped --threads 1
        kill -$signal $pid 2>/dev/null || true
        finish
        [ $code != 130 ] || break
    done
    [ $code = 130 ] || fail "SIG$signal: ended with $code: $(cat err)"
    grep -q 'wadi run --resume stopped goes on' err || fail "does not say how to go on: $(cat err)"
    tail -1 log | grep -q '"event": "interrupted"' || fail "last line: $(tail -1 log)"
    check_json lines log
    [ -e stopped/checkpoint.wadi ] && [ ! -e stopped/run.json ] || fail "$(ls stopped)"
    expect_error 2 'not finished' "$WADI" info stopped
    expect_error 2 'does not go with --resume' "$WADI" run --no-preview --resume stopped --maps all
    expect_error 2 'takes no INPUT' "$WADI" run --no-preview hills.npy --resume stopped
    cp -r stopped copy-$signal
    # --resume does not need the inputs.
    mkdir away && mv hills.npy rain.npy springs.csv away
    expect 0 'going on from step' "$WADI" run --no-preview --resume stopped --threads 2
    mv away/* . && rmdir away
    same_hashes whole stopped
    [ -e stopped/checkpoint.wadi ] || fail "no checkpoint to go on from"
    [ "$(value whole parameters)$(value whole steps)" = "$(value stopped parameters)$(value stopped steps)" ] || fail "run.json"
    expect_error 2 'is complete' "$WADI" run --no-preview --resume stopped
done

# kill -9 after a checkpoint: --resume continues from it.
for _ in 1 2 3 4 5 6; do
    rm -rf killed
    begin "${scene[@]}" -o killed --checkpoint-every 100
    first=$(stat -c %i killed/checkpoint.wadi 2>/dev/null) || continue # done already: again
    while kill -0 $pid 2>/dev/null && [ "$(stat -c %i killed/checkpoint.wadi 2>/dev/null)" = "$first" ]; do sleep 0.005; done
    kill -9 $pid 2>/dev/null || true
    finish 2>/dev/null
    [ $code != 137 ] || [ ! -e killed/checkpoint.wadi ] || break
done
[ $code = 137 ] || fail "kill -9: ended with $code"
expect 0 'going on from step' "$WADI" run --no-preview --resume killed
case $said in *'from step 0 '*) fail "began anew: $said" ;; esac
same_hashes whole killed
[ -z "$(find killed -name '*new*' -o -name '*tmp*')" ] || fail "left: $(ls -A killed)"

# Killed at once: the folder holds the run's definition from the first moment. Another engine continues.
"$WADI" run --no-preview "${inputs[@]}" --steps 60 -o short --quiet
begin "${inputs[@]}" --steps 60 -o early --backend reference
kill -9 $pid 2>/dev/null || true
finish 2>/dev/null
if [ $code = 137 ]; then
    expect 0 '' "$WADI" run --no-preview --resume early --backend cpu --quiet
    [ "$(value early backend)" = '"cpu"' ] || fail "went on with $(value early backend)"
    same_hashes short early
fi

# Stopped twice: random drops and the output format are remembered.
"$WADI" run --no-preview hills.npy -o drops --steps 400 --rain drops:count=5,radius=3,rate=0.02 --format r32 --maps water --quiet
begin hills.npy -o twice --steps 400 --rain drops:count=5,radius=3,rate=0.02 --format r32 --maps water --checkpoint-every 20
kill -9 $pid 2>/dev/null || true
finish 2>/dev/null
if [ ! -e twice/run.json ]; then
    expect 0 '' "$WADI" run --no-preview --resume twice --quiet --checkpoint-every 50
fi
same_hashes drops twice

# Damaged checkpoints are refused, and not changed.
for damage in 'head -c 5000' 'head -c 10' 'tail -c +2' "sed s/d/e/g" 'head -c 0'; do
    rm -rf damaged && cp -r copy-TERM damaged
    $damage copy-TERM/checkpoint.wadi >damaged/checkpoint.wadi
    expect_error 2 'damaged' "$WADI" run --no-preview --resume damaged
    [ -e damaged/checkpoint.wadi ] && [ ! -e damaged/run.json ] || fail "$damage: $(ls damaged)"
done
mkdir nothing
expect_error 2 'holds no run' "$WADI" run --no-preview --resume nothing
[ -z "$(ls -A nothing)" ] || fail "--resume left $(ls -A nothing)"
expect_error 2 'no such run folder' "$WADI" run --no-preview --resume nowhere
