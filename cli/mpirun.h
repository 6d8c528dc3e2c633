/* mpirun.h: the command as one of several processes, which mpirun has started. */
#ifndef WADI_CLI_MPIRUN_H
#define WADI_CLI_MPIRUN_H

#include <stdbool.h>

/* Loads the library wadi_mpi, if mpirun has started this process. The first process goes on: all its simulations are
 * computed by the team, which ends with the process. false: another process, which has computed its parts, or an error;
 * *code is the exit code. */
bool mpirun_join(int *code);

#endif
