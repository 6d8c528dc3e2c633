# mpirun -n N wadi: the result of one process, with OpenMPI and MPICH. A killed process ends the run, which any number of
# processes goes on with. The first process alone speaks.
. "$(dirname "$0")/lib.bash"
. "$(dirname "$0")/mpi.bash"

# refuses CODE TEXT COMMAND...: one line of Wadi's, whatever mpirun says
refuses() {
    local code=$1 text=$2 got=0 said
    shift 2
    said=$("$@" 2>&1 </dev/null) || got=$?
    [ "$got" = "$code" ] || fail "'$*' ended with $got, not $code: $said"
    [ "$(grep -c '^wadi: ' <<<"$said")" = 1 ] || fail "'$*': not one line: $said"
    grep -qF -- "$text" <<<"$said" || fail "'$*' did not say '$text' but: $said"
}

"$WADI" generate diamond-square --size 64x150 --seed 3 --relief 30 -o h.npy >/dev/null
one=(h.npy --model jako2011 --steps 60 --maps all --quiet --rain "drops:count=20,radius=3,rate=0.05")
other=(h.npy --model schott2023 --levels 2 --steps 40 --quiet --boundary wrap)
"$WADI" run --no-preview "${one[@]}" -o one
"$WADI" run --no-preview "${other[@]}" -o other
# the deepest water of all processes decides how many sub-steps there are
deep=(h.npy --model mei2007 --scale cell --steps 150 --quiet --set rain=0.05 --set substeps=adaptive --set A=60 --set dt=0.3 --allow-out-of-range)
"$WADI" run --no-preview "${deep[@]}" -o deep
substeps() { grep -o '"substeps_done": [0-9]*' "$1/run.json"; }
[[ $(substeps deep) != '"substeps_done": 150' ]] || fail "one sub-step was enough"
"$WADI" generate diamond-square --size 100x240 --seed 4 --relief 30 -o large.npy >/dev/null
"$WADI" run --no-preview large.npy --steps 9000 --quiet -o long

# begin_with N OPTION...: a run of some seconds by N processes, until it has written a checkpoint. `pid` is mpirun's.
begin_with() {
    rm -rf stopped
    env --default-signal=INT,TERM timeout 300 "${launch[@]}" "${@:2}" -n "$1" "$WADI" run --no-preview large.npy --steps 9000 --checkpoint-every 50 --quiet \
        -o stopped >log 2>&1 </dev/null &
    pid=$!
    until_it stopped/checkpoint.wadi "$pid"
    sleep 0.2
}

# kill_one NUMBER OPTION...: SIGKILL to one of three processes; two go on. The options are mpirun's.
kill_one() {
    local victim begun
    begin_with 3 "${@:2}"
    victim=$(processes | sed -n "$(($1 + 1))p")
    [ -n "$victim" ] || fail "no process $1: $(cat log)"
    kill -KILL "$victim"
    begun=$SECONDS
    ! wait "$pid" || fail "$mpi: the end of process $1 did not end the run"
    ((SECONDS - begun < 60)) || fail "$mpi: the end of process $1 was not seen"
    [ -z "$(processes)" ] || fail "$mpi: left after the end of process $1: $(processes)"
    [ ! -e stopped/run.json ] && [ ! -e stopped/height.npy ] || fail "results of a killed run"
    with 2 "$WADI" run --no-preview --resume stopped --quiet
    same_hashes long stopped
}

tried=0
for mpi in openmpi mpich; do
    use $mpi || { echo "no $mpi"; continue; }
    tried=1
    for n in 2 3; do
        with $n "$WADI" run --no-preview "${one[@]}" -o one-$n --force
        same_hashes one one-$n
        grep -q "\"device\": \"$n parts of $n processes: " one-$n/run.json || fail "not $n processes"
    done
    with 2 "$WADI" run --no-preview "${other[@]}" -o other-2 --force
    same_hashes other other-2
    with 2 "$WADI" run --no-preview "${deep[@]}" -o deep-2 --force
    same_hashes deep deep-2
    [[ $(substeps deep) == "$(substeps deep-2)" ]] || fail "other sub-steps: $(substeps deep-2)"
    with 2 "$WADI" run --no-preview "${one[@]}" -o one-5 --parts 5 --force
    same_hashes one one-5
    grep -q '"device": "5 parts of 2 processes: ' one-5/run.json || fail "not 5 parts"

    [ "$(with 2 "$WADI" version | grep -c '^wadi ')" = 1 ] || fail "two processes speak"
    refuses 2 'no such option' with 2 "$WADI" run --no-preview h.npy --nothing
    refuses 2 'nothing.tif: cannot be opened' with 2 "$WADI" run --no-preview nothing.tif -o none
    WADI_MPI_LIBRARY=$PWD/none.so refuses 2 'none.so or the MPI that it needs is not there' with 2 "$WADI" version
    [ "$(WADI_MPI_LIBRARY='' with 2 "$WADI" version | grep -c '^wadi ')" = 2 ] || fail "not two processes of their own"

    kill_one 0
    kill_one 2
    begin_with 2
    kill -INT "$(pgrep -P "$pid" -x "mpirun.*|mpiexec.*" || echo "$pid")"
    wait "$pid" || true
    # OpenMPI from 5 on does not pass on what is said afterwards.
    "${launch[0]}" --version | grep -Eq 'Open MPI\) ([5-9]|1[0-9])' || grep -q 'interrupted at step .* goes on' log ||
        fail "$mpi: Ctrl-C: $(cat log)"
    with 3 "$WADI" run --no-preview --resume stopped --quiet
    same_hashes long stopped
done
if command -v mpirun.openmpi mpirun.mpich >/dev/null; then
    use openmpi
    refuses 2 'built for another MPI' mpirun.mpich -n 2 "$WADI" version
fi
((tried)) || { echo "SKIPPED: no MPI"; exit 77; }
