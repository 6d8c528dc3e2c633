#!/usr/bin/env bash
# labels: torture
# Commands get SIGKILL, SIGTERM (also TWICE), SIGINT and SIGHUP at random moments, which follow from the seed. A moment is
# a time or, on 64-bit Linux, the n-th call that deals with files (fault.c). Afterwards:
#     - Files that existed before are unchanged.
#     - No temporary file is left. After SIGKILL the next command removes it.
#     - `run --resume` or the same command again gives the result of an undisturbed run.
# Of two simultaneous `run --resume`, one continues and one is refused. A `run --force` during a run is refused too.
#
#     kills.sh                       runs for TORTURE_SECONDS
#     kills.sh CASE SIGNAL MS        sends the signal after MS milliseconds, as a WRONG line names it
#     kills.sh CASE SIGNAL at N      sends it before the n-th call
. "$(dirname "$0")/lib.bash"

make_base 256x16

# begin COMMAND...: starts the command in the background in `case`. Waits until it prints '"event": "start"', for half a
# minute at most. `pid` is its process, and its output is in `log`.
begin() {
    local tries
    (cd case && exec "${usual_signals[@]}" "$@" --json >../log 2>&1 </dev/null) &
    pid=$!
    for ((tries = 0; tries < 3000; tries++)); do
        grep -q '"start"' log 2>/dev/null && return
        kill -0 "$pid" 2>/dev/null || return
        sleep 0.01
    done
}
end_of() { wait "$1" 2>/dev/null; }

# Makes `stopped` in base: a run that was stopped before its end. A fast machine needs more steps.
for ((steps = 3000; steps < 1000000; steps *= 2)); do
    fresh
    begin "$WADI" run in.npy --steps $steps --maps all --backend cpu --threads 1 -o stopped
    kill -TERM "$pid" 2>/dev/null
    end_of "$pid"
    is_stopped case/stopped && break
done
is_stopped case/stopped || fail "no run was stopped: $(cat log)"
cp -r case/stopped base/stopped
before=$(state base)

few="--maps all --backend cpu --threads 1 --quiet"
add_case run run in.npy -o out --steps 600 $few --checkpoint-every 30
add_case run-short run in.npy -o out --steps 3 $few --checkpoint-every 1
add_case run-force run in.npy -o old --steps 300 $few --force
add_case run-resume run --resume stopped --threads 1 --backend cpu --quiet --checkpoint-every 100
add_case run-recipe run --recipe stages.yaml -o out --threads 1 --backend cpu --quiet
add_case generate generate noise --size 700x500 -o made.npy
add_case export export old -o mesh.obj
for format in tif exr png; do
    (cd base && "$WADI" generate noise --size 24x8 -o probe.$format >/dev/null 2>&1) || continue # not built
    rm "base/probe.$format"
    add_case "generate-$format" generate noise --size 700x500 -o "made.$format"
    [ "$format" = png ] || continue
    add_case render render old -o picture.png
    add_case info-plot info old --plot plot.png
done

if command -v ffmpeg >/dev/null; then add_case run-video run in.npy -o out --video film.mp4 --every 20 --steps 200 $few; fi

declare -A took calls
measure_time() {
    local begun
    begun=$(date +%s%N)
    measure "$1"
    took[$1]=$((($(date +%s%N) - begun) / 1000000 + 1))
    [ -e "$library" ] || return
    fresh
    in_case with_fault none 0 EIO 0 "$WADI" ${cases[$1]}
    calls[$1]=$(awk '$1 != "memory" && $1 != "map" { sum += $2 } END { print sum }' count)
    ((calls[$1])) || fail "$library counts no calls"
}

# Sends the signal after MS milliseconds. The code is 128 plus the signal's number where the signal ended the command.
kill_after() {
    (cd case && exec "${usual_signals[@]}" "$WADI" ${cases[$name]} >../said 2>../errors </dev/null) &
    local pid=$!
    sleep "$(printf '%d.%03d' $(($2 / 1000)) $(($2 % 1000)))"
    kill "-${1/TWICE/TERM}" $pid 2>/dev/null
    [ "$1" != TWICE ] || kill -TERM $pid 2>/dev/null
    end_of $pid
}

# try CASE SIGNAL MS | try CASE SIGNAL at N: one signal
try() {
    name=$1 what="kills.sh $*"
    local signal=$2 code said
    ((++tried))
    fresh
    if [ "$3" = at ]; then
        in_case with_fault files "$4" "$signal" 0 "$WADI" ${cases[$name]}
    else
        kill_after "$signal" "$3"
    fi
    code=$?
    said=$(grep -v '^wadi: \(note\|warning\): ' errors)
    if [ "$code" = "${wants[$name]}" ] && [ "$code" = 0 ]; then
        is_whole || wrong "ended well with another result: $(differences)"
        return
    fi
    case $signal-$code in
    KILL-137 | TERM-143 | TWICE-143 | INT-130 | HUP-129 | *-130) ;;
    *) wrong "ended with $code: $said" || return ;;
    esac
    if [ "$signal" = KILL ]; then check_folder '*.wadi-*' || return; else check_folder || return; fi
    check_again
}

signals=(KILL TERM INT HUP TWICE)
try_one() {
    local name signal
    random ${#cases[@]} && name=${names[chosen]}
    signal=${signals[tried % 5]}
    if [ -e "$library" ] && ((tried / 5 % 2)); then
        random "${calls[$name]}"
        try "$name" "$signal" at $((chosen + 1))
    else
        random $((took[$name] * 11 / 10))
        try "$name" "$signal" "$chosen"
    fi
}

# Two processes resume one run. The second one is refused at any moment.
two_resumes() {
    local one two pids=() codes=()
    ((++tried))
    name=run-resume what="kills.sh two --resume at once"
    fresh
    for one in 1 2; do
        (cd case && exec "$WADI" run --resume stopped --threads 1 --quiet >/dev/null 2>"../errors$one" </dev/null) &
        pids+=($!)
    done
    for two in "${pids[@]}"; do end_of "$two"; codes+=($?); done
    case ${codes[*]} in
    '0 2' | '2 0') ;;
    *) wrong "ended with ${codes[*]}: $(cat errors1 errors2)" || return ;;
    esac
    is_whole || wrong "the result: $(differences)"
}

force_beside() {
    local code
    ((++tried))
    name=run-resume what="kills.sh --force beside a run"
    fresh
    begin "$WADI" run --resume stopped --threads 1
    in_case timeout 60 "$WADI" run in.npy -o stopped --steps 2 --force --quiet
    code=$?
    if grep -q '"result"' log; then kill "$pid" 2>/dev/null; end_of "$pid"; return; fi # it was done by then
    end_of "$pid" || {
        local ended=$?
        [ "$code" = 0 ] && grep -q 'is at work' log && return # the other one was first
        wrong "the run ended with $ended: $(tail -n 1 log)" || return
    }
    [ "$code" = 2 ] || wrong "ended with $code: $(cat errors)" || return
    is_whole || wrong "the result: $(differences)"
}

readarray -t names < <(printf '%s\n' "${!cases[@]}" | sort)
if (($#)); then
    measure_time "$1"
    try "$@"
    finish
fi
for name in "${names[@]}"; do measure_time "$name"; done
SECONDS=0
two_resumes
force_beside
[ ! -e "$library" ] || try run-short TWICE at $((calls[run-short] * 19 / 20)) # while it writes its outputs
while time_left; do
    try_one
    ((tried % 20)) || two_resumes
done
finish
