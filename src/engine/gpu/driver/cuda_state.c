/* cuda_state.c: the calls around all others of a device. */
#include "engine/gpu/driver/cuda_state.h"

#include "engine/gpu/driver/driver_errors.h"

wadi_status wadi_cuda_checked(const wadi_gpu *gpu, CUresult error, const char *doing) {
    if (error == CUDA_SUCCESS) return WADI_OK;
    const char *name = NULL;
    if (gpu->cu->cuGetErrorName(error, &name) != CUDA_SUCCESS || name == NULL) name = "an error that has no name";
    return wadi_gpu_lost(&gpu->about, doing, name);
}

wadi_status wadi_cuda_enter(const wadi_gpu *gpu) {
    return wadi_cuda_checked(gpu, gpu->cu->cuCtxPushCurrent_v2(gpu->context), "turning to it");
}

bool wadi_cuda_enter_quietly(const wadi_gpu *gpu) { return gpu->cu->cuCtxPushCurrent_v2(gpu->context) == CUDA_SUCCESS; }

wadi_status wadi_cuda_leave(const wadi_gpu *gpu, wadi_status status) {
    CUcontext ours;
    gpu->cu->cuCtxPopCurrent_v2(&ours);
    return status;
}
