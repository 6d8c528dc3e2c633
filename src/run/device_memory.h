/* device_memory.h: what simulations need of a device's memory, and whether it has as much. */
#ifndef WADI_RUN_DEVICE_MEMORY_H
#define WADI_RUN_DEVICE_MEMORY_H

#include "wadi/device.h"

/* Of the definitions' device, all together; 0 for the CPU. */
uint64_t run_memory_on_device(const wadi_def *defs, size_t count);
bool run_memory_fits_device(const wadi_def *defs, size_t count, const wadi_device *device);
double run_memory_of_field(const wadi_def *def); /* bytes: a device may limit the size of an allocation */

#endif
