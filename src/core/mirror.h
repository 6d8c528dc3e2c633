/* mirror.h (internal): the block's copies of fields that an engine keeps elsewhere. */
#ifndef WADI_CORE_MIRROR_H
#define WADI_CORE_MIRROR_H

#include "wadi/sim.h"

/* Brings the block's copy of a field up to date: for reading, or for writing. */
wadi_status wadi_sim_bring(const wadi_sim *sim, int field);
wadi_status wadi_sim_bring_to_change(wadi_sim *sim, int field);
/* Periodic grid: fills the halo of the mirror's rows after a change. */
void wadi_sim_close_rows(const wadi_sim *sim, int field);
/* Resets a state field to its initial value. */
void wadi_sim_begin_anew(wadi_sim *sim, int field);

#endif
