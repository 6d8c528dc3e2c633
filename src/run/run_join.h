/* run_join.h: tiles of one map (run_tile.h), put together to a run folder of the whole. */
#ifndef WADI_RUN_RUN_JOIN_H
#define WADI_RUN_RUN_JOIN_H

#include "wadi/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The cells beside the seams, which two tiles have both. */
typedef struct join_seams {
    double largest, mean; /* difference of the height there, m */
    int x, y;             /* the cell of the largest */
} join_seams;

typedef struct join_done {
    int width, height;
    size_t tiles, maps;
    bool exact; /* every tile has the bits of the whole */
    join_seams seams;
} join_done;

/* Joins the runs in the folder `tiles`. Writes height, all maps that every tile has, and run.json. feather: cells on
 * each side of a seam in which the tiles blend; 0: each has its own cells alone. Refused are tiles of other runs, and
 * missing ones. Exact tiles must agree at their seams. */
wadi_status run_join(const char *tiles, int feather, const char *folder, bool force, join_done *done);

#endif
