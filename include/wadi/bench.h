/* bench.h: what this machine can do, and what a cell-step must cost, to compare a run's rate with. */
#ifndef WADI_BENCH_H
#define WADI_BENCH_H

#include "wadi/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wadi_machine {
    double bandwidth_bytes_per_s; /* best triad a = b + k*c, 24 bytes an element, arrays of 4 times the last cache */
    double operations_per_s;      /* float32 additions and multiplications in the widest vectors, none of them fused */
    double divisions_per_s;       /* float32 divisions in the widest vectors, independent of one another */
} wadi_machine;
/* Takes about a second, and 4 times the last cache in memory, three times over. threads: 0 for all. Fails with
 * WADI_ERROR_MEMORY. */
WADI_API wadi_status wadi_measure_machine(int threads, wadi_machine *machine);

typedef struct wadi_cost {
    double bytes;      /* of memory traffic, at least: each field read once, each state written once */
    double operations; /* float32 additions, multiplications, divisions, roots and comparisons */
} wadi_cost;
/* Of one sub-step of a definition. */
WADI_API wadi_cost wadi_def_cost(const wadi_def *def);

#ifdef __cplusplus
}
#endif
#endif
