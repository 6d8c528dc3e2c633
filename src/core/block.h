/* block.h (internal): a rectangular part of the grid with all its fields and a halo of one cell. It is all that an
 * engine sees; the whole grid, a tile, a rank's part and a slab on disk are blocks. */
#ifndef WADI_CORE_BLOCK_H
#define WADI_CORE_BLOCK_H

#include <string.h>

#include "core/model.h"

#define WADI_PAD 16 /* columns before and after a row: a vector's width, so that rows start aligned */

typedef struct wadi_block {
    int width, height, threads;    /* that touch a part of each field first */
    ptrdiff_t pitch;               /* floats from a row to the next */
    float *field[WADI_MAX_FIELDS]; /* cell (0, 0); NULL where the field is not in use */
    float *map[WADI_MAX_MAPS];     /* NULL where the constant is the same everywhere */
} wadi_block;

/* A field's bytes with its halo. */
uint64_t wadi_block_field_bytes(int width, int height);
void wadi_block_shape(wadi_block *block, int width, int height, int threads);
/* A field's storage, everywhere `value`; `which` staggers it against the others in the caches. NULL: no memory. */
float *wadi_block_allocate(const wadi_block *block, int which, float value);
void wadi_block_free(const wadi_block *block, int which, float *field);
/* Gives its memory back until it is next written; what it held is lost. */
void wadi_block_drop(const wadi_block *block, int which, float *field);

static inline float *wadi_block_row(const wadi_block *block, float *field, int y) { return field + y * block->pitch; }

/* The halo, filled with `value`. */
void wadi_block_surround(const wadi_block *block, float *field, float value);
/* Periodic grid: fills the halo columns of a row from its other end. (Rows are found by their number.) */
static inline void wadi_block_close_row(const wadi_block *block, float *row) {
    row[-1] = row[block->width - 1];
    row[block->width] = row[0];
}

static inline uint32_t wadi_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
/* Whether none of columns x0 .. x1 - 1 is infinite or no number. */
static inline bool wadi_row_finite(const float *row, int x0, int x1) {
    uint32_t bad = 0;
    for (int x = x0; x < x1; x++) bad |= (wadi_bits(row[x]) & 0x7f800000u) == 0x7f800000u;
    return bad == 0;
}

#endif
