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

/* The variants that a stage is compiled in. Each kernel knows at compile time whether switches have their standard or
 * reduced values, whether constants are uniform, and whether a neighbour may lie outside the grid.
 *
 *   kind             switches  constants        cells
 *   STANDARD         standard  uniform          the cell and its neighbours lie inside
 *   STANDARD_BORDER  standard  uniform          all
 *   REDUCED          reduced   uniform          the cell and its neighbours lie inside
 *   REDUCED_BORDER   reduced   uniform          all
 *   ANY              any       uniform          the cell and its neighbours lie inside
 *   ANY_BORDER       any       uniform          all
 *   MAPS             standard  rows of values   all
 *   ANY_MAPS         any       rows of values   all
 *
 * A kind plus WADI_ROW_TRACKED records changes, for idle tiles. The sums spilled and carried arise at the border, so
 * STANDARD, REDUCED and ANY do not write them. Only kernels for any switches write the sum exchanged. */
typedef enum wadi_row_kind {
    WADI_ROW_STANDARD,
    WADI_ROW_STANDARD_BORDER,
    WADI_ROW_REDUCED,
    WADI_ROW_REDUCED_BORDER,
    WADI_ROW_ANY,
    WADI_ROW_ANY_BORDER,
    WADI_ROW_MAPS,
    WADI_ROW_ANY_MAPS,
    WADI_ROW_TRACKED,
    WADI_ROW_KINDS = 2 * WADI_ROW_TRACKED
} wadi_row_kind;

typedef struct wadi_row_table {
    const char *model, *isa;
    wadi_row_fn *const (*stages)[WADI_ROW_KINDS];
    bool (*finite)(const float *row, int x0, int x1);
    /* lanes[x % WADI_LANES] += row[x]: the same sums for any vector width */
    void (*add_lanes)(double lanes[WADI_LANES], const float *row, int x0, int x1);
} wadi_row_table;

/* isa: NULL for the widest of this CPU. Returns NULL if there is none of that name. */
const wadi_row_table *wadi_row_table_find(const char *model, const char *isa);

#endif
