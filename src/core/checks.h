/* checks.h (internal): checks of the values in fields and maps, and of the sizes of levels. */
#ifndef WADI_CORE_CHECKS_H
#define WADI_CORE_CHECKS_H

#include "wadi/sim.h"

/* Whether all cells with data have a value from low to high. */
wadi_status wadi_check_cells(const wadi_sim *sim, const char *name, const float *values, double low, double high);
/* Whether the heights are a valid terrain; NaN: no data. */
wadi_status wadi_check_heights(const wadi_sim *sim, const float *heights);
/* Whether the values are in the parameter's range. Also finds the largest. */
wadi_status wadi_check_raster(const wadi_sim *sim, int parameter, const float *values, double *largest);
/* Whether the maps are valid in the cells that have data now. Also finds their largest values. */
wadi_status wadi_sim_check_maps(wadi_sim *sim);

/* Whether the second grid has no more cells along a side than the first one. */
wadi_status wadi_check_coarser(int width, int height, int coarse_width, int coarse_height);

/* Whether the content of a checkpoint is valid: terrain, state, maps. Also finds the maps' largest values. */
wadi_status wadi_sim_check(wadi_sim *sim);

#endif
