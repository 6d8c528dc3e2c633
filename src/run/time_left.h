/* time_left.h: how long the rest of a run will take. Each step counts by its cells and its model's operations, because
 * the steps of coarse levels take a small part of the time of fine ones. */
#ifndef WADI_RUN_TIME_LEFT_H
#define WADI_RUN_TIME_LEFT_H

#include <stdint.h>

typedef struct time_left {
    int64_t told;             /* how often steps were told */
    double told_s;            /* the clock when the last ones were */
    double made, seconds;     /* operations, and what their steps took: the last seconds count most */
    double all_made, other_s; /* operations since the beginning, and what was done between their steps */
} time_left;

struct run;
struct run_stage;

/* Seconds for all that is left, after `steps` steps of `stage` that took steps_s. INFINITY: none was made yet. */
double run_time_left(time_left *time, const struct run *run, const struct run_stage *stage, int64_t steps,
                     double steps_s);

/* Steps of that many operations were made. The first ones are forgotten with the next: kernels of GPUs are built and
 * compared with them. So are all before steps that are several times as fast. */
void run_time_left_learn(time_left *time, double cost, double steps_s, double other_s);
/* Seconds for so many operations, with what is done between the steps: frames, checkpoints, events. */
double run_time_left_of(const time_left *time, double cost);

#endif
