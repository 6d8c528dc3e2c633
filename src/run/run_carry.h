/* run_carry.h: from a coarser level of a run (run_levels.h) to a finer one. */
#ifndef WADI_RUN_RUN_CARRY_H
#define WADI_RUN_RUN_CARRY_H

#include "run_state.h"

/* Enters the stage from the coarser level of run->sim. */
wadi_status run_carry_up(const run *run, const run_stage *stage);
/* A field of run->sim on the grid of level 0: "height" with the input's detail. */
wadi_status run_get(const run *run, const char *field, float *values);

#endif
