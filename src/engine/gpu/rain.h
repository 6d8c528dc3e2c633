/* rain.h (internal): rain that varies by cell, as maps in device memory. */
#ifndef WADI_GPU_RAIN_H
#define WADI_GPU_RAIN_H

#include "engine/gpu/engine_state.h"

/* A call of so many sub-steps begins. */
void wadi_gpu_rain_call(wadi_domain *domain, int64_t substeps);
/* Makes the rain maps of sub-step `ahead`, as the place-th of a pass. */
wadi_status wadi_gpu_rain_fall(wadi_domain *domain, int64_t ahead, int place);
/* Makes the maps as they are without discs and rainfall events. */
wadi_status wadi_gpu_rain_begin(wadi_domain *domain, int place);
void wadi_gpu_rain_free(wadi_gpu_engine *engine);
/* The buffer of a map for the place-th sub-step of a pass; NULL if it is the same in every cell. */
wadi_gpu_memory *wadi_gpu_map(const wadi_domain *domain, int map, int place);

#endif
