/* driver.h (internal): what the GPU engine needs of a device, by whatever way it is reached. Commands run in the order
 * in which they are given; those that move data to or from the host's memory have done so when they return. Failures
 * are wadi_fail's one line, and WADI_ERROR_DEVICE where the device itself is at fault; what a kernel did wrong may only
 * be found by a later call.
 *
 * For tests: with WADI_GPU_FAIL=N in the environment an open device's Nth launch and all after it fail like a lost
 * device's. Where a program does not build, its compiler's whole log goes to the file that WADI_GPU_LOG names. */
#ifndef WADI_GPU_DRIVER_H
#define WADI_GPU_DRIVER_H

#include "wadi/device.h"

typedef struct wadi_gpu wadi_gpu;                 /* an open device with a queue of commands */
typedef struct wadi_gpu_memory wadi_gpu_memory;   /* a buffer in its memory */
typedef struct wadi_gpu_program wadi_gpu_program; /* kernels built together */
typedef struct wadi_gpu_kernel wadi_gpu_kernel;   /* lives as long as its program */

enum { GPU_BORROWED = WADI_MOST_GL_FIELDS };

/* One of a kernel's arguments: memory, or `bytes` at `value`. */
typedef struct wadi_gpu_argument {
    const wadi_gpu_memory *memory;
    const void *value;
    size_t bytes;
} wadi_gpu_argument;

#define WADI_GPU_MEMORY(handle) ((wadi_gpu_argument){.memory = (handle)})
#define WADI_GPU_VALUE(variable) ((wadi_gpu_argument){.value = &(variable), .bytes = sizeof(variable)})

/* A rectangle of rows: `rows` times `bytes`, which follow each other at a distance of `pitch` bytes on the device, from
 * `offset` on, and of host_pitch on the host. */
typedef struct wadi_gpu_rows {
    size_t offset, pitch, host_pitch, bytes, rows;
} wadi_gpu_rows;

typedef struct wadi_gpu_launch {
    size_t groups[2];   /* work groups (blocks) in x and y; at most 65535 in y. None: nothing is done */
    size_t group_items; /* work items (threads) in one, all in x */
    size_t local_bytes; /* of local (shared) memory, beyond what the kernel declares: OpenCL's last argument is a
                           pointer to it, CUDA's is the extern array. 0: none, and no such argument */
    bool together; /* all groups are there at the same time, and may wait for each other: `most_together` at most */
} wadi_gpu_launch;

typedef struct wadi_driver {
    const char *name; /* "opencl" */
    /* As wadi_devices. */
    size_t (*list)(wadi_device *devices, size_t most, const char **missing);
    /* relaxed: built without what strict arithmetic needs. A device that is not strict takes nothing else. */
    wadi_status (*open)(int number, bool relaxed, wadi_gpu **gpu);
    void (*close)(wadi_gpu *gpu);

    /* What it holds is not defined. WADI_ERROR_MEMORY where there is not so much, here and not later. */
    wadi_status (*allocate)(wadi_gpu *gpu, size_t bytes, wadi_gpu_memory **memory);
    void (*free)(wadi_gpu *gpu, wadi_gpu_memory *memory); /* takes NULL */
    wadi_status (*write)(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu_rows *rows, const void *from);
    wadi_status (*read)(wadi_gpu *gpu, const wadi_gpu_memory *from, const wadi_gpu_rows *rows, void *to);
    wadi_status (*copy)(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu_memory *from, size_t bytes);

    /* Maps up to GPU_BORROWED buffers of OpenGL as writable memory. They belong to the context that is current in this
     * thread. All are given back at once; then OpenGL sees what was written. Their size must not change until the
     * device is closed. WADI_ERROR_UNSUPPORTED: there is no context, or it is not this device's; no harm is done. NULL
     * if the driver cannot do this. */
    wadi_status (*borrow)(wadi_gpu *gpu, const unsigned *buffers, int count, size_t bytes, wadi_gpu_memory **memory);
    wadi_status (*give_back)(wadi_gpu *gpu);

    /* A program from its text, or from the cache on disk (cache.h). Where it is strict, no multiplication and addition
     * are fused, divisions and square roots round as IEEE asks, and denormals are kept, whatever the text says. */
    wadi_status (*build)(wadi_gpu *gpu, const char *source, wadi_gpu_program **program);
    void (*release)(wadi_gpu *gpu, wadi_gpu_program *program); /* takes NULL */
    wadi_status (*find)(wadi_gpu *gpu, wadi_gpu_program *program, const char *name, wadi_gpu_kernel **kernel);
    /* WADI_ERROR_UNSUPPORTED: a group's items, or its local memory, are more than this kernel can have there; nothing
     * is broken by that. */
    wadi_status (*launch)(wadi_gpu *gpu, wadi_gpu_kernel *kernel, const wadi_gpu_launch *launch,
                          const wadi_gpu_argument *arguments, int count);
    /* How many groups of so many items and so much local memory are there at the same time. NULL: nothing is known of
     * it, so groups must not wait for each other. */
    size_t (*most_together)(wadi_gpu *gpu, wadi_gpu_kernel *kernel, const wadi_gpu_launch *launch);
    wadi_status (*finish)(wadi_gpu *gpu); /* waits till all is done */
} wadi_driver;

#define WADI_DRIVER_NONE(constant, name)
#define WADI_DRIVER_EXTERN(constant, name) extern const wadi_driver wadi_driver_##name;
WADI_EACH_ENGINE(WADI_DRIVER_NONE, WADI_DRIVER_EXTERN)
const wadi_driver *wadi_driver_of(wadi_engine engine); /* NULL for the CPU's */
/* Builds a program and frees its source. A source of NULL means that memory was missing for it. */
wadi_status wadi_driver_build(const wadi_driver *driver, wadi_gpu *gpu, char *source, wadi_gpu_program **program);

#endif
