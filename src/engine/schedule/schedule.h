/* schedule.h (internal): how rows and stages follow each other where all stages, and several sub-steps, are done in one
 * walk down the rows.
 *
 * When the walk is at row t, each element, a stage of one of its sub-steps, does row t - lag. Lags come from the
 * declared radii: what an element reads r rows ahead must have been written, and what it writes must not be needed any
 * more by those that read the old value r rows away. So state is written in place, and of a scratch field only the few
 * rows live that lie between the one that is written and the last one that is read. */
#ifndef WADI_ENGINE_SCHEDULE_H
#define WADI_ENGINE_SCHEDULE_H

#include "core/sim.h"

#define WADI_MAX_LEVELS 16

typedef struct wadi_element {
    const wadi_stage *stage;
    int level; /* which sub-step of the walk */
    int lag;
    int reach; /* how many rows beside a band it must do, for the band's own rows to come out right */
} wadi_element;

typedef struct wadi_schedule {
    wadi_element *elements; /* by level, and in it in the model's order */
    int levels, per_level;
    int halo[WADI_MAX_LEVELS + 1]; /* by number of sub-steps: rows of state beside a band that a walk needs */
    int depth[WADI_MAX_FIELDS];    /* rows of a scratch field that live at once, rounded up to a power of 2 */
} wadi_schedule;

/* A walk of fewer sub-steps takes the elements of the last levels. in_turn: no lag is less than that of the element
 * before; else only those that read or write what another writes keep their order. false: no memory. */
bool wadi_schedule_make(wadi_schedule *schedule, const wadi_sim *sim, int levels, bool in_turn);
void wadi_schedule_free(wadi_schedule *schedule);

/* Rows that are in use at once, of state and scratch together, in a walk of all levels. */
int wadi_schedule_rows(const wadi_schedule *schedule, const wadi_model *model);

#endif
