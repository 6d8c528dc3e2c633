/* driver.h (internal): the functions by which the GPU engine uses a device. OpenCL and CUDA each fill in the table.
 * Commands run in the order of the calls. A call that moves data to or from the host's memory returns when it is done.
 * A failure gives one line by wadi_fail, and WADI_ERROR_DEVICE if the device is at fault. A kernel's fault may be found
 * by a later call only.
 *
 * For tests: with WADI_GPU_FAIL=N in the environment, the Nth launch of an open device and all later ones fail like
 * those of a lost device. If a program does not build, the compiler's whole log goes to the file that WADI_GPU_LOG
 * names. */
#ifndef WADI_GPU_DRIVER_H
#define WADI_GPU_DRIVER_H

#include "wadi/device.h"

typedef struct wadi_gpu wadi_gpu;                 /* an open device with a queue of commands */
typedef struct wadi_gpu_memory wadi_gpu_memory;   /* a buffer in its memory */
typedef struct wadi_gpu_program wadi_gpu_program; /* kernels built together */
typedef struct wadi_gpu_kernel wadi_gpu_kernel;   /* lives as long as its program */

enum { GPU_BORROWED = WADI_MOST_GL_FIELDS };

/* An argument of a kernel: memory, or `bytes` at `value`. */
typedef struct wadi_gpu_argument {
    const wadi_gpu_memory *memory;
    const void *value;
    size_t bytes;
} wadi_gpu_argument;

#define WADI_GPU_MEMORY(handle) ((wadi_gpu_argument){.memory = (handle)})
#define WADI_GPU_VALUE(variable) ((wadi_gpu_argument){.value = &(variable), .bytes = sizeof(variable)})

/* A rectangle: `rows` rows of `bytes` bytes. Rows begin `pitch` bytes apart on the device, from `offset` on, and
 * host_pitch bytes apart on the host. */
typedef struct wadi_gpu_rows {
    size_t offset, pitch, host_pitch, bytes, rows;
} wadi_gpu_rows;

/* Names device memory among the processes of a machine. */
typedef struct wadi_gpu_name {
    char machine[40];
    char handle[64];
    uint64_t bytes;
} wadi_gpu_name;

typedef struct wadi_gpu_launch {
    size_t groups[2];   /* work groups (blocks) in x and y; at most 65535 in y; 0: no launch */
    size_t group_items; /* work items (threads) of a group, all in x */
    size_t local_bytes; /* local (shared) memory beyond what the kernel declares. OpenCL's last argument points to it;
                         * in CUDA it is the extern array. 0: none, and no such argument */
    bool together;      /* all groups run at the same time and may wait for each other; at most `most_together` */
} wadi_gpu_launch;

typedef struct wadi_driver {
    const char *name; /* "opencl" */
    /* As wadi_devices. */
    size_t (*list)(wadi_device *devices, size_t most, const char **missing);
    /* relaxed: kernels are built without the options for strict arithmetic. A device that is not strict needs it. */
    wadi_status (*open)(int number, bool relaxed, wadi_gpu **gpu);
    void (*close)(wadi_gpu *gpu);

    /* The content is undefined. Too little memory gives WADI_ERROR_MEMORY here, and not in a later call. */
    wadi_status (*allocate)(wadi_gpu *gpu, size_t bytes, wadi_gpu_memory **memory);
    void (*free)(wadi_gpu *gpu, wadi_gpu_memory *memory); /* takes NULL */
    wadi_status (*write)(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu_rows *rows, const void *from);
    wadi_status (*read)(wadi_gpu *gpu, const wadi_gpu_memory *from, const wadi_gpu_rows *rows, void *to);
    wadi_status (*copy)(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu_memory *from, size_t bytes);
    /* Copies from the memory of another device of this driver, whose commands must be done. Later commands of this
     * device wait for the copy. */
    wadi_status (*copy_from)(wadi_gpu *gpu, wadi_gpu_memory *to, const wadi_gpu *other, const wadi_gpu_memory *from,
                             size_t bytes);

    /* Memory of another process on this machine. offer: a name of the memory. reach: the memory of that name, to copy
     * from; NULL: not possible. forget: before the other process frees it. NULL if the driver cannot. */
    bool (*offer)(wadi_gpu *gpu, const wadi_gpu_memory *memory, wadi_gpu_name *name);
    wadi_gpu_memory *(*reach)(wadi_gpu *gpu, const wadi_gpu_name *name);
    void (*forget)(wadi_gpu *gpu, wadi_gpu_memory *memory); /* takes NULL */

    /* Addresses of memory, for a transport that reads and writes it while no command does. The device is current in
     * this thread until take_back. false: it is lost. NULL if its memory has no addresses. */
    bool (*lend)(const wadi_gpu *gpu, const wadi_gpu_memory *const *memory, int count, void **addresses);
    void (*take_back)(const wadi_gpu *gpu);

    /* Maps up to GPU_BORROWED buffers of OpenGL as writable memory. They belong to the OpenGL context that is current
     * in this thread. All are given back together, and then OpenGL sees what was written. Their size must not change
     * until the device is closed. WADI_ERROR_UNSUPPORTED: no context is current, or it is on another device; the device
     * stays usable. NULL if the driver cannot share memory. */
    wadi_status (*borrow)(wadi_gpu *gpu, const unsigned *buffers, int count, size_t bytes, wadi_gpu_memory **memory);
    wadi_status (*give_back)(wadi_gpu *gpu);

    /* Builds a program from its source, or takes it from the cache on disk (cache.h). A strict program fuses no
     * multiplication and addition, rounds divisions and square roots as IEEE 754 requires, and keeps denormals. */
    wadi_status (*build)(wadi_gpu *gpu, const char *source, wadi_gpu_program **program);
    /* Builds it into the cache alone, if it is not there. Several threads may do so at once. NULL: not possible. */
    void (*build_ahead)(const wadi_gpu *gpu, const char *source);
    void (*release)(wadi_gpu *gpu, wadi_gpu_program *program); /* takes NULL */
    wadi_status (*find)(wadi_gpu *gpu, wadi_gpu_program *program, const char *name, wadi_gpu_kernel **kernel);
    /* WADI_ERROR_UNSUPPORTED: the kernel cannot have so many work items or so much local memory. The device stays
     * usable. */
    wadi_status (*launch)(wadi_gpu *gpu, wadi_gpu_kernel *kernel, const wadi_gpu_launch *launch,
                          const wadi_gpu_argument *arguments, int count);
    /* The number of groups of this size that run at the same time. NULL if the driver does not know: then groups must
     * not wait for each other. */
    size_t (*most_together)(wadi_gpu *gpu, wadi_gpu_kernel *kernel, const wadi_gpu_launch *launch);
    wadi_status (*finish)(wadi_gpu *gpu); /* waits until all commands are done */
} wadi_driver;

#define WADI_DRIVER_NONE(constant, name)
#define WADI_DRIVER_EXTERN(constant, name) extern const wadi_driver wadi_driver_##name;
WADI_EACH_ENGINE(WADI_DRIVER_NONE, WADI_DRIVER_EXTERN)
const wadi_driver *wadi_driver_of(wadi_engine engine); /* NULL for the CPU's */
/* Builds a program and frees its source. A source of NULL means that memory was missing for it. */
wadi_status wadi_driver_build(const wadi_driver *driver, wadi_gpu *gpu, char *source, wadi_gpu_program **program);

#endif
