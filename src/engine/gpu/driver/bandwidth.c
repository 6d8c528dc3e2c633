/* bandwidth.c: measures the bandwidth of a device's memory by copies within it. */
#include <stdlib.h>

#include "core/need.h"
#include "engine/gpu/codegen/programs.h"
#include "engine/gpu/driver/driver.h"
#include "platform/platform.h"

#define ITEMS 512

typedef struct copying {
    const wadi_driver *driver;
    wadi_gpu *gpu;
    wadi_gpu_program *program;
    wadi_gpu_kernel *kernel;
    wadi_gpu_memory *from, *to;
    int64_t count; /* of 16 bytes */
} copying;

static wadi_status copy(const copying *c, int times) {
    const wadi_gpu_launch launch = {.groups = {((size_t)c->count + ITEMS - 1) / ITEMS, 1}, .group_items = ITEMS};
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(c->from), WADI_GPU_MEMORY(c->to), WADI_GPU_VALUE(c->count)};
    wadi_status status = WADI_OK;
    for (int i = 0; i < times && status == WADI_OK; i++)
        status = c->driver->launch(c->gpu, c->kernel, &launch, arguments, 3);
    return status == WADI_OK ? c->driver->finish(c->gpu) : status;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Measures several rounds and returns their median. */
static wadi_status measure(const copying *c, double *bytes_per_s) {
    enum { ROUNDS = 9, TIMES = 4 };
    double seconds[ROUNDS];
    wadi_status status = copy(c, 1);
    for (int i = 0; i < ROUNDS && status == WADI_OK; i++) {
        const double begin = platform_clock_s();
        status = copy(c, TIMES);
        seconds[i] = platform_clock_s() - begin;
    }
    if (status != WADI_OK) return status;
    qsort(seconds, ROUNDS, sizeof *seconds, by_size);
    *bytes_per_s = 32.0 * (double)c->count * TIMES / seconds[ROUNDS / 2];
    return WADI_OK;
}

/* Bytes of each of the two buffers: a twentieth of the memory, at most 2 GiB. This is many times what a GPU's caches
 * hold. */
static int64_t bytes_of(const wadi_device *device) {
    uint64_t bytes = device->free_bytes / 20;
    if (bytes > device->largest_bytes) bytes = device->largest_bytes;
    if (bytes > UINT64_C(2) << 30) bytes = UINT64_C(2) << 30;
    return (int64_t)(device->gpu || bytes < 64 << 20 ? bytes : 64 << 20) / 4096 * 4096;
}

static wadi_status prepare(copying *c, int number, const wadi_device *device) {
    const size_t bytes = (size_t)bytes_of(device);
    c->count = (int64_t)bytes / 16;
    wadi_status status = c->driver->open(number, true, &c->gpu);
    if (status == WADI_OK) status = wadi_driver_build(c->driver, c->gpu, wadi_gpu_copy_source(), &c->program);
    if (status == WADI_OK) status = c->driver->find(c->gpu, c->program, "copy", &c->kernel);
    if (status == WADI_OK) status = c->driver->allocate(c->gpu, bytes, &c->from);
    if (status == WADI_OK) status = c->driver->allocate(c->gpu, bytes, &c->to);
    return status;
}

wadi_status wadi_device_bandwidth(wadi_engine engine, int number, double *bytes_per_s) {
    WADI_NEED(bytes_per_s);
    wadi_device devices[32];
    copying c = {.driver = wadi_driver_of(engine)};
    const char *missing = NULL;
    const size_t count = wadi_devices(engine, devices, 32, &missing);
    if (c.driver == NULL || number < 0 || number >= (int)count || number >= 32)
        return wadi_fail(WADI_ERROR_ARGUMENT, "device %d: there are %zu, from 0", number, count);
    wadi_status status = prepare(&c, number, &devices[number]);
    if (status == WADI_OK) status = measure(&c, bytes_per_s);
    if (c.gpu != NULL) {
        c.driver->free(c.gpu, c.from);
        c.driver->free(c.gpu, c.to);
        c.driver->release(c.gpu, c.program);
        c.driver->close(c.gpu);
    }
    return status;
}
