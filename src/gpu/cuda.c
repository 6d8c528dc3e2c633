/* cuda.c: placeholder until the driver is there. */
#include "gpu/driver.h"

static size_t list(wadi_device *devices, size_t most, const char **missing) {
    (void)devices;
    (void)most;
    *missing = "no CUDA in this build";
    return 0;
}

const wadi_driver wadi_driver_cuda = {.name = "cuda", .list = list};
