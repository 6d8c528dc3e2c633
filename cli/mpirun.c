#include "mpirun.h"

#include "report.h"

#include "wadi/mpi.h"
#include "wadi/run.h"

#include "platform/platform.h"

#include <stdlib.h>

typedef const char *join_function(wadi_team *team);
typedef void leave_function(const wadi_team *team);

static wadi_team team;
static leave_function *leave;

/* --- what mpirun says --- */

/* The number of processes and the number of this one, as programs that start them set these: OpenMPI's mpirun, MPICH's
 * and Intel's, MVAPICH's, and srun. */
static const char *const variables[][2] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                                           {"PMI_SIZE", "PMI_RANK"},
                                           {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
                                           {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

static int number_in(const char *variable) {
    const char *text = getenv(variable);
    return text ? atoi(text) : 0;
}

/* The number of processes; 1 without mpirun. */
static int started(int *me) {
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const int processes = number_in(variables[i][0]);
        if (processes < 2) continue;
        *me = number_in(variables[i][1]);
        return processes;
    }
    return 1;
}

/* --- the library --- */

static const char *library_name(void) {
    const char *name = getenv("WADI_MPI_LIBRARY");
    return name ? name : WADI_MPI_NAME;
}

static wadi_status load(int processes, join_function **join) {
    void *library = platform_library_open(library_name());
    *join = library ? (join_function *)platform_library_symbol(library, "wadi_mpi_join") : NULL;
    leave = library ? (leave_function *)platform_library_symbol(library, "wadi_mpi_leave") : NULL;
    if (*join && leave) return WADI_OK;
    return wadi_fail(WADI_ERROR_UNSUPPORTED,
                     "%d processes were started, and %s or the MPI that it needs is not there: install libwadi-mpi0, "
                     "build Wadi with MPI, or name the library in WADI_MPI_LIBRARY ('' for processes of their own)",
                     processes, library_name());
}

/* The library stays until the process ends. */
static wadi_status join(int processes) {
    join_function *join;
    const wadi_status status = load(processes, &join);
    if (status != WADI_OK) return status;
    const char *wrong = join(&team);
    if (wrong) return wadi_fail(WADI_ERROR_DEVICE, "%s: %s", library_name(), wrong);
    if (team.processes == processes) return WADI_OK;
    return wadi_fail(WADI_ERROR_UNSUPPORTED,
                     "%d processes were started, and %s sees %d: it was built for another MPI than that of mpirun",
                     processes, library_name(), team.processes);
}

/* --- the process --- */

static void dismiss(void) {
    wadi_team_dismiss(&team);
    leave(&team);
}

/* An interruption is for the first process, which saves its work and dismisses this one. The first process also says
 * what is wrong; or mpirun does, where that is lost. A process that can't go on ends without leaving: mpirun then ends
 * the others, which would wait for it. */
static int serve(void) {
    platform_ignore_interrupts();
    const wadi_status status = wadi_team_serve(&team);
    if (status == WADI_ERROR_MEMORY) _Exit(report_end(status));
    leave(&team);
    return status == WADI_OK ? EXIT_DONE : EXIT_FAILED;
}

bool mpirun_join(int *code) {
    int me = 0;
    const int processes = started(&me);
    if (processes == 1 || library_name()[0] == '\0') return true;
    wadi_status status = join(processes);
    if (status == WADI_OK && team.me > 0) {
        *code = serve();
        return false;
    }
    if (status == WADI_OK) status = wadi_team_lead(&team);
    if (status == WADI_OK) {
        atexit(dismiss);
        wadi_run_use_team(&team);
        return true;
    }
    *code = me == 0 ? report_end(status) : EXIT_USAGE; /* of all processes, the first one alone speaks */
    if (team.context) leave(&team);
    return false;
}
