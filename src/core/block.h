/* block.h (internal): a rectangular part of the grid with its fields and a halo of one cell. The whole grid is one
 * block. */
#ifndef WADI_CORE_BLOCK_H
#define WADI_CORE_BLOCK_H

#include <string.h>

#include "core/model.h"

#define WADI_PAD 16 /* columns before and after a row, one vector wide, so that rows start aligned */

typedef struct wadi_block {
    int width, height, threads;    /* threads: each first touches its part of a field */
    ptrdiff_t pitch;               /* floats from one row to the next */
    const char *folder;            /* fields and maps lie in nameless files there; NULL: in memory */
    float *field[WADI_MAX_FIELDS]; /* points to cell (0, 0); NULL: the field is not in use */
    float *map[WADI_MAX_MAPS];     /* NULL: the constant is uniform */
} wadi_block;

/* Bytes of a field with its halo. */
uint64_t wadi_block_field_bytes(int width, int height);
void wadi_block_shape(wadi_block *block, int width, int height, int threads);
/* Allocates a field and fills it with `value`. `which` staggers the fields in the caches. NULL: out of memory, or with
 * a folder the errno of the file. */
float *wadi_block_allocate(const wadi_block *block, int which, float value);
void wadi_block_free(const wadi_block *block, int which, float *field);
/* Releases the field's memory until it is next written. Its values are lost. */
void wadi_block_drop(const wadi_block *block, int which, float *field);

/* Rows of a field in a file: the system takes their memory. Their values stay. */
void wadi_block_pass(const wadi_block *block, float *field, int y, int rows);

static inline float *wadi_block_row(const wadi_block *block, float *field, int y) { return field + y * block->pitch; }

/* Fills the halo with `value`. */
void wadi_block_surround(const wadi_block *block, float *field, float value);
/* Periodic grid: fills the halo columns of a row from its opposite end. (Halo rows need no copy: rows are found by
 * their number.) */
static inline void wadi_block_close_row(const wadi_block *block, float *row) {
    row[-1] = row[block->width - 1];
    row[block->width] = row[0];
}

static inline uint32_t wadi_bits(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
/* Whether all values in columns x0 .. x1 - 1 are finite. */
static inline bool wadi_row_finite(const float *row, int x0, int x1) {
    uint32_t bad = 0;
    for (int x = x0; x < x1; x++) bad |= (wadi_bits(row[x]) & 0x7f800000u) == 0x7f800000u;
    return bad == 0;
}

#endif
