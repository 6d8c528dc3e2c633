/* run_stages.c: stages that follow each other or take turns. Each has its own simulation; the state passes from one to
 * the next. */
#include "run_stages.h"

#include "array.h"
#include "events.h"
#include "message.h"
#include "run_carry.h"
#include "run_state.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int64_t run_stage_steps(const run_stage *stage) {
    bool fits = (double)stage->steps * (double)stage->rounds <= 1e15;
    return fits ? stage->steps * stage->rounds : -1;
}

int64_t run_steps_left(const run *run) { return run->stages[run->plan.stage].steps - run->plan.visit_done; }

/* Whether any of the stages that are repeated together has steps. If not, one round equals many. */
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

/* A uniform map counts as no map: it is not taken over. */
static bool is_even(const float *map, size_t cells, float value) {
    for (size_t i = 0; i < cells; i++)
        if (map[i] == map[i] && map[i] != value) return false;
    return true;
}

static wadi_status take_map(wadi_sim *sim, const wadi_sim *from, const char *name, float even) {
    const wadi_def *def = wadi_sim_def(sim);
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *map = run_cells_new(cells);
    if (!map) return WADI_ERROR_MEMORY;
    wadi_status status = wadi_sim_get(from, name, map, cells);
    if (status == WADI_OK && !is_even(map, cells, even)) {
        for (size_t i = 0; i < cells; i++) map[i] = map[i] == map[i] ? map[i] : 0;
        status = wadi_sim_set(sim, name, map, cells);
    }
    run_cells_free(map);
    return status;
}

static float rain_of(const wadi_sim *sim) {
    const wadi_def *def = wadi_sim_def(sim);
    const int index = wadi_model_parameter_index(def->model, "rain");
    return index < 0 ? 0 : (float)def->values[index];
}

wadi_status run_hand_over(const run_stage *stage, wadi_sim *sim, const wadi_sim *from, const float *hard) {
    const wadi_def *def = wadi_sim_def(sim);
    const bool first = !stage->entered;
    wadi_status status = wadi_sim_take(sim, from);
    if (status == WADI_OK && hard)
        status = wadi_sim_set(sim, "hardness", hard, (size_t)def->width * (size_t)def->height);
    if (status == WADI_OK && first && stage->mask_taken) status = take_map(sim, from, "mask", 1);
    if (status == WADI_OK && first && stage->rain_taken) status = take_map(sim, from, "rain", rain_of(from));
    return status;
}

bool run_misses_hardness(const wadi_sim *sim, const wadi_sim *from) {
    return wadi_model_has_hardness(wadi_sim_def(sim)->model) && !wadi_model_has_hardness(wadi_sim_def(from)->model);
}

/* The simulation of this level that tracked sliding last, before the present stage; NULL: none. */
static const wadi_sim *last_tracked(const run *run, const run_stage *stage) {
    const size_t count = run->stage_count, now = run->plan.stage;
    for (size_t back = 1; back < count; back++) {
        const run_stage *other = &run->stages[(now + count - back) % count];
        if (other->entered && other->level == stage->level && wadi_sim_has(other->sim, "slid")) return other->sim;
    }
    return NULL;
}

/* What slid is kept across stages that do not track it: in them nothing slides. */
static wadi_status hand_over_slid(const run *run, const run_stage *stage) {
    const bool misses = wadi_sim_has(stage->sim, "slid") && !wadi_sim_has(run->sim, "slid");
    const wadi_sim *from = misses ? last_tracked(run, stage) : NULL;
    return from ? take_map(stage->sim, from, "slid", (float)NAN) : WADI_OK; /* NaN: an even map is taken, too */
}

/* Hardness is kept across stages that have none. */
static wadi_status hand_over(run *run, const run_stage *stage) {
    if (stage->level < run_level(run)) return run_carry_up(run, stage);
    const int64_t hard_stage = run->plan.hardness_stage;
    const bool misses =
        run_misses_hardness(stage->sim, run->sim) && hard_stage >= 0 && run->stages[hard_stage].level == stage->level;
    const wadi_def *def = wadi_sim_def(stage->sim);
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *hard = misses ? run->raster->values : NULL;
    wadi_status status = WADI_OK;
    if (misses) status = wadi_sim_get(run->stages[run->plan.hardness_stage].sim, "hardness", hard, cells);
    if (status == WADI_OK) status = run_hand_over(stage, stage->sim, run->sim, hard);
    return status == WADI_OK ? hand_over_slid(run, stage) : status;
}

wadi_status run_stage_begin(run_stage *stage, const wadi_sim *sim) {
    size_t count;
    const wadi_source *sources = wadi_sim_sources(sim, &count);
    stage->def = *wadi_sim_def(sim);
    stage->sources = run_array_copy(sources, count, sizeof *sources);
    if (!stage->sources) return WADI_ERROR_MEMORY;
    stage->source_count = count;
    return WADI_OK;
}

void run_stage_free(run_stage *stage) {
    wadi_sim_destroy(stage->sim);
    free(stage->sources);
    run_events_free(&stage->events);
    run_inputs_free(&stage->inputs);
    free(stage->preset);
}

static wadi_status enter(run *run) {
    run_stage *stage = &run->stages[run->plan.stage];
    wadi_status status = WADI_OK;
    if (stage->sim != run->sim) status = hand_over(run, stage);
    if (wadi_model_has_hardness(wadi_sim_def(stage->sim)->model)) run->plan.hardness_stage = (int64_t)run->plan.stage;
    stage->entered = true;
    run->sim = stage->sim;
    return status;
}

bool run_events_due(const run *run) {
    const run_stage *stage = &run->stages[run->plan.stage];
    return stage->events_done < stage->events.count &&
           stage->events.items[stage->events_done].at <= wadi_sim_steps(stage->sim);
}

