#include "time_left.h"

#include "run_outputs.h"
#include "run_stages.h"
#include "wadi/bench.h"

#include "platform/openmp.h"
#include "platform/platform.h"

/* What a row costs besides its cells, in cells: calls, and vectors that are not full. Small grids are slow: bench gives
 * 512 x 512 cells five to eight times the rate of 32 x 32. */
static const double row_cells = 400;

/* In operations. */
static double cost_of_step(const run_stage *stage) {
    const wadi_def *def = stage->sim ? wadi_sim_def(stage->sim) : &stage->def;
    const double substeps = (stage->sim ? wadi_sim_safety(stage->sim) : wadi_def_safety(def)).substeps;
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

/* s: files and the preview, and the measures of realism, which are made beside them. Measured on two cores; on
 * more, the measures take less. On one they come after the files. */
static double ending_s(const run *run) {
    const double cells = (double)run->raster->width * (double)run->raster->height;
    if (!run->hold) return 0;
    const double measures_s = omp_get_max_threads() > 1 ? 0.1e-6 : 0.3e-6;
    return cells * (0.1e-6 + (run_outputs_measured(run) ? measures_s : 0));
}

double run_time_left(run *run, const run_stage *stage, int64_t steps, double steps_s) {
    run_pace *pace = &run->pace;
    const double now = platform_clock_s();
    if (steps > 0) run_pace_learn(pace, (double)steps * cost_of_step(stage), steps_s, now - pace->told_s - steps_s);
    pace->told_s = now;
    const double rest = cost_of_rest(run);
    return rest > 0 ? run_pace_seconds(pace, rest) + ending_s(run) : 0;
}
