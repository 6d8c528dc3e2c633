/* run_stages.c: stages that follow one another or take turns, each with a simulation of its own; the state goes from
 * one to the next. */
#include "run.h"

#include <stdlib.h>
#include <string.h>

bool run_is_plain(const run *run) { return run->stage_count == 1 && run->stages[0].rounds == 1; }

int64_t run_stage_steps(const run_stage *stage) {
    bool fits = (double)stage->steps * (double)stage->rounds <= 1e15;
    return fits ? stage->steps * stage->rounds : -1;
}

int64_t run_steps_left(const run *run) { return run->stages[run->plan.stage].steps - run->plan.visit_done; }

/* Whether any of the stages that are repeated together has steps; else one round is as good as many. */
static bool does_anything(const run *run, const run_stage *stage) {
    for (size_t i = stage->first; i <= stage->last; i++)
        if (run->stages[i].steps > 0) return true;
    return false;
}

static void advance(run *run) {
    run_plan *plan = &run->plan;
    const run_stage *stage = &run->stages[plan->stage];
    plan->visit_done = 0;
    if (plan->stage < stage->last) {
        plan->stage++;
    } else if (plan->round + 1 < stage->rounds && does_anything(run, stage)) {
        plan->round++;
        plan->stage = stage->first;
    } else {
        plan->round = 0;
        plan->stage = stage->last + 1;
    }
}

/* Hardness reaches across stages that know none. */
static wadi_status take_hardness(run *run, wadi_sim *sim) {
    const wadi_sim *last = run->stages[run->plan.hardness_stage].sim;
    size_t cells = (size_t)run->raster->width * (size_t)run->raster->height;
    wadi_status status = wadi_sim_get(last, "hardness", run->raster->values, cells);
    return status == WADI_OK ? wadi_sim_set(sim, "hardness", run->raster->values, cells) : status;
}

static wadi_status enter(run *run, size_t index) {
    wadi_sim *sim = run->stages[index].sim;
    run_plan *plan = &run->plan;
    wadi_status status = sim == run->sim ? WADI_OK : wadi_sim_take(sim, run->sim);
    bool knows = wadi_model_has_hardness(wadi_sim_def(sim)->model);
    bool handed = wadi_model_has_hardness(wadi_sim_def(run->sim)->model); /* with the rest */
    if (status == WADI_OK && knows && !handed && plan->hardness_stage >= 0) status = take_hardness(run, sim);
    if (knows) plan->hardness_stage = (int64_t)index;
    run->sim = sim;
    return status;
}

int run_next_visit(run *run) {
    while (run->plan.stage < run->stage_count && run_steps_left(run) == 0) advance(run);
    if (run->plan.stage == run->stage_count) return CLI_OK;
    return cli_fail_status(enter(run, run->plan.stage));
}

double run_simulated_s(const run *run) {
    double total = 0;
    for (size_t i = 0; i < run->stage_count; i++) total += wadi_sim_time(run->stages[i].sim);
    return total;
}

static void add_flows(wadi_balance *total, const wadi_balance *balance) {
    total->in += balance->in;
    total->out += balance->out;
    total->residual += balance->residual;
}

/* Of the whole run, m3: stages may move back what others moved. */
static double moved_of(const run *run) {
    size_t count = (size_t)run->raster->width * (size_t)run->raster->height;
    float *change = run->raster->values;
    double moved = 0;
    if (wadi_sim_get(run->sim, "change", change, count) != WADI_OK) return 0;
    for (size_t i = 0; i < count; i++)
        if (change[i] == change[i]) moved += fabs((double)change[i]); /* no NaN */
    return moved * run->raster->lx * run->raster->ly;
}

wadi_mass run_mass(const run *run) {
    wadi_mass total = wadi_sim_mass(run->stages[0].sim);
    if (run->stage_count == 1) return total;
    const wadi_mass last = wadi_sim_mass(run->sim);
    for (size_t i = 1; i < run->stage_count; i++) {
        if (wadi_sim_steps(run->stages[i].sim) == 0) continue;
        const wadi_mass mass = wadi_sim_mass(run->stages[i].sim);
        add_flows(&total.solid, &mass.solid);
        add_flows(&total.water, &mass.water);
        total.rained += mass.rained;
        total.evaporated += mass.evaporated;
        total.water_over_border += mass.water_over_border;
        total.solid_over_border += mass.solid_over_border;
        total.exchanged += mass.exchanged;
        total.advected += mass.advected;
    }
    total.solid.after = last.solid.after;
    total.water.after = last.water.after;
    total.solid_handed = total.water_handed = 0;
    total.moved = moved_of(run);
    return total;
}

const wadi_sim *run_map_sim(const run *run, const char *map, float *scratch) {
    size_t count = (size_t)run->raster->width * (size_t)run->raster->height;
    if (strcmp(map, "hardness") == 0 && run->plan.hardness_stage >= 0) return run->stages[run->plan.hardness_stage].sim;
    if (strcmp(map, "flow") != 0 && strcmp(map, "velocity") != 0) return run->sim;
    for (size_t i = run->stage_count; i-- > 0 && run->stage_count > 1;) {
        const wadi_sim *sim = run->stages[i].sim;
        if (wadi_sim_steps(sim) == 0 || wadi_sim_get(sim, "flow", scratch, count) != WADI_OK) continue;
        for (size_t k = 0; k < count; k++)
            if (scratch[k] > 0) return sim;
    }
    return run->sim;
}
