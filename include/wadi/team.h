/* team.h: several processes that compute a simulation together. Each has a part of the grid, or some. Process 0 leads:
 * its program creates and steps simulations as always, and `team` of their definitions names the team. The other
 * processes serve. The bits are those of one process.
 *
 *     if (team.me > 0) return wadi_team_serve(&team) == WADI_OK ? 0 : 1;
 *     if (wadi_team_lead(&team) != WADI_OK) return puts(wadi_error_message());
 *     def.team = &team;
 *     ...
 *     wadi_team_dismiss(&team);
 *
 * Library wadi_mpi (mpi.h) makes a team of the processes that mpirun started. A program with another transport fills in
 * the structure itself. All processes must run the same version of the library, on machines of one byte order.
 * Simulations of one team belong to one thread at a time. */
#ifndef WADI_TEAM_H
#define WADI_TEAM_H

#include "wadi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows for a neighbour, and the rows that it gives. */
typedef struct wadi_team_swap {
    int with; /* the other process; -1: there is none */
    const void *give;
    void *take; /* as many bytes */
    size_t bytes;
    /* give and take may be CUDA device memory, where `device_memory` of the team is true. The other process may use its
     * host memory. The device's context is then current in this thread, and nothing else uses these bytes. */
} wadi_team_swap;

typedef struct wadi_team {
    int processes, me;     /* how many, and the number of this one, from 0 */
    int on_host, me_there; /* how many on this machine, and the number of this one among those */
    double share;          /* of the cores that this process may use, above 0 to 1: others use the same ones */
    void *context;         /* of the calls below; they return false once another process is lost */
    /* Messages between two processes arrive in order. */
    bool (*send)(void *context, int to, const void *bytes, size_t count);
    bool (*receive)(void *context, int from, void *bytes, size_t count);
    /* Both swaps at once: [0] with the process above, [1] with the one below. What it gives in [0] the other takes in
     * its [1]. Both may be with one process. */
    bool (*exchange)(void *context, const wadi_team_swap swaps[2]);
    bool device_memory; /* exchange takes addresses of CUDA device memory too; not all processes need the same */
} wadi_team;

/* Process 0: waits for the others. WADI_ERROR_UNSUPPORTED: one runs another version. WADI_ERROR_DEVICE: one is lost. */
WADI_API wadi_status wadi_team_lead(const wadi_team *team);
/* Another process: computes its parts until process 0 dismisses it, or is lost (WADI_ERROR_DEVICE). Errors of
 * simulations are reported there. */
WADI_API wadi_status wadi_team_serve(const wadi_team *team);
/* Process 0, when its simulations are destroyed: the others return from wadi_team_serve. */
WADI_API wadi_status wadi_team_dismiss(const wadi_team *team);

#ifdef __cplusplus
}
#endif
#endif
