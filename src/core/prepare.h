/* prepare.h (internal): from parameters, rasters and the mask to the physics' constants and maps. */
#ifndef WADI_CORE_PREPARE_H
#define WADI_CORE_PREPARE_H

#include "wadi/sim.h"

/* After a change of a raster, the mask or a parameter: constants, maps, sub-steps, the engine's plan. Where it fails
 * they are what they were: the caller puts back what it changed, and all is as before. */
wadi_status wadi_sim_refresh(wadi_sim *sim);

#endif
