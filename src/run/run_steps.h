/* run_steps.h: the steps of a run, and what they will cost. */
#ifndef WADI_RUN_RUN_STEPS_H
#define WADI_RUN_RUN_STEPS_H

#include "run_state.h"

#include "wadi/run.h"

/* Steps until `last` steps of the whole run are done, or its end, or `progress` (may be NULL) says stop. Visits,
 * events, frames of the video and checkpoints that are due come on the way. */
wadi_status run_steps(run *run, int64_t last, wadi_run_progress_fn *progress, void *context);

/* For a loop of its own, as the window has. Makes `count` steps of the current stage; *seconds: what they took. Both
 * are counted in the run. Events and the next stage are left to the caller. */
wadi_status run_make_steps(run *run, int64_t count, double *seconds);
/* How many steps will take `wanted_s`, if `made` steps took `took_s`. At least 1, at most 4 * made. */
int64_t run_steps_for(double wanted_s, int64_t made, double took_s);

typedef struct run_needs {
    uint64_t memory, device_memory; /* bytes */
    double seconds;                 /* for all steps and the video, estimated */
} run_needs;
/* Measures some steps of each stage, about half a second in all, on the run itself: it cannot be used after. */
wadi_status run_measure(run *run, run_needs *needs);

#endif
