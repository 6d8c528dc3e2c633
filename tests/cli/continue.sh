# A run gets more steps after its end, or after a stop. Bits, balance and recipe are those of one longer run.
. "$(dirname "$0")/lib.bash"

"$WADI" generate diamond-square --size 64x48 --seed 5 -o hills.npy >/dev/null
printf '40,30,3,2\n50,20,0,1,0.5,3\n' >springs.csv

# run.json without the lines that differ between equal runs
facts() { grep -vE '"(command|threads|wall_s|cell_steps_per_s|peak_memory_bytes)"' "$1/run.json"; }
same_facts() {
    same_hashes "$1" "$2"
    [ "$(facts "$1")" = "$(facts "$2")" ] || fail "$1 and $2: $(diff <(facts "$1") <(facts "$2"))"
}

# Every model, with all that lasts between steps: flows, mean discharge, balance, counters of random rain
for model in $(models_to_run); do
    scene=(hills.npy --model "$model" --levels 1 --maps all --quiet --rain "drops:count=5,radius=3,rate=0.02" --sources springs.csv --pixel)
    "$WADI" run --no-preview "${scene[@]}" --steps 70 -o $model
    "$WADI" run --no-preview "${scene[@]}" --steps 30 -o $model-more
    expect 0 'going on from step 30 of 45' "$WADI" run --no-preview --resume $model-more --steps 15
    "$WADI" run --no-preview --resume $model-more --steps 25 --quiet --threads 2
    same_facts $model $model-more
done
# The recipe is that of the whole run.
"$WADI" run --no-preview --recipe jako2011-more/run.json -o again --quiet
same_hashes jako2011 again
expect_error 2 'is complete, 70 steps; --steps N makes N more' "$WADI" run --no-preview --resume again

# A time instead of steps. Both together are refused.
"$WADI" run --no-preview hills.npy --maps all --steps 30 -o timed --quiet
dt=$(sed -n 's/.*"dt": \([^,]*\),/\1/p' timed/run.json)
expect 0 'from step 30 of 70' "$WADI" run --no-preview --resume timed --time "$(awk "BEGIN { print 40 * $dt }")"
"$WADI" run --no-preview hills.npy --maps all --steps 70 -o long --quiet
same_facts long timed
expect_error 2 'leave one out' "$WADI" run --no-preview --resume timed --steps 3 --time 3

# A run that would take hours
endless="--steps 100000000 --quiet"
# An unfinished run: the steps count from where it stopped. They are fewer or more than were left.
begin hills.npy --maps all -o stopped $endless
stop INT
done_steps=$(sed -n 's/.*"interrupted", "step": \([0-9]*\),.*/\1/p' log)
[ -n "$done_steps" ] || fail "not stopped: $(cat log err)"
expect 0 "from step $done_steps of $((done_steps + 7))" "$WADI" run --no-preview --resume stopped --steps 7
[ "$(value stopped steps)" = $((done_steps + 7)) ] || fail "$(value stopped steps) steps"
"$WADI" run --no-preview --recipe stopped/run.json --quiet -o stopped-again
same_hashes stopped stopped-again

# The continued run is killed. The earlier result is still good, and the same command continues from it.
"$WADI" run --no-preview hills.npy --maps all --steps 30 -o first --quiet
cp -r first kept
begin --resume kept $endless
stop KILL
same_facts first kept
expect 0 '' "$WADI" run --no-preview --resume kept --steps 40 --quiet
same_facts long kept
# A continued run that was interrupted knows its new end.
"$WADI" run --no-preview hills.npy --steps 30 --maps all --quiet -o interrupted
begin --resume interrupted $endless
stop INT
same_facts first interrupted
expect 0 'of ' "$WADI" run --no-preview --resume interrupted --steps 0
[ "$(value interrupted steps)" -ge 30 ] || fail "$(value interrupted steps) steps"

# The disk is full when the results are written. The last steps are not lost.
"$WADI" run --no-preview hills.npy --maps all --steps 30 -o full --quiet
if ! (ulimit -f 200 && "$WADI" run --no-preview --resume full --steps 40 --quiet) 2>err; then
    expect 0 'from step 70 of 70' "$WADI" run --no-preview --resume full
    same_facts long full
fi

# Of stages in sequence, the last is made longer.
cat >turns.yaml <<'YAML'
input: hills.npy
maps: all
stages:
  - {model: jako2011, steps: 20}
  - {model: mei2007, steps: 10, rain: {count: 5, radius: 3, rate: 0.02}}
YAML
sed 's/steps: 10/steps: 25/' turns.yaml >longer.yaml
if "$WADI" run --no-preview --recipe turns.yaml -o turns --quiet 2>err; then
    "$WADI" run --no-preview --recipe longer.yaml -o longer --quiet
    "$WADI" run --no-preview --resume turns --steps 15 --quiet
    same_facts longer turns
    # A last stage without steps is now run.
    sed 's/steps: 10/steps: 0/' turns.yaml >none.yaml
    "$WADI" run --no-preview --recipe none.yaml -o none --quiet
    "$WADI" run --no-preview --resume none --steps 25 --quiet
    same_facts longer none
    # Where the last stages take turns, none can be made longer. A length that ends before an event is refused.
    printf 'input: hills.npy\nstages:\n  - repeat: 2\n    stages:\n      - {model: jako2011, steps: 2}\n' >repeated.yaml
    "$WADI" run --no-preview --recipe repeated.yaml -o repeated --quiet
    expect_error 2 'are repeated' "$WADI" run --no-preview --resume repeated --steps 5
    printf 'input: hills.npy\nsteps: 100000000\nevents: [{at: 90000000, set: {Kc: 0.3}}]\n' >events.yaml
    begin --recipe events.yaml --quiet -o events
    stop INT
    expect_error 2 'before the event at step 90000000' "$WADI" run --no-preview --resume events --steps 5
else
    grep -q 'libfyaml' err || fail "$(cat err)"
fi
