/* autotune.h (internal): chooses between the two paths, and the shape of a fused sweep. */
#ifndef WADI_GPU_AUTOTUNE_H
#define WADI_GPU_AUTOTUNE_H

#include "engine/gpu/engine_state.h"

/* The shape to begin with; 0 sub-steps: the plain path is better. measure: autotune once there is a state. */
void wadi_gpu_shape_default(const wadi_domain *domain, wadi_gpu_sweep_shape *shape, bool *measure);
/* Times several shapes on the state, which stays as it is; chooses the fastest and remembers it. The domain has a
 * failure then if the device lost the state. */
void wadi_gpu_shape_measure(wadi_domain *domain);

/* Builds the kernels of the default shape into the cache, before the simulation is prepared. */
void wadi_gpu_build_ahead(const wadi_domain *domain);

#endif
