/* mpi.h: a team (team.h) of the processes of an MPI program (library wadi_mpi). It needs MPI, and nothing of the other
 * libraries. The command `wadi` loads it when mpirun has started it. */
#ifndef WADI_MPI_H
#define WADI_MPI_H

#include "wadi/team.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills in the team of all processes. Calls MPI_Init_thread, unless the program has. Every process must call it. NULL,
 * or one line that says what is wrong. */
WADI_API const char *wadi_mpi_join(wadi_team *team);
/* Calls MPI_Finalize, if wadi_mpi_join has initialized MPI. After a lost process it calls MPI_Abort instead. */
WADI_API void wadi_mpi_leave(const wadi_team *team);

#ifdef __cplusplus
}
#endif
#endif
