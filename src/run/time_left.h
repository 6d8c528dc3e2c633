/* time_left.h: how long the rest of a run will take. Each step counts by its cells and its model's operations, because
 * the steps of coarse levels take a small part of the time of fine ones. */
#ifndef WADI_RUN_TIME_LEFT_H
#define WADI_RUN_TIME_LEFT_H

#include "run_state.h"

/* Seconds for all that is left, after `steps` steps of `stage` that took steps_s. INFINITY: none was made yet. */
double run_time_left(run *run, const run_stage *stage, int64_t steps, double steps_s);

#endif
