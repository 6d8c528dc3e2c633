/* cuda_devices.h (internal): describes CUDA's devices without opening them. */
#ifndef WADI_GPU_CUDA_DEVICES_H
#define WADI_GPU_CUDA_DEVICES_H

#include "engine/gpu/driver/cuda_api.h"
#include "engine/gpu/driver/driver.h"

int wadi_cuda_count(const cuda_api *cu);
/* An attribute, CU_DEVICE_ATTRIBUTE_...; 0 if unknown. */
int wadi_cuda_attribute(const cuda_api *cu, CUdevice device, int what);
wadi_device wadi_cuda_describe(const cuda_api *cu, CUdevice device, int number);
size_t wadi_cuda_list(wadi_device *devices, size_t most, const char **missing); /* wadi_driver's list */

#endif
