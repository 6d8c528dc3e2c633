/* cuda_share.h (internal): memory of other processes and of OpenGL. The driver's calls of the same names. */
#ifndef WADI_GPU_CUDA_SHARE_H
#define WADI_GPU_CUDA_SHARE_H

#include "engine/gpu/driver/cuda_state.h"

bool wadi_cuda_offer(wadi_gpu *gpu, const wadi_gpu_memory *memory, wadi_gpu_name *name);
wadi_gpu_memory *wadi_cuda_reach(wadi_gpu *gpu, const wadi_gpu_name *name);
void wadi_cuda_forget(wadi_gpu *gpu, wadi_gpu_memory *memory);
bool wadi_cuda_lend(const wadi_gpu *gpu, const wadi_gpu_memory *const *memory, int count, void **addresses);
void wadi_cuda_take_back(const wadi_gpu *gpu);

wadi_status wadi_cuda_borrow(wadi_gpu *gpu, const unsigned *buffers, int count, size_t bytes, wadi_gpu_memory **memory);
wadi_status wadi_cuda_give_back(wadi_gpu *gpu);
/* Before the device is closed: OpenGL's buffers are no longer known. */
void wadi_cuda_forget_buffers(wadi_gpu *gpu);

#endif
