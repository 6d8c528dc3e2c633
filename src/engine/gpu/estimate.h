/* estimate.h (internal): how long a run takes on the CPU and on a GPU, from its number of operations. It is good enough
 * to choose between them: an error of a factor of two is usual. */
#ifndef WADI_GPU_ESTIMATE_H
#define WADI_GPU_ESTIMATE_H

#include "core/engine.h"
#include "wadi/device.h"

/* Seconds for the definition's expected steps. On a GPU without its start. */
double wadi_estimate_cpu_s(const wadi_def *def);
double wadi_estimate_gpu_s(const wadi_def *def, const wadi_device *device);

/* s: from the choice of a GPU to its first step, with all kernels in the cache. */
#define WADI_SOONEST_START_S 0.45
/* Whether the GPU takes less time than the CPU, with its start. Kernels that were not built before take most of that,
 * so the cache knows which models have run on the device. With def->tune it also adds up what runs lose that stay on
 * the CPU because of this. Once that is what building takes, the GPU is worth it. */
bool wadi_estimate_pays(const wadi_def *def, const wadi_device *device);
void wadi_estimate_started(const wadi_domain *domain, const wadi_device *device);

#endif
