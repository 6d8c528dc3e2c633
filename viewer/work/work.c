/* work.c: the state of the work, and positions in what was done. */
#include "viewer/work/work.h"

#include "run/run_stages.h"

#include <string.h>

int work_compare(work_place a, work_place b) {
    if (a.stage != b.stage) return a.stage < b.stage ? -1 : 1;
    if (a.step != b.step) return a.step < b.step ? -1 : 1;
    return a.event < b.event ? -1 : a.event > b.event;
}

run_stage *work_stage(const work *work) { return &work->run.stages[work->run.plan.stage]; }

wadi_sim *work_sim(const work *work) { return work->run.sim; }

const run *work_run(const work *work) { return &work->run; }

uint64_t work_edits(const work *work) { return work->edits; }

work_place work_now(const work *work) {
    return (work_place){work->run.plan.stage, wadi_sim_steps(work->run.sim), work_stage(work)->events_done};
}

work_place work_end(const work *work) {
    const size_t last = work->run.stage_count - 1;
    return (work_place){last, work->run.stages[last].steps, work->run.stages[last].events.count};
}

int64_t work_steps_at(const work *work, work_place place) {
    int64_t steps = place.step;
    for (size_t i = 0; i < place.stage; i++) steps += work->run.stages[i].steps;
    return steps;
}

/* Stages of a coarser level, where there are several levels. */
static size_t stages_of_level(const run *run) {
    return (run->stage_count - run_fine_count(run)) / (size_t)(run->plan.levels - 1);
}

work_place work_levels_end(const work *work) {
    const run *run = &work->run;
    if (run->plan.levels <= 1) return (work_place){0, 0, 0};
    const size_t last = stages_of_level(run) * (size_t)run->plan.levels - 1; /* of all levels */
    return (work_place){last, run->stages[last].steps, 0};
}

const run_stage *work_fine_stage(const work *work) {
    const run *run = &work->run;
    if (work_stage(work)->level == 0) return work_stage(work);
    return run_fine_stages(run) + run->plan.stage % stages_of_level(run);
}

bool work_in_levels(const work *work) { return work_compare(work_now(work), work_levels_end(work)) < 0; }

wadi_status work_check_levels(const work *work) {
    if (!work_in_levels(work)) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "it is not at the finest grid yet: let it run first");
}

/* Updates the plan from the steps of the simulation. */
void work_count_steps(work *work) {
    run_plan *plan = &work->run.plan;
    plan->visit_done = wadi_sim_steps(work->run.sim);
    plan->done = work_steps_at(work, work_now(work));
    plan->steps = work_steps_at(work, work_end(work));
    work->edits++;
}

size_t work_cells(const work *work) { return (size_t)work->run.raster->width * (size_t)work->run.raster->height; }

void work_make_current(work *work, wadi_sim *sim, size_t stage) {
    run *run = &work->run;
    if (run->sim) wadi_sim_destroy(run->sim);
    if (run->plan.stage < run->stage_count) run->stages[run->plan.stage].sim = NULL;
    run->stages[stage].sim = run->sim = sim;
    run->plan.stage = stage;
    if (wadi_model_has_hardness(wadi_sim_def(sim)->model)) run->plan.hardness_stage = (int64_t)stage;
}

bool work_sea_ahead(const work *work, double *level_m) {
    const run *run = &work->run;
    if (wadi_def_sea(wadi_sim_def(run->sim), NULL)) return false;
    for (size_t i = run->plan.stage + 1; i < run->stage_count; i++)
        if (wadi_def_sea(&run->stages[i].def, level_m)) return true;
    return false;
}

settings_now work_settings(const work *work) {
    const run_stage *stage = work_stage(work);
    const wadi_model *model = stage->def.model;
    settings_now now = {.def = stage->def};
    if (stage->preset && *stage->preset) now.preset = wadi_preset_find(stage->preset, &model);
    for (size_t i = 0; i < stage->events_done; i++)
        if (stage->events.items[i].kind == EVENT_SET) run_adjustment_follow(stage->events.items[i].adjustment, &now);
    double knobs[WADI_MAX_KNOBS];
    memcpy(knobs, now.def.knobs, sizeof knobs);
    now.def = *wadi_sim_def(work->run.sim);
    memcpy(now.def.knobs, knobs, sizeof knobs);
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    for (size_t i = 0; i < count; i++) now.is_map[i] = wadi_sim_has_map(work->run.sim, parameters[i].name);
    return now;
}

wadi_status work_mass(work *work, wadi_mass *mass) { return run_mass(&work->run, mass); }

double work_simulated_s(const work *work) { return wadi_sim_time(work->run.sim); }
