/* stages.c: from one stage to the next. */
#include "viewer/work/stages.h"

#include "viewer/work/checkpoints.h"

#include "run/array.h"
#include "run/run_carry.h"
#include "run/run_stages.h"
#include "run/text.h"

#include "platform/platform.h"

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
    const wadi_def *def = wadi_sim_def(from); /* of a coarser level it is a part of the map */
    float *hard = run_array_new(work_cells(work), sizeof *hard);
    if (!hard) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to keep the hardness");
    free(run->hard);
    run->hard = hard;
    return wadi_sim_get(from, "hardness", run->hard, (size_t)def->width * (size_t)def->height);
}

static wadi_status keep_hard(work *work, const wadi_sim *next) { return work_keep_hardness(work, work->run.sim, next); }

static wadi_status hand_over(work *work, run_stage *stage, wadi_sim *sim, const float *hard) {
    run *run = &work->run;
    wadi_status status = run_hand_over(stage, sim, run->sim, hard);
    if (status == WADI_OK) status = wadi_sim_set_sources(sim, stage->sources, stage->source_count);
    return status == WADI_OK ? keep_hard(work, sim) : status;
}

/* The finer level has its own hardness and sources. */
static wadi_status carry_up(const run *run, const run_stage *stage, wadi_sim *sim) {
    run_stage finer = *stage;
    finer.sim = sim;
    return run_carry_up(run, &finer);
}

wadi_status work_enter_next(work *work) {
    run *run = &work->run;
    const size_t index = run->plan.stage + 1;
    run_stage *stage = &run->stages[index], *left = work_stage(work);
    const bool finer = stage->level < left->level;
    wadi_sim *sim = NULL;
    stage->entered = false;
    wadi_status status = make_sim(work, index, &sim);
    const float *hard = status == WADI_OK && (finer || run_misses_hardness(sim, run->sim)) ? run->hard : NULL;
    if (status == WADI_OK) status = finer ? carry_up(run, stage, sim) : hand_over(work, stage, sim, hard);
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
    run_stage made = {.def = *def, .levels = 1, .rounds = 1, .first = index, .last = index, .mask_taken = true};
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

wadi_status work_append(work *work, const wadi_def *def, const char *preset) {
    wadi_status status = work_add_stage(work, def, preset);
    if (status != WADI_OK) return status;
    status = work_enter_next(work);
    if (status != WADI_OK) run_stage_free(&work->run.stages[--work->run.stage_count]);
    return status;
}

/* --- the stages of what is opened --- */

/* What stays of a stage once its simulation is freed: a stage to come is packed, of others the results stay. */
static wadi_status put_away(work *work, size_t i) {
    run *run = &work->run;
    run_stage *stage = &run->stages[i];
    if (i > run->plan.stage) return packed_save(stage->sim, &work->fresh[i]);
    wadi_status status = WADI_OK;
    if ((int64_t)i == run->plan.hardness_stage && stage->level == work_stage(work)->level && !run->hard)
        status = work_keep_hardness(work, stage->sim, run->sim);
    stage->made = wadi_sim_steps(stage->sim);
    return status == WADI_OK ? wadi_sim_mass(stage->sim, &stage->mass) : status;
}

/* A coarser level is shown on the grid of level 0. */
static wadi_status keep_start(run *run) {
    const wadi_sim *fine = run_fine_stages(run)->sim;
    const size_t cells = (size_t)run->raster->width * (size_t)run->raster->height;
    if (run->plan.levels <= 1 || !fine) return WADI_OK;
    run->start = run_array_new(cells, sizeof *run->start);
    return run->start ? wadi_sim_get(fine, "height", run->start, cells) : WADI_ERROR_MEMORY;
}

/* Only the current stage keeps its simulation. Later stages are packed as they begin. */
wadi_status work_settle(work *work) {
    run *run = &work->run;
    run->plan.settle = false; /* what is seen is what is saved */
    work->fresh = run_array_new(run->stage_count, sizeof *work->fresh);
    wadi_status status = work->fresh ? keep_start(run) : WADI_ERROR_MEMORY;
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++) {
        run_stage *stage = &run->stages[i];
        stage->first = stage->last = i;
        if (stage->sim == run->sim || !stage->sim) continue;
        status = put_away(work, i);
        wadi_sim_destroy(stage->sim);
        stage->sim = NULL;
    }
    work->how = *wadi_sim_def(run->sim);
    work->budget = platform_memory_bytes() / 8;
    work_stage(work)->entered = true;
    work_count_steps(work);
    return status != WADI_OK ? status : work_checkpoint(work);
}
