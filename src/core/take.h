/* take.h (internal): the change of the terrain as another simulation left it. */
#ifndef WADI_CORE_TAKE_H
#define WADI_CORE_TAKE_H

#include "wadi/sim.h"

/* Sets the change. It counts as another simulation's: a new one begins with it, one that has begun books it as handed.
 */
wadi_status wadi_sim_set_change(wadi_sim *sim, const float *values);

#endif
