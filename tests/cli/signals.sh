# labels: once
# A command that a signal stops while it writes leaves no file. The next command removes the files of a killed one.
. "$(dirname "$0")/lib.bash"

leftovers() { find . -name '.wadi*'; }
none_left() { [ -z "$(leftovers)" ] || fail "$1: left: $(leftovers)"; }

# Temporary file 0 is the write probe; file 1 is the output.
wait_until_it_writes() { until_it ".wadi-$1-1.tmp" "$1"; }

# stop_writing SIGNAL COMMAND...: sends the signal when the command has begun to write. `code` is the exit code.
stop_writing() {
    local signal=$1
    shift
    # Background jobs of a shell ignore INT.
    env --default-signal=INT,HUP "$@" >out 2>err &
    pid=$!
    wait_until_it_writes $pid
    kill -"$signal" $pid 2>/dev/null || true
    code=0
    wait $pid 2>/dev/null || code=$?
}

# stopped SIGNAL STATUS FILE COMMAND...: until it was in time. A file that is there had been finished before the signal.
stopped() {
    local signal=$1 status=$2 file=$3
    shift 3
    for ((t = 0; t < tries; t++)); do
        rm -f "$file"
        stop_writing "$signal" "$@"
        [ $code = 0 ] || [ $code = "$status" ] || fail "SIG$signal, '$*': ended with $code: $(cat out err)"
        [ -e "$file" ] || break
        cmp "$file" "whole.$file" || fail "SIG$signal, '$*': a part of $file is there"
    done
    [ ! -e "$file" ] || fail "SIG$signal, '$*': was never in time"
    [ $code = "$status" ] || fail "SIG$signal, '$*': ended with 0 without $file"
}

"$WADI" generate noise --size 800x800 --seed 3 -o hills.npy >/dev/null
"$WADI" generate noise --size 2000x2000 -o whole.a.r32 >/dev/null
"$WADI" export hills.npy -o whole.a.obj >/dev/null
ln whole.a.obj whole.b.obj
if has_format png; then "$WADI" render hills.npy --scale 3 -o whole.a.png >/dev/null; fi
for signal in INT TERM HUP; do
    stopped $signal 130 a.r32 "$WADI" generate noise --size 2000x2000 -o a.r32
    stopped $signal 130 a.obj "$WADI" export hills.npy -o a.obj
    none_left "SIG$signal"
    if has_format png; then
        stopped $signal 130 a.png "$WADI" render hills.npy --scale 3 -o a.png
        none_left "SIG$signal"
    fi
done

# begin_run FOLDER OPTIONS...: starts a run in the background and waits for its first checkpoint. `pid` is its process.
begin_run() {
    rm -rf "$1"
    env --default-signal=INT,HUP "$WADI" run --no-preview -o "$@" >out 2>err &
    pid=$!
    until_it "$1/checkpoint.wadi" $pid
}
until_it_says() {
    while kill -0 "$2" 2>/dev/null && ! grep -q "$1" out; do short_rest; done
}
signal_it() { kill "-$1" $pid 2>/dev/null || true; }
ended() { code=0; wait $pid || code=$?; }

now_ms() { echo $((${EPOCHREALTIME/[.,]/} / 1000)); }

# Ctrl-C pressed twice, or sent by the terminal and the shell: one interruption, whose checkpoint is written.
"$WADI" generate noise --size 256x48 --seed 3 -o strip.npy >/dev/null
for ((t = 0; t < tries; t++)); do
    begin_run haste strip.npy --steps 3000 --rain 0.001
    first=$(now_ms)
    signal_it INT
    signal_it HUP
    second=$(now_ms)
    ended
    ((code == 0 || second - first > 500)) || break # a second later it would count as another
done
[ $code = 130 ] || fail "in haste: ended with $code: $(cat out err)"
grep -q 'goes on' err || fail "in haste: does not say how to go on: $(cat err)"
none_left 'in haste'
expect 0 'going on from step' "$WADI" run --no-preview --resume haste
rm -rf haste

