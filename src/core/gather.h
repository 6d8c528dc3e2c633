/* gather.h (internal): sums of the discharge that are not in the field any more (wadi_sim_gather_flow). */
#ifndef WADI_CORE_GATHER_H
#define WADI_CORE_GATHER_H

#include "wadi/sim.h"

void wadi_sim_gathered_free(wadi_sim *sim);
/* A row of the map "flow": with the gathered sums and the field's. */
void wadi_sim_add_gathered(const wadi_sim *sim, int y, const float *sum, float *values);

#endif
