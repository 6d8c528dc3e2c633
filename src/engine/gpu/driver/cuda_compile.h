/* cuda_compile.h (internal): NVIDIA's run-time compiler NVRTC. */
#ifndef WADI_GPU_CUDA_COMPILE_H
#define WADI_GPU_CUDA_COMPILE_H

#include "engine/gpu/driver/cuda_api.h"
#include "wadi/device.h"

/* The compiler for one device. The caller sets the first three members. */
typedef struct cuda_compiler {
    const cuda_api *cu;
    const wadi_device *about;
    bool relaxed;
    bool ptx; /* NVRTC does not know the device, so the driver finishes what it builds */
    char architecture[40];
} cuda_compiler;

/* Chooses the architecture to build for. WADI_ERROR_UNSUPPORTED: NVRTC has none for the device. */
wadi_status wadi_cuda_compiler_choose(cuda_compiler *compiler);
/* The cache's key of a source. */
void wadi_cuda_compiler_key(const cuda_compiler *compiler, const char *source, char key[65]);
/* image: allocated. */
wadi_status wadi_cuda_compile(const cuda_compiler *compiler, const char *source, char **image, size_t *bytes);

#endif
