/* idle.h (internal): which tiles of the grid may be left alone in a sub-step.
 *
 * A sub-step is a pure function of the state and of what falls. Where neither has changed, bit for bit, in a tile and
 * the eight around it, the tile's next sub-step would write what is there already: it is left out, and no bit of the
 * result differs. For that, a tile must be at least as large as a sub-step's reach, every write to the state and every
 * sum is watched, and scratch that neighbours read is not written over by a second stage. */
#ifndef WADI_ENGINE_IDLE_H
#define WADI_ENGINE_IDLE_H

#include "core/sim.h"
#include "engine/cpu/rows.h"

/* A tile is WADI_TILE_COLUMNS wide, but for the last ones; the lowest may be higher than the others. */
typedef struct wadi_idle {
    int columns, rows;   /* of tiles */
    int tile_rows;       /* of cells */
    uint8_t *changed[2]; /* by tile: did anything change in this sub-step and the one before, or fall; by turns */
    uint8_t *active;     /* by tile: must be worked out in this sub-step */
    uint64_t edits;      /* of the simulation, when that was so */
    int team;
} wadi_idle;

bool wadi_idle_open(wadi_idle *idle, const wadi_sim *sim);
void wadi_idle_close(wadi_idle *idle);

/* Whether this run's tiles can be idle at all. */
bool wadi_idle_possible(const wadi_idle *idle, const wadi_sim *sim);
/* Before some sub-steps by a team of threads: forgets what is no longer so. */
void wadi_idle_ready(wadi_idle *idle, const wadi_sim *sim, int team, bool watched);

/* The row of tiles that row y of cells is in; the first row of cells in a row of tiles, or past the last. */
int wadi_idle_row(const wadi_idle *idle, int y);
int wadi_idle_first(const wadi_idle *idle, const wadi_sim *sim, int row);

/* At the beginning of a sub-step, for tiles' rows row0 .. row1 - 1, after those beside them have ended the last one.
 * How many cells are left out. */
int64_t wadi_idle_begin(wadi_idle *idle, const wadi_sim *sim, const wadi_discs *discs, int64_t substep, int row0,
                        int row1);

/* Instead, where nothing is watched in a sub-step. */
void wadi_idle_all_changed(wadi_idle *idle, int64_t substep, int row0, int row1);

static inline const uint8_t *wadi_idle_active(const wadi_idle *idle, int row) {
    return idle->active + row * idle->columns;
}
static inline uint8_t *wadi_idle_changed(const wadi_idle *idle, int64_t substep, int row) {
    return idle->changed[substep & 1] + row * idle->columns;
}

#endif
