# Functions for scripts that start several processes by MPI. They come after lib.bash.
#     use MPI            openmpi or mpich; false: it is not installed
#     with N COMMAND...  N processes
#     processes          those of this folder, in the order of their numbers

# MPICH 4.0 over UCX may hang in MPI_Finalize where two processes of a machine are joined by TCP.
export UCX_TLS=self,sm

if sanitized; then
    echo "SKIPPED: MPI itself leaks; test_parts has threads in the place of processes"
    exit 77
fi

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

mpi= launch=()
use() {
    command -v "mpirun.$1" >/dev/null && command -v "mpicc.$1" >/dev/null || return 1
    mkdir -p "$1"
    [ -e "$1/libwadi_mpi.so" ] || "mpicc.$1" -std=c11 -O1 -fPIC -shared -I"$WADI_DATA/../include" \
        "$WADI_DATA/../src/mpi/mpi.c" -o "$1/libwadi_mpi.so"
    export WADI_MPI_LIBRARY=$PWD/$1/libwadi_mpi.so
    mpi=$1 launch=("mpirun.$1")
    # Processes may be more than cores, and none is bound to one.
    [ "$1" = mpich ] || launch+=(--map-by :OVERSUBSCRIBE --bind-to none)
}
with() { timeout -k 5 300 "${launch[@]}" -n "$@"; }

processes() {
    local process number
    for process in $(pgrep -x wadi); do
        [ "$(readlink "/proc/$process/cwd")" = "$PWD" ] || continue
        number=$(tr '\0' '\n' 2>/dev/null <"/proc/$process/environ" | sed -n 's/^\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=//p')
        echo "$number $process"
    done | sort -n | cut -d' ' -f2
}
