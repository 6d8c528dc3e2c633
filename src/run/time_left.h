/* time_left.h: how long the rest of a run will take. Each step counts by its cells and its model's operations, because
 * the steps of coarse levels take a small part of the time of fine ones. */
#ifndef WADI_RUN_TIME_LEFT_H
#define WADI_RUN_TIME_LEFT_H

#include "run_state.h"

/* The last seconds count most. */
typedef struct time_left {
    bool begun;           /* steps were told before */
    double told_s;        /* the clock at the last call; 0: none yet */
    double made, seconds; /* operations, and what they took with all that was done between the steps */
} time_left;

/* Seconds for all steps that are left, after `steps` steps of `stage`. INFINITY: not known yet. */
double run_time_left(time_left *time, const run *run, const run_stage *stage, int64_t steps);

#endif
