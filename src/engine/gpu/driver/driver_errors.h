/* driver_errors.h (internal): what the drivers say where something fails, one line each, and what they check alike. */
#ifndef WADI_GPU_DRIVER_ERRORS_H
#define WADI_GPU_DRIVER_ERRORS_H

#include "engine/gpu/driver/driver.h"

/* doing: "running a kernel". error: the driver's name for it. */
wadi_status wadi_gpu_lost(const wadi_device *device, const char *doing, const char *error);
wadi_status wadi_gpu_no_memory(const wadi_device *device, uint64_t asked, uint64_t left);
/* For an engine's list: there is no such number among `count`. missing: as wadi_devices. */
wadi_status wadi_gpu_no_device(const char *engine, int number, size_t count, const char *missing);
/* Says the log's first error. All of it goes to the file that the environment variable WADI_GPU_LOG names. */
wadi_status wadi_gpu_build_failed(const wadi_device *device, const char *log);
/* A kernel that asks for more work items or local memory than it can have here: WADI_ERROR_UNSUPPORTED. */
wadi_status wadi_gpu_too_large(const wadi_device *device, const wadi_gpu_launch *launch, size_t most_items);
/* Whether the rows lie in a memory of so many bytes; an argument error. */
wadi_status wadi_gpu_check_rows(const wadi_gpu_rows *rows, size_t bytes);
/* No gaps on either side: one piece. */
bool wadi_gpu_rows_are_contiguous(const wadi_gpu_rows *rows);

/* WADI_GPU_FAIL: counts launches; true from that one on. */
bool wadi_gpu_fails_on_purpose(unsigned *launches);

#endif