# A second signal later ends the run at once, in the middle of a step, and the last checkpoint is whole. A step takes
# several seconds here. A run that ends between steps says how to go on: then the first signal came before the step.
"$WADI" generate noise --size 1024x1024 --seed 3 -o slow.npy >/dev/null
for ((t = 1; t < tries; t++)); do
    begin_run later slow.npy --model neidhold2005 --steps 1000 --rain 0.001 --backend reference --threads 1 --json
    until_it_says '"start"' $pid
    sleep $((t / 3)).$((t % 3 * 3))
    signal_it INT
    sleep 1.5
    signal_it INT
    ended
    grep -q 'goes on' err || break
done
[ $code = 130 ] || fail "a second time: ended with $code: $(cat out err)"
! grep -q 'goes on' err || fail "a second time: never in a step: $(cat err)"
none_left 'a second time'
expect 0 '' "$WADI" run --no-preview --resume later --backend cpu --steps 1 --quiet
rm -rf later

# A signal that was ignored at the start stays ignored (nohup).
(
    trap '' HUP
    exec "$WADI" export hills.npy -o a.obj >out 2>&1
) &
pid=$!
wait_until_it_writes $pid
kill -HUP $pid 2>/dev/null || true
wait $pid || fail "with SIGHUP ignored it ended with $?: $(cat out)"
[ -e a.obj ] || fail "no a.obj"

# After kill -9 the next command in that folder removes the leftovers, but no file of a living process.
stopped KILL 137 b.obj "$WADI" export hills.npy -o b.obj
[ -n "$(leftovers)" ] || fail "kill -9 left nothing, so nothing is tried"
# stop_while_it_writes COMMAND...: in the background, stopped with its temporary file; `living` is its process. An empty
# file may not be locked yet, so others may remove it.
is_stopped() { read -r _ _ state _ <"/proc/$1/stat" && [ "$state" = T ]; }
stop_while_it_writes() {
    for ((t = 0; t < tries; t++)); do
        rm -f b.obj
        "$@" >/dev/null &
        living=$!
        wait_until_it_writes $living
        while kill -0 $living 2>/dev/null && [ ! -s ".wadi-$living-1.tmp" ]; do :; done
        kill -STOP $living 2>/dev/null || true
        until is_stopped $living 2>/dev/null; do kill -0 $living 2>/dev/null || break; done
        [ ! -s ".wadi-$living-1.tmp" ] || return 0
        end_living
    done
    fail "'$*' was never stopped in time"
}
end_living() {
    kill -9 $living
    wait $living 2>/dev/null || true
}
trap 'kill -9 $living 2>/dev/null || true' EXIT # a stopped process would outlive a failure
stop_while_it_writes "$WADI" export hills.npy -o b.obj
"$WADI" generate cone --size 8x8 -o c.r32 >/dev/null
[ "$(leftovers)" = "./.wadi-$living-1.tmp" ] || fail "of the living process there should be one file: $(leftovers)"
end_living
trap - EXIT
mkdir other && touch .wadi-1-2.tmp.keep .wadi-mine
"$WADI" generate cone --size 8x8 --force -o other/../c.r32 >/dev/null
[ "$(leftovers | sort | tr '\n' ' ')" = "./.wadi-1-2.tmp.keep ./.wadi-mine " ] || fail "left: $(leftovers)"
rm .wadi-*

# a file beyond the limit is an error like a full disk
expect_error 1 'wadi: big.r32: cannot be written: File too large; make room' \
    bash -c 'ulimit -f 100 && exec "$@"' bash "$WADI" generate noise --size 1000x1000 -o big.r32
[ ! -e big.r32 ] || fail "big.r32 is there"
none_left 'ulimit -f'

# a reader that goes ends a command silently
{ until_it reader-is-gone $$ && exec "$WADI" models --json 2>err; } | { exec <&- && touch reader-is-gone; } &&
    fail "it ended with 0 though nobody read"
[ ! -s err ] || fail "it said: $(cat err)"
