/* part_rows.h (internal): rows of the state go from part to part: through the host, or from device to device. */
#ifndef WADI_GPU_PART_ROWS_H
#define WADI_GPU_PART_ROWS_H

#include "engine/gpu/engine_state.h"

/* The engine's functions of the same names. */
wadi_status wadi_gpu_pack(wadi_domain *domain, int y, int rows, float *to);
wadi_status wadi_gpu_unpack(wadi_domain *domain, int y, int rows, const float *from);
wadi_status wadi_gpu_hold(wadi_domain *domain, int rows, int which);
wadi_status wadi_gpu_take(wadi_domain *domain, const wadi_domain *before, const wadi_domain *after, int which);
bool wadi_gpu_offer(wadi_domain *domain, int rows, bool below, void *offered);
bool wadi_gpu_accept(wadi_domain *domain, int rows, bool below, const void *offered);
void wadi_gpu_forget(wadi_domain *domain, bool below);
bool wadi_gpu_lend(wadi_domain *domain, int rows, bool below, int which, void *addresses[2]);
void wadi_gpu_take_back(const wadi_domain *domain);
void wadi_gpu_free_packed(wadi_gpu_engine *engine);

#endif
