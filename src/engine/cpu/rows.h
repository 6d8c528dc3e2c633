/* rows.h (internal): row kernels, by which the CPU engine computes a stage in a range of columns of a row. */
#ifndef WADI_ENGINE_ROWS_H
#define WADI_ENGINE_ROWS_H

#include "core/model.h"

typedef struct wadi_rows {
    const float *above, *here, *below; /* at column 0; columns -1 and width may be read */
} wadi_rows;

#define WADI_TILE_COLUMNS 16

/* Computes columns x0 to x1 - 1. in: the stage's reads, then its maps. out: its writes, then its sums. changed, for
 * kernels that record changes: gets a 1 for every WADI_TILE_COLUMNS columns in which a bit of the state changes or a
 * sum is not 0. */
typedef void wadi_row_fn(int x0, int x1, const void *constants, const wadi_rows *in, float *const *out,
                         uint8_t *changed);

/* What a kernel knows of its cells and constants when it is compiled. INSIDE: the cells and their neighbours lie
 * inside. BORDER: any may lie outside. MAPS: any may lie outside, and constants are rows of values. The sums spilled
 * and carried arise at the border, so INSIDE does not write them. */
typedef enum wadi_row_form { WADI_ROW_INSIDE, WADI_ROW_BORDER, WADI_ROW_MAPS, WADI_ROW_FORMS } wadi_row_form;

/* The kernels of a stage, by three things. First, the set of values that its switches have; the last one is for any
 * values. Then the form. Then whether they record changes, for idle tiles. Only kernels for any values write the sum
 * exchanged. */
enum { WADI_ROW_ANY = WADI_SWITCH_SETS, WADI_ROW_SETS };
typedef wadi_row_fn *wadi_row_kernels[WADI_ROW_SETS][WADI_ROW_FORMS][2];

typedef struct wadi_row_table {
    const char *model, *isa;
    const wadi_row_kernels *stages;
    bool (*finite)(const float *row, int x0, int x1);
    /* lanes[x % WADI_LANES] += row[x]: the same sums for any vector width */
    void (*add_lanes)(double lanes[WADI_LANES], const float *row, int x0, int x1);
} wadi_row_table;

/* isa: NULL for the widest of this CPU. Returns NULL if there is none of that name. */
const wadi_row_table *wadi_row_table_find(const char *model, const char *isa);

#endif
