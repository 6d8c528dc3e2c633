/* discs.h (internal): rainfall events of a sub-step: precipitation discs, and points of showers. */
#ifndef WADI_CORE_DISCS_H
#define WADI_CORE_DISCS_H

#include "wadi/sim.h"

#define WADI_MOST_SHOWERS 64 /* in a sub-step */

typedef struct wadi_disc {
    double x, y, radius_m; /* centre in cells */
    float depth;           /* m in this sub-step; if gaussian, at the centre */
    int gaussian;
} wadi_disc; /* the same members as in falls_cell.h */

/* Precipitation of one sub-step: first the sources, then the random drops. Each thread has its own list, so that
 * threads need no locks. */
typedef struct wadi_discs {
    wadi_disc *list;
    size_t count, capacity;
    int64_t first_shower; /* its number, counted since the start */
    int showers;
} wadi_discs;

typedef struct wadi_supply {
    wadi_source *sources;
    double *source_cells; /* for each source: the number of cells with data under its disc, weighted */
    size_t source_count;
    wadi_discs *discs; /* for each thread, and each sub-step of its pass */
    size_t lists;      /* number of lists */
} wadi_supply;

#endif
