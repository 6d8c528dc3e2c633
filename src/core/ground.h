/* ground.h (internal): the terrain as given: its range, where it has no data, and another one in its place. */
#ifndef WADI_CORE_GROUND_H
#define WADI_CORE_GROUND_H

#include "wadi/sim.h"

/* After the terrain was set: its range, and which rows are beside cells without data. */
void wadi_sim_find_outside(wadi_sim *sim);
/* A row of the terrain: m, WADI_WALL where there is no data. */
typedef void wadi_ground_row(const wadi_sim *sim, const void *context, int y, float *row);
/* Another terrain in place of this one, with what follows from it. It is made beside the old one, which stays where
 * anything fails. The state is left alone. */
wadi_status wadi_sim_replace_ground(wadi_sim *sim, wadi_ground_row *make, const void *context);

#endif
