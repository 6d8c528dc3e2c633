#include "time_left.h"

#include "run_stages.h"
#include "wadi/bench.h"

#include "platform/platform.h"

#include <math.h>

/* A change of the rate is seen after so many seconds. */
static const double memory_s = 3;

/* Operations of a step. */
static double cost_of_step(const run_stage *stage) {
    const wadi_def *def = stage->sim ? wadi_sim_def(stage->sim) : &stage->def;
    const double substeps = wadi_def_safety(def).substeps;
    return wadi_def_cost(def).operations * (double)def->width * (double)def->height * substeps;
}

/* A stage that takes turns with later ones has steps left in them all. */
static double cost_of_rest(const run *run) {
    double cost = 0;
    for (size_t i = 0; i < run->stage_count; i++) {
        const run_stage *stage = &run->stages[i];
        const int64_t made = stage->sim ? wadi_sim_steps(stage->sim) : stage->made;
        const int64_t left = run_stage_steps(stage) - made;
        if (left > 0) cost += (double)left * cost_of_step(stage);
    }
    return cost;
}

double run_time_left(time_left *time, const run *run, const run_stage *stage, int64_t steps) {
    const double now = platform_clock_s(), took_s = time->told_s > 0 ? now - time->told_s : 0;
    const double kept = exp(-took_s / memory_s);
    if (steps > 0) {
        time->made = kept * time->made + (double)steps * cost_of_step(stage);
        time->seconds = kept * time->seconds + took_s;
    }
    time->told_s = now;
    return time->made > 0 ? cost_of_rest(run) * time->seconds / time->made : INFINITY;
}
