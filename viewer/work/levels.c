#include "viewer/work/levels.h"

#include "viewer/work/checkpoints.h"
#include "viewer/work/history.h"
#include "viewer/work/packed.h"
#include "viewer/work/stages.h"

#include "run/run_levels.h"
#include "run/run_options.h"
#include "run/run_stages.h"
#include "run/text.h"

#include <stdlib.h>
#include <string.h>

wadi_status work_leave_levels(work *work) {
    if (work->run.plan.levels <= 1 || work->run.plan.stage > work_levels_end(work).stage) return WADI_OK;
    const settings_now now = work_settings(work);
    if (work_has_future(work)) work_cut_future(work);
    return work_append(work, &now.def, work_stage(work)->preset);
}

static bool only_settings(const run_stage *stage, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (stage->events.items[i].kind != EVENT_SET) return false;
    return true;
}

static bool has_maps(const wadi_sim *sim) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(wadi_sim_def(sim)->model, &count);
    for (size_t i = 0; i < count; i++)
        if (wadi_sim_has_map(sim, parameters[i].name)) return true;
    return false;
}

/* Maps are averaged down from files, so painted ones, or those of a stage before, have none. */
bool work_can_begin_levels(const work *work) {
    const run *run = &work->run;
    const work_place beginning = {0, 0, 0};
    if (run->plan.levels > 1) /* a recipe's several stages are not put together again */
        return work_compare(work_now(work), beginning) == 0 &&
               work_levels_end(work).stage + 1 == (size_t)run->plan.levels;
    for (size_t i = 0; i <= run->plan.stage; i++)
        if (!only_settings(&run->stages[i], run->stages[i].events_done)) return false;
    return work_steps_at(work, work_now(work)) == 0 && (run->plan.stage == 0 || !has_maps(run->sim));
}

/* The coarsest grid keeps so many cells along its shorter side, if the preset does not say how many levels. */
static int levels_for(const run *run, const wadi_preset *preset) {
    enum { LEAST_CELLS = 64, MOST = 6 };
    const int side = run->raster->width < run->raster->height ? run->raster->width : run->raster->height;
    const run_options options = {0};
    int levels = preset && preset->levels > 1 ? preset->levels : 1;
    if (levels == 1)
        while (levels < MOST && wadi_level_cells(side, levels) >= LEAST_CELLS) levels++;
    if (run_count_levels(&options, run->raster, &levels) != WADI_OK || levels < 2) levels = 2;
    return levels;
}

static void forget_history(work *work) {
    while (work->saved_count > 0) work_drop_checkpoint(work, work->saved_count - 1);
    for (size_t i = 0; i < work->run.stage_count; i++) free(work->fresh[i].bytes);
    free(work->fresh);
    free(work->run.start);
    work->fresh = NULL, work->run.start = NULL;
    work->mark_count = 0, work->group = 0;
}

/* Only this stage remains. It begins with what was set so far. `preset` is owned from here on; NULL: as it was. */
static void keep_stage(run *run, size_t kept, wadi_sim *sim, const wadi_def *def, char *preset) {
    for (size_t i = 0; i < run->stage_count; i++)
        if (i != kept) run_stage_free(&run->stages[i]);
    run_stage *stage = &run->stages[0];
    *stage = run->stages[kept];
    run_events_free(&stage->events);
    stage->events = (events){0};
    stage->def = *def;
    if (preset) free(stage->preset);
    if (preset) stage->preset = preset;
    stage->level = 0, stage->levels = 1, stage->first = stage->last = 0, stage->steps = stage->made = 0;
    stage->events_done = 0, stage->entered = true, stage->mass = (wadi_mass){0};
    stage->sim = run->sim = sim;
    run->stage_count = 1;
    run->plan.stage = 0, run->plan.levels = 1;
    run->plan.hardness_stage = wadi_model_has_hardness(def->model) ? 0 : -1;
    free(run->hard);
    run->hard = NULL;
}

/* The coarser levels' definitions come from the simulation, which has no knobs. */
static wadi_status split(run *run, const wadi_preset *preset) {
    run_stage *stage = run->stages;
    double knobs[WADI_MAX_KNOBS];
    memcpy(knobs, stage->def.knobs, sizeof knobs);
    run->plan.levels = stage->levels = levels_for(run, preset);
    stage->steps = run_share_steps(&stage->def, wadi_def_preset_steps(&stage->def, preset), stage->levels);
    const wadi_status status = run_levels_make(run, run_input_path(&run->plan.inputs, "water") != NULL);
    for (size_t i = 0; i < run->stage_count; i++) memcpy(run->stages[i].def.knobs, knobs, sizeof knobs);
    return status;
}

/* The simulation of level 0 as it begins. */
static wadi_status find_fine(const work *work, size_t *index, wadi_sim **sim) {
    *index = work->run.plan.levels > 1 ? work->run.stage_count - run_fine_count(&work->run) : work->run.plan.stage;
    *sim = work->run.sim;
    return work->run.plan.levels > 1 ? packed_restore(&work->how, &work->fresh[*index], sim) : WADI_OK;
}

wadi_status work_begin_levels(work *work, bool coarse_to_fine) {
    run *run = &work->run;
    size_t fine;
    wadi_sim *sim;
    if (!work_can_begin_levels(work))
        return wadi_fail(WADI_ERROR_ARGUMENT, "from coarse to fine: only where nothing but parameters was changed yet");
    const settings_now now = work_settings(work);
    const wadi_status found = find_fine(work, &fine, &sim);
    if (found != WADI_OK) return found;
    const wadi_def def = run->plan.levels > 1 ? run->stages[fine].def : now.def;
    char *preset = now.preset ? run_text_copy(now.preset->name) : NULL;
    forget_history(work);
    keep_stage(run, fine, sim, &def, preset);
    const wadi_status status = coarse_to_fine && now.preset ? split(run, now.preset) : WADI_OK;
    if (status != WADI_OK) keep_stage(run, run->stage_count - 1, run->stages[run->stage_count - 1].sim, &def, NULL);
    const wadi_status settled = work_settle(work);
    return status == WADI_OK ? settled : status;
}