static wadi_status do_events(run *run) {
    run_stage *stage = &run->stages[run->plan.stage];
    const wadi_status status = run_events_apply_due(&stage->events, &stage->events_done, run->sim);
    if (status == WADI_OK) return WADI_OK;
    const event *event = &stage->events.items[stage->events_done];
    return wadi_fail(status, "stage %zu, event at step %lld: %s", run->plan.stage + 1, (long long)event->at,
                     wadi_error_message());
}

/* The last visit of all. It gives the result, so its model takes over even without a step. */
static bool is_last(const run *run) {
    const run_stage *stage = &run->stages[run->plan.stage];
    return run->plan.stage + 1 == run->stage_count &&
           (run->plan.round + 1 >= stage->rounds || !does_anything(run, stage));
}

/* At the end the position stays in the last stage, so that it can be extended. */
wadi_status run_next_visit(run *run) {
    run_plan *plan = &run->plan, last = *plan;
    while (plan->stage < run->stage_count) {
        const bool due = run_events_due(run), comes = due || run_steps_left(run) > 0 || is_last(run);
        wadi_status status = comes ? enter(run) : WADI_OK;
        if (comes) last = *plan;
        if (status == WADI_OK && due) status = do_events(run);
        if (status != WADI_OK || run_steps_left(run) > 0) return status;
        advance(run);
    }
    plan->stage = last.stage, plan->round = last.round, plan->visit_done = last.visit_done;
    if (run_level(run) == 0) return WADI_OK;
    plan->stage = run->stage_count - run_fine_count(run); /* without a step: the result is of level 0 nonetheless */
    return enter(run);
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

/* Adds what was set or painted before a stage's first step, which no stage counts. */
static void add_placed(wadi_balance *total) {
    const double placed = (total->after - total->before) - total->in + total->out - total->residual;
    total->in += placed > 0 ? placed : 0;
    total->out += placed < 0 ? -placed : 0;
}

/* Volume moved in the whole run, m3. It is not a sum over stages, which may move back what others moved. */
static wadi_status find_moved(const run *run, double *moved) {
    const wadi_def *def = wadi_sim_def(run->sim); /* in the window, of a coarser level too */
    const size_t count = (size_t)def->width * (size_t)def->height;
    float *change = run->raster->values;
    const wadi_status status = wadi_sim_get(run->sim, "change", change, count);
    if (status != WADI_OK) return status;
    *moved = 0;
    for (size_t i = 0; i < count; i++)
        if (change[i] == change[i]) *moved += fabs((double)change[i]); /* not NaN */
    *moved *= def->lx * def->ly;
    return WADI_OK;
}

/* Finds the mass of each stage. A finished stage without a simulation has it recorded. */
static wadi_status find_masses(run *run) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < run->stage_count && status == WADI_OK; i++)
        if (run->stages[i].sim) status = wadi_sim_mass(run->stages[i].sim, &run->stages[i].mass);
    return status;
}

static int64_t steps_of(const run_stage *stage) { return stage->sim ? wadi_sim_steps(stage->sim) : stage->made; }

wadi_status run_mass(run *run, wadi_mass *result) {
    wadi_status status = find_masses(run);
    if (status != WADI_OK) return status;
    wadi_mass total = run->stages[0].mass;
    if (run->stage_count == 1) {
        *result = total;
        return WADI_OK;
    }
    wadi_mass last;
    status = wadi_sim_mass(run->sim, &last);
    for (size_t i = 1; i < run->stage_count; i++) {
        if (steps_of(&run->stages[i]) == 0) continue;
        const wadi_mass *mass = &run->stages[i].mass;
        add_flows(&total.solid, &mass->solid);
        add_flows(&total.water, &mass->water);
        total.rained += mass->rained;
        total.evaporated += mass->evaporated;
        total.infiltrated += mass->infiltrated;
        total.water_over_border += mass->water_over_border;
        total.solid_over_border += mass->solid_over_border;
        total.exchanged += mass->exchanged;
        total.advected += mass->advected;
    }
    if (status == WADI_OK) status = find_moved(run, &total.moved);
    if (status != WADI_OK) return status;
    total.solid.after = last.solid.after;
    total.water.after = last.water.after;
    total.solid_handed = total.water_handed = 0;
    add_placed(&total.solid);
    add_placed(&total.water);
    *result = total;
    return WADI_OK;
}

/* Whether the last stage alone can have the map. */
static bool is_of_last(const run *run, const char *map) {
    return run_fine_count(run) == 1 || (strcmp(map, "flow") != 0 && strcmp(map, "velocity") != 0);
}

static wadi_status has_flow(const wadi_sim *sim, float *scratch, size_t count, bool *flows) {
    *flows = false;
    if (wadi_sim_steps(sim) == 0) return WADI_OK;
    const wadi_status status = wadi_sim_get(sim, "flow", scratch, count);
    for (size_t k = 0; k < count && status == WADI_OK && !*flows; k++) *flows = scratch[k] > 0;
    return status;
}

wadi_status run_map_sim(const run *run, const char *map, float *scratch, const wadi_sim **sim) {
    const size_t count = (size_t)run->raster->width * (size_t)run->raster->height;
    const bool hardness = strcmp(map, "hardness") == 0 && run->plan.hardness_stage >= 0;
    bool found = is_of_last(run, map);
    wadi_status status = WADI_OK;
    *sim = hardness ? run->stages[run->plan.hardness_stage].sim : run->sim;
    const size_t coarser = run->stage_count - run_fine_count(run);
    for (size_t i = run->stage_count; i-- > coarser && !found && status == WADI_OK;) {
        status = has_flow(run->stages[i].sim, scratch, count, &found);
        if (found) *sim = run->stages[i].sim;
    }
    return status;
}
