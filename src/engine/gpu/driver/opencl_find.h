/* opencl_find.h (internal): finds OpenCL's devices through all loaders and drivers of this machine. */
#ifndef WADI_GPU_OPENCL_FIND_H
#define WADI_GPU_OPENCL_FIND_H

#include "engine/gpu/driver/opencl_api.h"

/* A device, and the functions to call it with. */
typedef struct opencl_place {
    const opencl_api *api;
    cl_platform_id platform;
    cl_device_id device;
} opencl_place;

/* Lists up to `most` devices of all platforms. Returns how many there are. */
size_t wadi_opencl_find(opencl_place *places, size_t most);

#endif
