/* sort.h (internal): cells in the order of their height. */
#ifndef WADI_CORE_SORT_H
#define WADI_CORE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* A cell's key sorts like its height: -0 and 0 are one. The height is in the upper half, the number in the lower. */
uint64_t wadi_height_key(float height, uint32_t cell);
/* Writes a key for each cell with data. Returns how many. */
size_t wadi_height_keys(const float *heights, size_t count, uint64_t *keys);
/* Sorts by the upper half. Cells of equal height keep their order. Returns the sorted keys, which are in `spare`. */
const uint64_t *wadi_sort_heights(uint64_t *keys, uint64_t *spare, size_t count);

#endif
