/* opencl_devices.h (internal): describes OpenCL's devices without opening them. */
#ifndef WADI_GPU_OPENCL_DEVICES_H
#define WADI_GPU_OPENCL_DEVICES_H

#include "engine/gpu/driver/driver.h"
#include "engine/gpu/driver/opencl_find.h"

enum { OPENCL_MOST_DEVICES = 64 };

wadi_device wadi_opencl_describe(const opencl_place *place, int number);
/* Lists up to `most` devices for which kernels can be built. Returns how many there are. */
size_t wadi_opencl_usable(opencl_place *places, size_t most);
extern const char wadi_opencl_none[]; /* what to install where there are no devices */
size_t wadi_opencl_list(wadi_device *devices, size_t most, const char **missing); /* wadi_driver's list */

#endif
