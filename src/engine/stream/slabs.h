/* slabs.h (internal): how a grid is cut into slabs of rows, of which one at a time is in memory. */
#ifndef WADI_ENGINE_STREAM_SLABS_H
#define WADI_ENGINE_STREAM_SLABS_H

#include "engine/parts/cut.h"

typedef struct wadi_slabs {
    wadi_cuts cuts;     /* good_for: sub-steps between loading a slab and storing it */
    int rows;           /* of a slab, with its margins: the same for all */
    unsigned processes; /* those for which the margins are high enough */
    int most;           /* sub-steps of a call, at most, for which they were chosen */
} wadi_slabs;

/* The largest slabs that the memory limit allows, and the number of sub-steps that takes the least time. moving: how
 * many sub-steps of a slab take as long as loading and storing it. A count of 0: the limit is too low. false: no
 * memory.
 */
bool wadi_slabs_choose(const wadi_domain *whole, double moving, wadi_slabs *slabs);
/* Whether they still suffice, after processes and parameters may have changed. */
bool wadi_slabs_suffice(const wadi_domain *whole, const wadi_slabs *slabs);
wadi_window wadi_slabs_window(const wadi_domain *whole, const wadi_slabs *slabs, int slab);
/* The definition of a slab of so many rows. */
wadi_def wadi_slabs_def(const wadi_domain *whole, int rows);

#endif
