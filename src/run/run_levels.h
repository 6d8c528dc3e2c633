/* run_levels.h: runs from coarse to fine (wadi/levels.h). All stages run at the coarsest level first. What they changed
 * is settled and carried up to the next level, where water begins anew. wadi_level_steps says
 * how many steps a stage makes at each of its levels. */
#ifndef WADI_RUN_RUN_LEVELS_H
#define WADI_RUN_RUN_LEVELS_H

#include "run_options.h"
#include "run_state.h"

/* *levels: the preset's. It becomes what the options ask for; else as many as fit into this terrain. */
wadi_status run_count_levels(const run_options *options, const wadi_raster *raster, int *levels);
/* For --steps with --time: sets dt so that all levels together take that time, with so many steps at level 0. */
wadi_status run_fit_time_step(const run_options *options, int levels, wadi_def *def);
/* The steps at level 0, if the levels share the time of `steps` of its steps; 1 at least. */
int64_t run_share_steps(const wadi_def *def, int64_t steps, int levels);
/* Puts the stages of all coarser levels before those of level 0, which must be ready to begin. */
wadi_status run_levels_make(run *run, bool water);

#endif
