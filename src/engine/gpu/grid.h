/* grid.h (internal): the places of a field's cells in a buffer of device memory. */
#ifndef WADI_GPU_GRID_H
#define WADI_GPU_GRID_H

#include "wadi/sim.h"

#define WADI_GPU_BLOCK_COLUMNS 32 /* of a field in an interleaved buffer; as in kernels/places.h */

/* As in kernels/places.h. */
typedef struct wadi_gpu_grid {
    int64_t origin, pitch;
    int32_t width, height, wrap, columns, apart;
} wadi_gpu_grid;

/* Of a field with a buffer of its own. */
wadi_gpu_grid wadi_gpu_grid_alone(const wadi_def *def);
size_t wadi_gpu_bytes(const wadi_gpu_grid *grid);
/* Of a field in the slot-th place of an interleaved buffer of so many fields. */
wadi_gpu_grid wadi_gpu_grid_among(const wadi_gpu_grid *alone, int fields, int slot);

#endif
