/* checks.h (internal): checks of what fields and maps hold. */
#ifndef WADI_CORE_CHECKS_H
#define WADI_CORE_CHECKS_H

#include "wadi/sim.h"

/* All cells with data hold a value from low to high. */
wadi_status wadi_check_cells(const wadi_sim *sim, const char *name, const float *values, double low, double high);
/* Heights that are terrain; NaN: no data. */
wadi_status wadi_check_heights(const wadi_sim *sim, const float *heights);
/* Values that the parameter may have. Finds the largest. */
wadi_status wadi_check_raster(const wadi_sim *sim, int parameter, const float *values, double *largest);
/* Whether the maps fit the cells that have data now. Finds their largest. */
wadi_status wadi_sim_check_maps(wadi_sim *sim);

/* Whether what a checkpoint brought is what can be set and come of it: terrain, state, maps. Finds their largest. */
wadi_status wadi_sim_check(wadi_sim *sim);

#endif
