/* sea.h (internal): the sea in a simulation's starting state. */
#ifndef WADI_CORE_SEA_H
#define WADI_CORE_SEA_H

#include "wadi/sim.h"

/* Before the first step: fills the land that is below the level of the sea, and joined to an open border by cells that
 * are. There the water is at least up to the level. Without a sea it does nothing. */
wadi_status wadi_sim_flood(wadi_sim *sim);
/* Takes that water away again. */
wadi_status wadi_sim_ebb(wadi_sim *sim);

/* Whether there is a sea that is no water of the model's: its water is that of rivers, which passes on. *level_m (NULL:
 * not wanted): its height. */
bool wadi_sea_is_apart(const wadi_sim *sim, double *level_m);
/* Takes the water of rivers away where such a sea is. */
wadi_status wadi_sim_dry_sea(wadi_sim *sim);

#endif
