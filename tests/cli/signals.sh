# A command that a signal stops while it writes leaves no file. The next command removes the files of a killed one.
. "$(dirname "$0")/lib.bash"

leftovers() { find . -name '.wadi*'; }
none_left() { [ -z "$(leftovers)" ] || fail "$1: left: $(leftovers)"; }

# Waits until that process writes. File number 0 is the one by which it tests whether it may.
wait_until_it_writes() {
    for ((i = 0; i < 20000; i++)); do
        kill -0 "$1" 2>/dev/null && [ ! -e ".wadi-$1-1.tmp" ] || return 0
        sleep 0.002
    done
}

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

# stopped SIGNAL STATUS FILE COMMAND...: tries again until the signal came before the end
stopped() {
    local signal=$1 status=$2 file=$3
    shift 3
    for _ in 1 2 3 4 5 6 7 8; do
        rm -f "$file"
        stop_writing "$signal" "$@"
        [ $code = 0 ] || break
    done
    [ $code = "$status" ] || fail "SIG$signal, '$*': ended with $code: $(cat out err)"
    [ ! -e "$file" ] || fail "SIG$signal, '$*': $file is there"
}

"$WADI" generate noise --size 800x800 --seed 3 -o hills.npy >/dev/null
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
    env --default-signal=INT,HUP "$WADI" run -o "$@" >out 2>err &
    pid=$!
    for ((i = 0; i < 3000; i++)); do
        kill -0 $pid 2>/dev/null && [ ! -e "$1/checkpoint.wadi" ] || break
        sleep 0.01
    done
}
signal_it() { kill "-$1" $pid 2>/dev/null || true; }
ended() { code=0; wait $pid || code=$?; }

# Ctrl-C pressed twice, or sent by terminal and shell, is one interruption. Its checkpoint is written.
"$WADI" generate noise --size 256x48 --seed 3 -o strip.npy >/dev/null
for _ in 1 2 3 4 5 6 7 8; do
    begin_run haste strip.npy --steps 3000 --rain 0.001
    signal_it INT
    signal_it HUP
    ended
    [ $code = 0 ] || break
done
[ $code = 130 ] || fail "in haste: ended with $code: $(cat out err)"
grep -q 'goes on' err || fail "in haste: does not say how to go on: $(cat err)"
none_left 'in haste'
expect 0 'going on from step' "$WADI" run --resume haste
rm -rf haste

# A second signal later ends the run at once, in the middle of a step. The last checkpoint is complete.
"$WADI" generate noise --size 512x512 --seed 3 -o slow.npy >/dev/null
begin_run later slow.npy --model neidhold2005 --steps 1000 --rain 0.001 --backend reference --threads 1
signal_it INT
sleep 1.2
signal_it INT
ended
[ $code = 130 ] || fail "a second time: ended with $code: $(cat out err)"
none_left 'a second time'
expect 0 '' "$WADI" run --resume later --backend cpu --steps 1 --quiet
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
"$WADI" export hills.npy -o b.obj >/dev/null &
living=$!
wait_until_it_writes $living
kill -STOP $living
"$WADI" generate cone --size 8x8 -o c.r32 >/dev/null
[ "$(leftovers)" = "./.wadi-$living-1.tmp" ] || fail "of the living process there should be one file: $(leftovers)"
kill -9 $living
wait $living 2>/dev/null || true
mkdir other && touch .wadi-1-2.tmp.keep .wadi-mine
"$WADI" generate cone --size 8x8 --force -o other/../c.r32 >/dev/null
[ "$(leftovers | sort | tr '\n' ' ')" = "./.wadi-1-2.tmp.keep ./.wadi-mine " ] || fail "left: $(leftovers)"
rm .wadi-*

# A file beyond the size limit is an error like a full disk.
got=0
said=$( (ulimit -f 100 && "$WADI" generate noise --size 1000x1000 -o big.r32) 2>&1) || got=$?
[ $got = 1 ] || fail "ulimit -f: ended with $got: $said"
[[ $said = 'wadi: big.r32: cannot be written: File too large; make room'* ]] || fail "ulimit -f: $said"
[ ! -e big.r32 ] || fail "big.r32 is there"
none_left 'ulimit -f'

# A closed pipe ends a command silently.
(sleep 0.3 && exec "$WADI" models --json 2>err) | true && fail "it ended with 0 though nobody read"
[ ! -s err ] || fail "it said: $(cat err)"
