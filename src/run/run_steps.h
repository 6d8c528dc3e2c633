/* run_steps.h: the steps of a run, and what they will cost. */
#ifndef WADI_RUN_RUN_STEPS_H
#define WADI_RUN_RUN_STEPS_H

#include "run_state.h"

#include "wadi/run.h"

/* Steps until `last` steps of the whole run are done, or its end, or `progress` (may be NULL) says stop. Visits,
 * events, frames of the video and checkpoints that are due come on the way. */
wadi_status run_steps(run *run, int64_t last, wadi_run_progress_fn *progress, void *context);

typedef struct run_needs {
    uint64_t memory, device_memory; /* bytes */
    double seconds;                 /* for all steps and the video, estimated */
} run_needs;
/* Measures some steps of each stage, about half a second in all, on the run itself: it cannot be used after. */
wadi_status run_measure(run *run, run_needs *needs);

#endif
