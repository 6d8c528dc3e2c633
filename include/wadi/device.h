/* device.h: the devices that a simulation can run on besides the CPU: what OpenCL and CUDA find on this machine. Both
 * are looked for at run time; nothing of them is needed to build or to run without. Kernels that were built are kept
 * in the user's cache folder, or in the one that the environment variable WADI_CACHE names ("": nowhere). WADI_NVRTC
 * names CUDA's library NVRTC where it is not found by itself. */
#ifndef WADI_DEVICE_H
#define WADI_DEVICE_H

#include "wadi/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wadi_device {
    wadi_engine engine;     /* WADI_ENGINE_OPENCL or WADI_ENGINE_CUDA */
    int number;             /* of its engine's, from 0: wadi_def.device */
    char name[128];         /* "NVIDIA H200" */
    char driver[128];       /* whose it is and which version: with it and the name, kernels that were built are known */
    bool gpu;               /* false: a CPU by way of OpenCL, say */
    bool strict;            /* rounds as IEEE asks: the CPU's bits. Else it takes WADI_RELAXED alone. */
    bool float64;           /* can reckon with 64-bit floats: totals are then made there */
    uint64_t memory_bytes;  /* in all */
    uint64_t free_bytes;    /* now; memory_bytes where the driver does not tell */
    uint64_t largest_bytes; /* that one field may have */
    uint64_t local_bytes;   /* of memory shared in a work group */
    int units;              /* multiprocessors, compute units */
    int capability;         /* NVIDIA's compute capability, 90 for 9.0; 0: another's */
    double clock_hz;
} wadi_device;

/* Fills in up to `most` of the engine's devices and says how many there are. *missing: NULL, or where there is none one
 * line that says what to install. */
WADI_API size_t wadi_devices(wadi_engine engine, wadi_device *devices, size_t most, const char **missing);

/* Bytes of a device's memory that a simulation of this definition takes at least there; 0 for the CPU's engines. With
 * more, it goes several steps in a pass. */
WADI_API uint64_t wadi_def_device_memory(const wadi_def *def);

/* What WADI_ENGINE_AUTO stands for: the fastest strict GPU on which the definition fits, else the CPU. Sets engine and
 * device. */
WADI_API void wadi_def_choose_engine(wadi_def *def);

/* What copying within the device's memory moves in a second, read and written bytes together: the measure for what a
 * run could reach there. Takes about a second and memory of a few times the device's last cache. Fails with
 * WADI_ERROR_MEMORY and WADI_ERROR_DEVICE. */
WADI_API wadi_status wadi_device_bandwidth(wadi_engine engine, int device, double *bytes_per_s);

#ifdef __cplusplus
}
#endif
#endif
