/* mirror.h (internal): the block's copies of fields, where an engine keeps the state elsewhere. */
#ifndef WADI_CORE_MIRROR_H
#define WADI_CORE_MIRROR_H

#include "wadi/sim.h"

/* Makes the block's copy of a field what it is now: to be read, or to be changed. */
wadi_status wadi_sim_bring(const wadi_sim *sim, int field);
wadi_status wadi_sim_bring_to_change(wadi_sim *sim, int field);
/* Periodic grid: fills the halo of the mirror's rows after they changed. */
void wadi_sim_close_rows(wadi_sim *sim, int field);
/* Gives back the block's memory of what the engine has too; the terrain as given stays: all ask it for data. */
void wadi_sim_let_go(wadi_sim *sim, int field);
/* A field of state is what it is at the start. */
void wadi_sim_begin_anew(wadi_sim *sim, int field);

#endif
