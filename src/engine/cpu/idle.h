/* idle.h (internal): tiles that a sub-step may skip. A sub-step is a pure function of the state and the rain. Where no
 * bit of either changed in a tile and its eight neighbours, the next sub-step would write what is there already. The
 * engine skips it, and the result has the same bits. This has three conditions. Tiles are at least as large as a
 * sub-step's reach. Every change of state and sums is recorded. No second stage overwrites scratch while neighbours
 * read it. */
#ifndef WADI_ENGINE_IDLE_H
#define WADI_ENGINE_IDLE_H

#include "core/engine.h"
#include "engine/cpu/rows.h"

/* Tiles are WADI_TILE_COLUMNS wide, except the last; the lowest may be higher than the others. */
typedef struct wadi_idle {
    int columns, rows;   /* of tiles */
    int tile_rows;       /* of cells */
    uint8_t *changed[2]; /* by tile: something changed in this sub-step and in the last one, in turn */
    uint8_t *active;     /* by tile: must be computed in this sub-step */
    uint64_t edits;      /* the simulation's edits when the record was made */
    int team;
} wadi_idle;

bool wadi_idle_open(wadi_idle *idle, const wadi_domain *domain);
void wadi_idle_close(wadi_idle *idle);

/* Tiles of this run can be idle at all. */
bool wadi_idle_possible(const wadi_idle *idle, const wadi_domain *domain);
/* Before a pass by a team of threads: drops records that no longer hold. */
void wadi_idle_ready(wadi_idle *idle, const wadi_domain *domain, int team, bool tracked);

/* The row of tiles that contains row y of cells; the first row of cells of a row of tiles, or past the last. */
int wadi_idle_row(const wadi_idle *idle, int y);
int wadi_idle_first(const wadi_idle *idle, const wadi_domain *domain, int row);

/* At the start of a sub-step, for rows of tiles row0 to row1 - 1, once their neighbours have finished the last one.
 * Returns the cells that are skipped. */
int64_t wadi_idle_begin(wadi_idle *idle, const wadi_domain *domain, const wadi_discs *discs, int64_t substep, int row0,
                        int row1);

/* The same for a sub-step in which no changes are recorded. */
void wadi_idle_all_changed(wadi_idle *idle, int64_t substep, int row0, int row1);

/* Between sub-steps: marks tiles in which these rows of the state differ from what the block holds. The rows come as in
 * wadi_domain_unpack. */
void wadi_idle_compare(wadi_idle *idle, const wadi_domain *domain, int y, int rows, const float *state);

static inline const uint8_t *wadi_idle_active(const wadi_idle *idle, int row) {
    return idle->active + (size_t)row * (size_t)idle->columns;
}
static inline uint8_t *wadi_idle_changed(const wadi_idle *idle, int64_t substep, int row) {
    return idle->changed[substep & 1] + (size_t)row * (size_t)idle->columns;
}

#endif
