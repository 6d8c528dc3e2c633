/* run_levels.h: runs from coarse to fine (wadi/levels.h). All stages run at the coarsest level first. What they changed
 * is settled and carried up to the next level, where water begins anew. A stage simulates the same time at each of its
 * levels: a coarser grid's time step is longer, so it needs fewer steps. */
#ifndef WADI_RUN_RUN_LEVELS_H
#define WADI_RUN_RUN_LEVELS_H

#include "run_options.h"
#include "run_state.h"

/* The number of levels that the options ask for, for this terrain; 1 if they ask for none. */
wadi_status run_count_levels(const run_options *options, const wadi_raster *raster, int *levels);
/* Puts the stages of all coarser levels before those of level 0, which must be ready to begin. */
wadi_status run_levels_make(run *run, bool water);

#endif
