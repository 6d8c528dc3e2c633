/* sweep_launch.h (internal): builds fused sweeps, partitions them into work items, and launches them. */
#ifndef WADI_GPU_SWEEP_LAUNCH_H
#define WADI_GPU_SWEEP_LAUNCH_H

#include "engine/gpu/engine_state.h"

/* Groups of this shape that the device runs at once, as far as is known before the kernel is built. */
int wadi_gpu_groups_at_once(const wadi_domain *domain, const wadi_gpu_sweep_shape *shape);
/* Prepares the kernel for so many sub-steps per pass. fits: false if the device lacks memory or the stages do not suit
 * it. */
wadi_status wadi_gpu_sweep_open(wadi_domain *domain, int per_pass, bool *fits);
/* Builds that kernel into the cache, for a simulation that is not prepared yet. */
void wadi_gpu_sweep_build_ahead(const wadi_domain *domain, wadi_gpu_sweep_shape shape, int per_pass);
/* Partitions the rows of the loaded kernel anew, as the engine's shape says. Large work items stay large. */
wadi_status wadi_gpu_sweep_partition(wadi_domain *domain, int per_pass);
/* Runs passes of so many sub-steps each. */
wadi_status wadi_gpu_sweep_run(wadi_domain *domain, int per_pass, int64_t ahead, int passes);
/* Does the work of so many passes without changing the state. Autotuning times it. */
wadi_status wadi_gpu_sweep_try(wadi_domain *domain, int per_pass, int passes);
/* Nothing has to be done between passes, and groups can wait for each other. */
bool wadi_gpu_sweep_may_persist(const wadi_domain *domain);
/* Passes that one call of wadi_gpu_sweep_run may do. */
int wadi_gpu_sweep_most_passes(const wadi_domain *domain, int per_pass);
void wadi_gpu_sweep_close(wadi_gpu_engine *engine);
/* Work items if large ones have so many rows. Below FEW_ROWS all but those at the border are large. */
#define WADI_GPU_FEW_ROWS 64
int wadi_gpu_work_items_of(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan, int rows);

#endif
