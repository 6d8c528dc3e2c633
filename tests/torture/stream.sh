#!/usr/bin/env bash
# labels: torture
# A run in slabs (--memory-limit) is lost to SIGKILL at a random moment, or gets SIGTERM. Afterwards:
#     - There are no results, or whole ones, and nothing is left in the scratch folder.
#     - It goes on in slabs or in memory, may be killed again, and comes to the result of an undisturbed run in memory.
#
#     stream.sh              runs for TORTURE_SECONDS
#     stream.sh TIMES        kills so often
. "$(dirname "$0")/lib.bash"

"$WADI" generate diamond-square --size 400x900 --seed 3 --relief 30 -o h.npy >/dev/null
run=(run h.npy --model jako2011 --steps 300 --checkpoint-every 30 --maps all --quiet --backend cpu)
"$WADI" "${run[@]}" -o whole
mkdir scratch
rm -rf out

try_one() {
    local ms signal words limit=()
    ((++tried))
    random 4 && ((chosen)) && limit=(--memory-limit 10M --scratch scratch)
    random 4 && if ((chosen)); then signal=KILL; else signal=TERM; fi
    random 4000 && ms=$chosen
    what="stream.sh: seed $seed, $tried: $signal after $ms ms, ${limit[*]:-in memory}"
    if [ -e out/checkpoint.wadi ]; then words=(run --resume out --quiet --backend cpu); else words=("${run[@]}" -o out); fi
    start_for "$WADI" "${words[@]}" "${limit[@]}"
    kill "-$signal" "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    [ -z "$(ls -A scratch)" ] || wrong "a scratch file is left"
    check_out
}

try_all "$@"
