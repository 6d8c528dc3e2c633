/* driver.c: the drivers, and what needs no simulation. */
#include "engine/gpu/driver/driver.h"

const wadi_driver *wadi_driver_of(wadi_engine engine) {
    if (engine == WADI_ENGINE_OPENCL) return &wadi_driver_opencl;
    if (engine == WADI_ENGINE_CUDA) return &wadi_driver_cuda;
    return NULL;
}

size_t wadi_devices(wadi_engine engine, wadi_device *devices, size_t most, const char **missing) {
    const char *unasked;
    if (missing == NULL) missing = &unasked;
    if (devices == NULL) most = 0;
    *missing = NULL;
    const wadi_driver *const driver = wadi_driver_of(engine);
    return driver != NULL ? driver->list(devices, most, missing) : 0;
}
