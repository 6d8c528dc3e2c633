/* grid.c: the places of cells in a buffer. */
#include "engine/gpu/grid.h"

#include "engine/gpu/codegen/layout.h"

wadi_gpu_grid wadi_gpu_grid_among(const wadi_gpu_grid *alone, int fields, int slot) {
    wadi_gpu_grid grid = *alone;
    grid.apart = WADI_GPU_BLOCK_COLUMNS * fields;
    grid.pitch = (int64_t)fields * alone->columns;
    grid.origin = WADI_GPU_MARGIN_ROWS * grid.pitch + slot * WADI_GPU_BLOCK_COLUMNS;
    return grid;
}

wadi_gpu_grid wadi_gpu_grid_alone(const wadi_def *def) {
    wadi_gpu_grid grid = {.width = def->width, .height = def->height, .wrap = def->boundary == WADI_WRAP};
    grid.columns = wadi_gpu_columns(def);
    return wadi_gpu_grid_among(&grid, 1, 0);
}

size_t wadi_gpu_bytes(const wadi_gpu_grid *grid) {
    return (size_t)grid->columns * ((size_t)grid->height + 2 * WADI_GPU_MARGIN_ROWS) * sizeof(float);
}
