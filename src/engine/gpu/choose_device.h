/* choose_device.h (internal): chooses the device of a simulation. */
#ifndef WADI_GPU_CHOOSE_DEVICE_H
#define WADI_GPU_CHOOSE_DEVICE_H

#include "core/engine.h"
#include "wadi/device.h"

/* The device that the definition asks for, or the best one that suits. */
wadi_status wadi_gpu_choose_device(const wadi_domain *domain, wadi_device *device);

#endif
