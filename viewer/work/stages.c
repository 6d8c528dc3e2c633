/* stages.c: from one stage to the next. */
#include "viewer/work/stages.h"

#include "run/array.h"
#include "run/run_stages.h"
#include "run/text.h"

#include <stdlib.h>

/* A stage's simulation as it begins. */
static wadi_status make_sim(const work *work, size_t index, wadi_sim **sim) {
    if (work->fresh[index].size) return packed_restore(&work->how, &work->fresh[index], sim);
    wadi_def def = work->run.stages[index].def;
    def.engine = work->how.engine, def.device = work->how.device, def.threads = work->how.threads;
    def.tune = work->how.tune, def.arithmetic = work->how.arithmetic;
    return wadi_sim_create(&def, sim);
}

/* A model without hardness may be followed by one with it. */
wadi_status work_keep_hardness(work *work, const wadi_sim *from, const wadi_sim *next) {
    run *run = &work->run;
    const bool knows = wadi_model_has_hardness(wadi_sim_def(from)->model);
    if (!knows || wadi_model_has_hardness(wadi_sim_def(next)->model)) return WADI_OK;
    float *hard = malloc(work_cells(work) * sizeof *hard);
    if (!hard) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to keep the hardness");
    free(run->hard);
    run->hard = hard;
    return wadi_sim_get(from, "hardness", run->hard, work_cells(work));
}

static wadi_status keep_hard(work *work, const wadi_sim *next) { return work_keep_hardness(work, work->run.sim, next); }

wadi_status work_enter_next(work *work) {
    run *run = &work->run;
    const size_t index = run->plan.stage + 1;
    run_stage *stage = &run->stages[index], *left = work_stage(work);
    wadi_sim *sim = NULL;
    stage->entered = false;
    wadi_status status = make_sim(work, index, &sim);
    const float *hard = status == WADI_OK && run_misses_hardness(sim, run->sim) ? run->hard : NULL;
    if (status == WADI_OK) status = run_hand_over(stage, sim, run->sim, hard);
    if (status == WADI_OK) status = wadi_sim_set_sources(sim, stage->sources, stage->source_count);
    if (status == WADI_OK) status = keep_hard(work, sim);
    if (status == WADI_OK) status = wadi_sim_mass(run->sim, &left->mass);
    if (status != WADI_OK) {
        wadi_sim_destroy(sim);
        return status;
    }
    if (hard) {
        free(run->hard);
        run->hard = NULL;
    }
    left->made = wadi_sim_steps(run->sim);
    work_make_current(work, sim, index);
    stage->entered = true;
    stage->events_done = 0;
    work_count_steps(work);
    return WADI_OK;
}

/* Each stage has its own clock. */
static wadi_source *copy_sources(const wadi_sim *sim, size_t *count) {
    const wadi_source *sources = wadi_sim_sources(sim, count);
    wadi_source *copy = run_array_copy(sources, *count, sizeof *copy);
    for (size_t i = 0; copy && i < *count; i++) copy[i].start_s = 0;
    return copy;
}

/* `fresh` has a member for each stage. */
static run_stage *append_stage(work *work) {
    run *run = &work->run;
    size_t count = run->stage_count;
    if (!run_array_add(&work->fresh, &count, sizeof *work->fresh)) return NULL;
    return run_array_add(&run->stages, &run->stage_count, sizeof *run->stages);
}

wadi_status work_add_stage(work *work, const wadi_def *def, const char *preset) {
    const size_t index = work->run.stage_count;
    const int rain = wadi_model_parameter_index(def->model, "rain");
    const int before = wadi_model_parameter_index(wadi_sim_def(work->run.sim)->model, "rain");
    run_stage made = {.def = *def, .rounds = 1, .first = index, .last = index, .mask_taken = true};
    made.rain_taken = rain >= 0 && before >= 0 && !(def->drops.count > 0);
    made.preset = preset ? run_text_copy(preset) : NULL;
    made.sources = copy_sources(work->run.sim, &made.source_count);
    run_stage *stage = made.sources && (made.preset || !preset) ? append_stage(work) : NULL;
    if (!stage) {
        run_stage_free(&made);
        return WADI_ERROR_MEMORY;
    }
    *stage = made;
    return WADI_OK;
}
