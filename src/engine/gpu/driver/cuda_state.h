/* cuda_state.h (internal): a device opened through CUDA, and the calls around all others. */
#ifndef WADI_GPU_CUDA_STATE_H
#define WADI_GPU_CUDA_STATE_H

#include "engine/gpu/driver/cuda_compile.h"
#include "engine/gpu/driver/driver.h"

struct wadi_gpu_memory {
    CUdeviceptr start;
    size_t bytes;
};

struct wadi_gpu {
    const cuda_api *cu;
    wadi_device about;
    CUdevice device;
    CUcontext context; /* NULL: not retained */
    CUstream stream;
    cuda_compiler compiler;
    size_t most_pitch;
    uint64_t allocated;
    unsigned launches;
    int borrowed; /* registered buffers of OpenGL */
    unsigned buffer[GPU_BORROWED];
    CUgraphicsResource resource[GPU_BORROWED];
    wadi_gpu_memory lent[GPU_BORROWED];
};

/* The device's context is current between these two. The second passes on `status`. */
wadi_status wadi_cuda_enter(const wadi_gpu *gpu);
wadi_status wadi_cuda_leave(const wadi_gpu *gpu, wadi_status status);
/* If nothing is known about a failure, the earlier message stays. */
bool wadi_cuda_enter_quietly(const wadi_gpu *gpu);
/* WADI_OK, or the error's name and what was being done. */
wadi_status wadi_cuda_checked(const wadi_gpu *gpu, CUresult error, const char *doing);

#endif
