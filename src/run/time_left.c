#include "time_left.h"

#include "run_outputs.h"
#include "run_stages.h"
#include "wadi/bench.h"

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

/* s: files and the preview, and figures that one thread computes. Measured on two machines, one of them half as fast as
 * the other. */
static double ending_s(const run *run) {
    const double cells = (double)run->raster->width * (double)run->raster->height;
    if (!run->hold) return 0;
    return cells * (0.1e-6 + (run_outputs_measured(run) ? 0.3e-6 : 0));
}

/* What comes before the first steps are told is done once: a GPU's kernels are built and compared. So it is when steps
 * become several times as fast. */
static void learn(time_left *time, double cost, double took_s) {
    const bool once = time->begun && time->made > 0 && cost * time->seconds > 3 * time->made * took_s;
    const double kept = !time->begun || once ? 0 : exp(-took_s / memory_s);
    time->made = kept * time->made + (time->begun ? cost : 0);
    time->seconds = kept * time->seconds + (time->begun ? took_s : 0);
    time->begun = true;
}

double run_time_left(time_left *time, const run *run, const run_stage *stage, int64_t steps) {
    const double now = platform_clock_s(), took_s = time->told_s > 0 ? now - time->told_s : 0;
    if (steps > 0) learn(time, (double)steps * cost_of_step(stage), took_s);
    time->told_s = now;
    const double rest = cost_of_rest(run);
    return time->made > 0 ? rest * time->seconds / time->made + (rest > 0 ? ending_s(run) : 0) : INFINITY;
}
