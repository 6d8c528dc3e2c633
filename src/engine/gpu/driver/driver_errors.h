/* driver_errors.h (internal): the drivers' messages, one line each, and the checks that they share. */
#ifndef WADI_GPU_DRIVER_ERRORS_H
#define WADI_GPU_DRIVER_ERRORS_H

#include "engine/gpu/driver/driver.h"

/* doing: such as "running a kernel". error: the driver's name of the error. */
wadi_status wadi_gpu_lost(const wadi_device *device, const char *doing, const char *error);
wadi_status wadi_gpu_no_memory(const wadi_device *device, uint64_t asked, uint64_t left);
/* There is no device `number` among the `count` devices of an engine. missing: as in wadi_devices. */
wadi_status wadi_gpu_no_device(const char *engine, int number, size_t count, const char *missing);
/* Reports the first error of the log. The whole log goes to the file that the environment variable WADI_GPU_LOG names.
 */
wadi_status wadi_gpu_build_failed(const wadi_device *device, const char *log);
/* The kernel needs more work items or local memory than it can have: WADI_ERROR_UNSUPPORTED. */
wadi_status wadi_gpu_too_large(const wadi_device *device, const wadi_gpu_launch *launch, size_t most_items);
/* Checks that the rows lie within a memory of so many bytes. Else it is an argument error. */
wadi_status wadi_gpu_check_rows(const wadi_gpu_rows *rows, size_t bytes);
/* True if the rows have no gaps on either side. */
bool wadi_gpu_rows_are_contiguous(const wadi_gpu_rows *rows);

/* Counts launches for WADI_GPU_FAIL: true from that launch on. */
bool wadi_gpu_fails_on_purpose(unsigned *launches);

#endif
