/* device.h: the OpenCL and CUDA devices of this machine. The library looks for both drivers at run time. Neither is
 * needed to build it, or to run it on the CPU. Kernels are cached in the user's cache folder, or in the folder of the
 * environment variable WADI_CACHE ("": no cache). WADI_NVRTC is the path of CUDA's library NVRTC, if it is not found.
 */
#ifndef WADI_DEVICE_H
#define WADI_DEVICE_H

#include "wadi/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wadi_device {
    wadi_engine engine;     /* WADI_ENGINE_OPENCL or WADI_ENGINE_CUDA */
    int number;             /* among the devices of its engine, from 0: wadi_def.device */
    char name[128];         /* "NVIDIA H200" */
    char driver[128];       /* vendor and version; the cache identifies kernels by it and the name */
    bool gpu;               /* false: for example a CPU through OpenCL */
    bool strict;            /* rounds as IEEE 754 requires, so gives the CPU's bits; else only WADI_RELAXED works */
    bool float64;           /* has 64-bit floats: the totals of the balance are then reduced there */
    uint64_t memory_bytes;  /* in all */
    uint64_t free_bytes;    /* now; memory_bytes if the driver does not report it */
    uint64_t largest_bytes; /* largest size of one field */
    uint64_t local_bytes;   /* shared memory of a work group */
    int units;              /* multiprocessors, compute units */
    int capability;         /* NVIDIA's compute capability, 90 for 9.0; 0: another vendor */
    double clock_hz;
} wadi_device;

/* Fills in up to `most` of the engine's devices. Returns how many there are. *missing: NULL, or, without any device,
 * one line that says what to install. */
WADI_API size_t wadi_devices(wadi_engine engine, wadi_device *devices, size_t most, const char **missing);

/* Least device memory in bytes for a simulation of this definition, or for each of its parts; 0 for the CPU engines.
 * With more memory it makes several sub-steps per pass. */
WADI_API uint64_t wadi_def_device_memory(const wadi_def *def);

/* Resolves WADI_ENGINE_AUTO: sets engine and device to the fastest strict GPU with enough memory. It takes the CPU if
 * there is none, or if the CPU needs less time for the expected steps. With def->tune the cache remembers what a choice
 * of the CPU loses because kernels are not built yet: many such runs are worth a build. */
WADI_API void wadi_def_choose_engine(wadi_def *def);
/* Builds the kernels that the simulations will need into the cache, several at the same time. Otherwise each is built
 * when its simulation first makes a step. Give them their maps before. It cannot fail; NULL in the list is skipped. */
WADI_API void wadi_build_ahead(wadi_sim *const *sims, size_t count);

/* The bandwidth of a copy within the device's memory, read and written bytes together. It is the limit for a
 * memory-bound run. Takes about a second, and memory of a few times the device's last-level cache. Fails with
 * WADI_ERROR_MEMORY and WADI_ERROR_DEVICE. */
WADI_API wadi_status wadi_device_bandwidth(wadi_engine engine, int device, double *bytes_per_s);

#ifdef __cplusplus
}
#endif
#endif
