/* pieces.h (internal): how a grid is shared out among the groups that walk down it. */
#ifndef WADI_GPU_PIECES_H
#define WADI_GPU_PIECES_H

#include <stdbool.h>
#include <stdint.h>

/* Rows y0 to y1 of the x-th group's columns. As in kernels/march.h; edges, until the device has found them: it is at
 * the border. */
typedef struct wadi_gpu_piece {
    int32_t x, y0, y1, edges;
} wadi_gpu_piece;

typedef struct wadi_gpu_pieces {
    wadi_gpu_piece *list; /* malloc'ed */
    int count, capacity;
} wadi_gpu_pieces;

/* What is shared out, and among whom. */
typedef struct wadi_gpu_sharing {
    int columns, height; /* columns of groups, rows of cells */
    int edge_rows;       /* from which the border above or below is seen */
    int rows_twice;      /* that a piece does beside its own, and what else it takes, in rows */
    int units, groups;   /* multiprocessors, and groups that each does side by side */
} wadi_gpu_sharing;

#define WADI_GPU_FEW_ROWS 64

/* Pieces come in the order in which they should be begun. Adds those of so many rows; of FEW_ROWS or more, most of a
 * column so, and the rest smaller. false: no memory. */
bool wadi_gpu_pieces_of_rows(wadi_gpu_pieces *pieces, const wadi_gpu_sharing *sharing, int rows);
/* Those of several ways to share it out that are done first, by reckoning. */
bool wadi_gpu_pieces_best(wadi_gpu_pieces *pieces, const wadi_gpu_sharing *sharing);

#endif
