/* prepare.h (internal): computes the constants and maps of the physics from parameters, rasters and the mask. */
#ifndef WADI_CORE_PREPARE_H
#define WADI_CORE_PREPARE_H

#include "wadi/sim.h"

/* Call after a change of a raster, the mask or a parameter. It updates constants, maps, sub-steps and the engine's
 * plan. If it fails, they are unchanged; the caller then restores what it changed. */
wadi_status wadi_sim_refresh(wadi_sim *sim);
/* Whether the parameters and the largest values of the rasters go together. wadi_sim_refresh asks that first. */
wadi_status wadi_sim_check_values(const wadi_sim *sim);
/* Fits the sub-steps of a step to water of this depth, where they follow it. */
wadi_status wadi_sim_fit_substeps(wadi_sim *sim, double deepest_m);

#endif
