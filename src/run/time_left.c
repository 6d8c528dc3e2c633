#include "time_left.h"

#include "run_stages.h"
#include "wadi/bench.h"

#include "platform/openmp.h"
#include "platform/platform.h"

#include <math.h>

/* A change of the rate is seen after so many seconds. */
static const double memory_s = 3;

/* What a row costs besides its cells, in cells: calls, and vectors that are not full. Small grids are slow: bench gives
 * 512 x 512 cells five to eight times the rate of 32 x 32. */
static const double row_cells = 400;

/* In operations. */
static double cost_of_step(const run_stage *stage) {
    const wadi_def *def = stage->sim ? wadi_sim_def(stage->sim) : &stage->def;
    const double substeps = wadi_def_safety(def).substeps;
    return wadi_def_cost(def).operations * ((double)def->width + row_cells) * (double)def->height * substeps;
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

/* s: figures, files and the preview after the last step, which follow the cells. */
static double ending_s(const run *run) {
    const double cells = (double)run->raster->width * (double)run->raster->height;
    return run->hold ? 2.6e-6 * cells / omp_get_max_threads() : 0;
}

double run_time_left(time_left *time, const run *run, const run_stage *stage, int64_t steps) {
    const double now = platform_clock_s(), took_s = time->told_s > 0 ? now - time->told_s : 0;
    const double kept = exp(-took_s / memory_s);
    if (steps > 0) {
        time->made = kept * time->made + (double)steps * cost_of_step(stage);
        time->seconds = kept * time->seconds + took_s;
    }
    time->told_s = now;
    const double rest = cost_of_rest(run);
    return time->made > 0 ? rest * time->seconds / time->made + (rest > 0 ? ending_s(run) : 0) : INFINITY;
}
