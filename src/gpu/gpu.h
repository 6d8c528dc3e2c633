/* gpu.h (internal): the GPU engine's inside. The state stays on the device; the block is its mirror (core/mirror.c). */
#ifndef WADI_GPU_GPU_H
#define WADI_GPU_GPU_H

#include "core/sim.h"
#include "gpu/driver.h"

#define WADI_GPU_MARGIN 32      /* columns beside the grid, so that rows start aligned */
#define WADI_GPU_MARGIN_ROWS 16 /* rows above and below */
#define WADI_GPU_PLAIN_ITEMS 128

/* As in kernels/dialect.h. */
typedef struct wadi_gpu_grid {
    int64_t origin, pitch;
    int32_t width, height, wrap, unused;
} wadi_gpu_grid;

typedef struct wadi_gpu_engine {
    const wadi_driver *driver;
    wadi_device about;
    wadi_gpu *gpu;
    wadi_gpu_grid grid;
    size_t count;  /* floats of a field */
    char *choices; /* what the program was made for */
    wadi_gpu_program *program;
    wadi_gpu_kernel *start, *wrap, *look, *add_up;
    wadi_gpu_kernel *plain[WADI_MAX_STAGES];
    wadi_gpu_memory *field[WADI_MAX_FIELDS], *kept[WADI_MAX_FIELDS];
    wadi_gpu_memory *map[WADI_MAX_MAPS];
    wadi_gpu_memory *slots[WADI_SUMS], *lines, *bad;
    int slots_a_line, line_count;
    /* rain that differs by place: by row, whether discs or showers lie on it; the rows to be sent */
    uint8_t *touched[2];
    float *rows;
    wadi_discs sent;
} wadi_gpu_engine;

/* The program's text for what the simulation has chosen; NULL: no memory. malloc'ed. */
char *wadi_gpu_source(const wadi_sim *sim);

/* rain.c: makes the maps of rain what falls in sub-step `ahead`. */
wadi_status wadi_gpu_rain(wadi_sim *sim, int64_t ahead);

#endif
