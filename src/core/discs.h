/* discs.h (internal): what falls from above, as discs and as points of showers. */
#ifndef WADI_CORE_DISCS_H
#define WADI_CORE_DISCS_H

#include "wadi/sim.h"

#define WADI_MOST_SHOWERS 64 /* in a sub-step */

typedef struct wadi_disc {
    double x, y, radius_m; /* centre in cells */
    float depth;           /* m in this sub-step; at the centre if gaussian */
    int gaussian;
} wadi_disc; /* in falls_cell.h too */

/* What falls in one sub-step: sources first, then drops. Each thread has its own list, so that none waits for
 * another's. */
typedef struct wadi_discs {
    wadi_disc *list;
    size_t count, capacity;
    int64_t first_shower; /* by number since the start */
    int showers;
} wadi_discs;

typedef struct wadi_supply {
    wadi_source *sources;
    double *source_cells; /* how many cells with data each source's disc covers, each by its weight */
    size_t source_count;
    wadi_discs *discs; /* by thread, and in it by sub-step of what it does at once */
    size_t lists;      /* of discs */
} wadi_supply;

#endif
