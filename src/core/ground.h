/* ground.h (internal): the terrain as given: its range, its cells without data, and its replacement. */
#ifndef WADI_CORE_GROUND_H
#define WADI_CORE_GROUND_H

#include "wadi/sim.h"

/* Call after the terrain was set. Finds its range, and the rows next to cells without data. */
void wadi_sim_find_outside(wadi_sim *sim);
/* Writes a row of the terrain in m; WADI_WALL: no data. */
typedef void wadi_ground_row(const wadi_sim *sim, const void *context, int y, float *row);
/* Replaces the terrain and all that is derived from it. The new one is made before the old one is freed, which stays if
 * anything fails. The state is not changed. */
wadi_status wadi_sim_replace_ground(wadi_sim *sim, wadi_ground_row *make, const void *context);

#endif
