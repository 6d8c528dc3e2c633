/* pace.h: how fast a run has been so far. */
#ifndef WADI_RUN_PACE_H
#define WADI_RUN_PACE_H

#include <stdint.h>

typedef struct run_pace {
    int64_t told;             /* how often steps were told */
    double told_s;            /* the clock when the last ones were */
    double made, seconds;     /* operations, and what their steps took: the last seconds count most */
    double all_made, other_s; /* operations since the beginning, and what was done between their steps */
} run_pace;

/* Steps of that many operations were made. The first ones are forgotten with the next: kernels of GPUs are built and
 * compared with them. So are all before steps that are several times as fast. */
void run_pace_learn(run_pace *pace, double operations, double steps_s, double other_s);
/* Seconds for so many operations, with what is done between the steps: frames, checkpoints, events. INFINITY: not
 * known. */
double run_pace_seconds(const run_pace *pace, double operations);

#endif
