/* driver.c: the list of drivers, and calls that need no simulation. */
#include "engine/gpu/driver/driver.h"

#include <stdlib.h>

const wadi_driver *wadi_driver_of(wadi_engine engine) {
#define NONE(constant, name) NULL,
#define DRIVER(constant, name) &wadi_driver_##name,
    static const wadi_driver *const drivers[] = {WADI_EACH_ENGINE(NONE, DRIVER)};
    return wadi_engine_is_gpu(engine) ? drivers[engine] : NULL;
}

size_t wadi_devices(wadi_engine engine, wadi_device *devices, size_t most, const char **missing) {
    const char *unasked;
    if (missing == NULL) missing = &unasked;
    if (devices == NULL) most = 0;
    *missing = NULL;
    const wadi_driver *const driver = wadi_driver_of(engine);
    return driver != NULL ? driver->list(devices, most, missing) : 0;
}

wadi_status wadi_driver_build(const wadi_driver *driver, wadi_gpu *gpu, char *source, wadi_gpu_program **program) {
    if (source == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the device's program");
    const wadi_status status = driver->build(gpu, source, program);
    free(source);
    return status;
}
