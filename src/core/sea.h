/* sea.h (internal): the sea in a simulation's starting state. */
#ifndef WADI_CORE_SEA_H
#define WADI_CORE_SEA_H

#include "wadi/sim.h"

/* Before the first step: fills the land that is below the level of the sea, and joined to an open border by cells that
 * are. There the water is at least up to the level. Without a sea it does nothing. */
wadi_status wadi_sim_flood(wadi_sim *sim);
/* Takes that water away again. */
wadi_status wadi_sim_ebb(wadi_sim *sim);

#endif
