/* bench.h: the limits of this machine and the least cost of a cell-step, for comparison with the rate of a run. */
#ifndef WADI_BENCH_H
#define WADI_BENCH_H

#include "wadi/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wadi_machine {
    double bandwidth_bytes_per_s; /* best triad a = b + k*c, 24 bytes per element, arrays of 4 times the last-level
                                     cache */
    double operations_per_s;      /* float32 additions and multiplications in the widest vectors, unfused */
    double divisions_per_s;       /* float32 divisions in the widest vectors, independent of one another */
} wadi_machine;
/* Takes about a second, and memory for three arrays of 4 times the last-level cache. threads: 0 for all. Fails with
 * WADI_ERROR_MEMORY. */
WADI_API wadi_status wadi_measure_machine(int threads, wadi_machine *machine);

typedef struct wadi_cost {
    double bytes;      /* least memory traffic: each field read once, each state written once */
    double operations; /* float32 additions, multiplications, divisions, roots and comparisons */
} wadi_cost;
/* The cost of one cell in one sub-step. */
WADI_API wadi_cost wadi_def_cost(const wadi_def *def);

#ifdef __cplusplus
}
#endif
#endif
