#!/usr/bin/env bash
# labels: torture
# Runs of several processes by MPI lose one to SIGKILL at a random moment, or mpirun does, or it gets SIGTERM. Afterwards:
#     - All processes end within 30 s.
#     - There are no results, or whole ones.
#     - Another number of processes goes on, may be killed again, and comes to the result of an undisturbed run.
#
#     team.sh                runs for TORTURE_SECONDS
#     team.sh TIMES          kills so often
. "$(dirname "$0")/lib.bash"
. "$(dirname "$0")/../cli/mpi.bash"

kinds=()
for kind in openmpi mpich; do use $kind && kinds+=("$kind"); done
((${#kinds[@]})) || { echo "SKIPPED: no MPI"; exit 77; }

"$WADI" generate diamond-square --size 96x240 --seed 3 --relief 30 -o h.npy >/dev/null
run=(run h.npy --model jako2011 --steps 2500 --checkpoint-every 100 --maps all --quiet --backend cpu)
"$WADI" "${run[@]}" -o whole
rm -rf out

# Waits for mpirun, `pid`, and for all processes that it has started.
all_end() {
    local i victims
    for ((i = 0; i < 300; i++)); do
        if ! kill -0 "$pid" 2>/dev/null && [ -z "$(processes)" ]; then return; fi
        sleep 0.1
    done
    wrong "does not end: $(processes)"
    mapfile -t victims < <(processes)
    kill -KILL "${victims[@]}" "$pid"
}

# whom: 0 and up: a process; 4: mpirun; 5: SIGTERM to mpirun
strike() {
    local victims
    mapfile -t victims < <(processes)
    if ((whom == 5)); then kill -TERM "$pid"
    elif ((whom == 4 || whom >= ${#victims[@]})); then kill -KILL "$pid"
    else kill -KILL "${victims[whom]}"; fi 2>/dev/null
}

try_one() {
    local count ms whom words
    ((++tried))
    random ${#kinds[@]} && use "${kinds[chosen]}"
    random 3 && count=$((chosen + 2))
    random 6 && whom=$chosen
    random 2500 && ms=$chosen
    what="team.sh: seed $seed, $tried: $mpi, $count processes, $whom after $ms ms"
    if [ -e out/checkpoint.wadi ]; then words=(run --resume out --quiet --backend cpu); else words=("${run[@]}" -o out); fi
    start_for "${launch[@]}" -n $count "$WADI" "${words[@]}"
    strike
    wait "$pid" 2>/dev/null
    all_end
    check_out
}

try_all "$@"
