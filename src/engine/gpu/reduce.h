/* reduce.h (internal): sums and the check for values that are not finite, on the device. */
#ifndef WADI_GPU_REDUCE_H
#define WADI_GPU_REDUCE_H

#include "engine/gpu/engine_state.h"

/* Allocates zeroed slots for the sums of the stages that run. */
wadi_status wadi_gpu_make_reduction(const wadi_domain *domain, wadi_gpu_reduction *reduction, int slots_a_line,
                                    int lines, int from, int to);
void wadi_gpu_free_reduction(const wadi_gpu_engine *engine, wadi_gpu_reduction *reduction);
wadi_status wadi_gpu_open_reduction(const wadi_domain *domain); /* memory for the results */
/* Adds the sums since the last call to those of the simulation. */
wadi_status wadi_gpu_add_sums(wadi_domain *domain);
wadi_status wadi_gpu_look(wadi_domain *domain, bool *finite);
/* Sums of rows with the bits of core/mass.c (wadi_engine_calls). */
wadi_status wadi_gpu_sum_rows(wadi_domain *domain, const wadi_summed *summed, int count, double *sums);

#endif
