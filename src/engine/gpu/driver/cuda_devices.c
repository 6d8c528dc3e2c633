/* cuda_devices.c: describes CUDA's devices without opening them. */
#include "engine/gpu/driver/cuda_devices.h"

#include <stdio.h>

int wadi_cuda_attribute(const cuda_api *cu, CUdevice device, int what) {
    int value = 0;
    return cu->cuDeviceGetAttribute(&value, what, device) == CUDA_SUCCESS ? value : 0;
}

static void name_driver(const cuda_api *cu, wadi_device *device) {
    char version[48] = "";
    if (cu->nvmlDeviceGetMemoryInfo == NULL || cu->nvmlSystemGetDriverVersion(version, sizeof version) != 0)
        version[0] = '\0';
    snprintf(device->driver, sizeof device->driver, "NVIDIA%s%s, CUDA %d.%d, NVRTC %d.%d",
             version[0] != '\0' ? " " : "", version, cu->version / 1000, cu->version % 1000 / 10,
             cu->nvrtc_version / 1000, cu->nvrtc_version % 1000 / 10);
}

/* CUDA gives the free memory of an open device only, and opening takes time and memory on the device. */
static uint64_t free_bytes(const cuda_api *cu, CUdevice device, uint64_t all) {
    char bus[32] = "";
    nvmlDevice handle;
    nvmlMemory memory;
    if (cu->nvmlDeviceGetMemoryInfo == NULL || cu->cuDeviceGetPCIBusId(bus, sizeof bus, device) != CUDA_SUCCESS ||
        cu->nvmlDeviceGetHandleByPciBusId_v2(bus, &handle) != 0 || cu->nvmlDeviceGetMemoryInfo(handle, &memory) != 0)
        return all;
    return memory.free < all ? memory.free : all;
}

static uint64_t shared_bytes(const cuda_api *cu, CUdevice device) {
    const int most = wadi_cuda_attribute(cu, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
    return (uint64_t)(most > 0 ? most
                               : wadi_cuda_attribute(cu, device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK));
}

static int capability_of(const cuda_api *cu, CUdevice device) {
    return 10 * wadi_cuda_attribute(cu, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
           wadi_cuda_attribute(cu, device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

wadi_device wadi_cuda_describe(const cuda_api *cu, CUdevice device, int number) {
    wadi_device about = {.engine = WADI_ENGINE_CUDA, .number = number, .gpu = true, .strict = true, .float64 = true};
    size_t bytes = 0;
    if (cu->cuDeviceGetName(about.name, sizeof about.name, device) != CUDA_SUCCESS)
        snprintf(about.name, sizeof about.name, "CUDA device");
    name_driver(cu, &about);
    if (cu->cuDeviceTotalMem_v2(&bytes, device) == CUDA_SUCCESS) about.memory_bytes = bytes;
    about.free_bytes = free_bytes(cu, device, about.memory_bytes);
    about.largest_bytes = about.memory_bytes;
    about.local_bytes = shared_bytes(cu, device);
    about.units = wadi_cuda_attribute(cu, device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    about.capability = capability_of(cu, device);
    about.clock_hz = 1e3 * (double)wadi_cuda_attribute(cu, device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
    return about;
}

int wadi_cuda_count(const cuda_api *cu) {
    int count = 0;
    return cu->cuDeviceGetCount(&count) == CUDA_SUCCESS ? count : 0;
}

size_t wadi_cuda_list(wadi_device *devices, size_t most, const char **missing) {
    const cuda_api *const cu = wadi_cuda_load(missing);
    if (cu == NULL) return 0;
    const int count = wadi_cuda_count(cu);
    if (count == 0) *missing = "no CUDA here: NVIDIA's driver finds no GPU";
    for (int i = 0; i < count && (size_t)i < most; i++) {
        CUdevice device = 0;
        cu->cuDeviceGet(&device, i);
        devices[i] = wadi_cuda_describe(cu, device, i);
    }
    return (size_t)count;
}
