/* plain_launch.h (internal): the plain path, and stages on request. */
#ifndef WADI_GPU_PLAIN_LAUNCH_H
#define WADI_GPU_PLAIN_LAUNCH_H

#include "engine/gpu/engine_state.h"

/* Builds the kernels of single stages. */
wadi_status wadi_gpu_build_stages(wadi_domain *domain);
wadi_status wadi_gpu_run_stage(wadi_domain *domain, const wadi_stage *stage);
/* Makes ready for whole sub-steps: all fields that stages write are in device memory then. Each has a buffer of its
 * own, if memory allows, because autotuning has timed it so. */
wadi_status wadi_gpu_plain_open(wadi_domain *domain);
/* Runs the stages of so many sub-steps. The state and the sums change; the simulation does not know of it. Autotuning
 * times it. */
wadi_status wadi_gpu_plain_try(wadi_domain *domain, int substeps);

#endif
