/* sim.c: creates, steps and destroys simulations. */
#include "core/allocate.h"
#include "core/def.h"
#include "core/domain.h"
#include "core/gather.h"
#include "core/inside.h"
#include "core/mass.h"
#include "core/mirror.h"
#include "core/need.h"
#include "core/prepare.h"
#include "core/sea.h"
#include "core/strict.h"
#include "core/supply.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform/openmp.h"
#include "platform/platform.h"
#include "wadi/device.h"

/* Periodic grid: fills the halos from the opposite side. */
static void wrap_all(wadi_sim *sim) {
    if (sim->domain->def.boundary != WADI_WRAP) return;
    for (int f = 0; f < sim->domain->model->field_count; f++)
        for (int y = 0; sim->domain->block.field[f] != NULL && y < sim->domain->def.height; y++)
            wadi_block_close_row(&sim->domain->block,
                                 wadi_block_row(&sim->domain->block, sim->domain->block.field[f], y));
}

/* NULL: out of memory. */
static wadi_sim *make_sim(const wadi_def *def) {
    wadi_sim *sim = calloc(1, sizeof *sim);
    wadi_domain *domain = wadi_domain_make(def, (wadi_window){0, def->height, 0, def->height});
    if (sim == NULL || domain == NULL) {
        free(sim);
        wadi_domain_free(domain);
        return NULL;
    }
    sim->domain = domain;
    return sim;
}

wadi_status wadi_sim_create(const wadi_def *def, wadi_sim **result) {
    WADI_IEEE_MODE;
    WADI_NEED(result);
    *result = NULL;
    WADI_NEED(def);
    wadi_status status = wadi_check_def(def);
    if (status != WADI_OK) return status;
    wadi_sim *sim = make_sim(def);
    if (sim == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a simulation");
    status = wadi_domain_allocate(sim->domain);
    for (int i = 0; i < WADI_SUMS && status == WADI_OK; i++) {
        sim->good_sums[i] = calloc((size_t)def->height, sizeof *sim->good_sums[i]);
        if (sim->good_sums[i] == NULL) status = wadi_domain_too_large(sim->domain);
    }
    if (status == WADI_OK) status = wadi_sim_refresh(sim);
    if (status == WADI_OK) status = sim->domain->engine->open(sim->domain);
    if (status != WADI_OK) {
        wadi_sim_destroy(sim);
        return status;
    }
    wrap_all(sim);
    *result = sim;
    return WADI_OK;
}

void wadi_sim_destroy(wadi_sim *sim) {
    if (sim == NULL) return;
    wadi_supply_free_sources(&sim->domain->supply);
    wadi_domain_free(sim->domain);
    for (int i = 0; i < WADI_SUMS; i++) free(sim->good_sums[i]);
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++) wadi_domain_release(sim->raster[i]);
    wadi_domain_release(sim->mask);
    wadi_domain_release(sim->taken);
    wadi_sim_gathered_free(sim);
    free(sim);
}

int64_t wadi_sim_steps(const wadi_sim *sim) { return sim != NULL ? sim->domain->steps : 0; }
double wadi_sim_time(const wadi_sim *sim) {
    WADI_IEEE_MODE;
    return sim != NULL ? wadi_time_at(sim->domain, sim->domain->steps) : 0;
}
const wadi_def *wadi_sim_def(const wadi_sim *sim) { return sim != NULL ? &sim->domain->def : NULL; }
int64_t wadi_sim_flow_samples(const wadi_sim *sim) { return sim != NULL ? sim->flow_samples : 0; }
int wadi_sim_threads(const wadi_sim *sim) { return sim != NULL ? sim->domain->members : 0; }
int wadi_sim_parts(const wadi_sim *sim) {
    if (sim == NULL) return 0;
    return sim->domain->def.parts > 1 ? sim->domain->def.parts : 1;
}
int64_t wadi_sim_steps_at_once(const wadi_sim *sim) {
    if (sim == NULL) return 1;
    const int64_t most = wadi_def_substeps_follow(&sim->domain->def) ? WADI_FOLLOW_EVERY : INT64_MAX;
    const int64_t steps = sim->domain->substeps_at_once / sim->domain->substeps;
    return steps > most ? most : steps > 1 ? steps : 1;
}
int64_t wadi_sim_substeps(const wadi_sim *sim) { return sim != NULL ? sim->domain->substeps_done : 0; }
int wadi_sim_substeps_per_pass(const wadi_sim *sim) { return sim != NULL ? sim->domain->substeps_per_pass : 0; }
double wadi_sim_idle_share(const wadi_sim *sim) {
    return sim != NULL ? (sim->cells_done > 0 ? sim->domain->cells_idle / sim->cells_done : 0) : 0;
}
const char *wadi_sim_device(const wadi_sim *sim) { return sim != NULL ? sim->domain->device : NULL; }

/* The initial values of fields follow from the initial parameters. */
static wadi_status begin_fields(wadi_sim *sim) {
    wadi_status status = WADI_OK;
    for (int f = 0; f < sim->domain->model->field_count && status == WADI_OK; f++)
        if (sim->domain->where[f] == WADI_NOWHERE && wadi_at_start(sim->domain, f) > 0)
            status = wadi_domain_bring(sim->domain, f);
    return status;
}

/* Continues with the changed definition `def`. If it is refused, the old one stays. */
static wadi_status go_on_with(wadi_sim *sim, const wadi_def *def) {
    const wadi_def before = sim->domain->def;
    const double time_s = wadi_sim_time(sim);
    sim->domain->def = *def;
    const wadi_status status = wadi_sim_refresh(sim);
    if (status != WADI_OK) {
        sim->domain->def = before;
        return status;
    }
    sim->domain->base_time_s = time_s;
    sim->domain->base_step = sim->domain->steps;
    return status;
}

static bool is_of_sea(const wadi_model *model, int parameter) {
    return parameter == wadi_parameter_of(model, WADI_PARAMETER_SEA) ||
           parameter == wadi_parameter_of(model, WADI_PARAMETER_SEA_LEVEL);
}

/* What slid before would count as water's. */
static wadi_status check_tracking(const wadi_sim *sim, const wadi_def *def) {
    const int tracks = wadi_parameter_of(def->model, WADI_PARAMETER_TRACK_SLIDING);
    if (tracks < 0 || sim->domain->steps == 0 || def->values[tracks] == sim->domain->def.values[tracks]) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is for a whole run; set it before the first step",
                     def->model->parameters[tracks].name);
}

wadi_status wadi_sim_set_parameter(wadi_sim *sim, const char *name, double value) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    WADI_NEED(name);
    wadi_def def = sim->domain->def;
    wadi_status status = begin_fields(sim);
    if (status == WADI_OK) status = wadi_def_set(&def, name, value);
    if (status == WADI_OK) status = check_tracking(sim, &def);
    if (status != WADI_OK) return status;
    const int index = wadi_model_parameter_index(sim->domain->model, name);
    float *map = sim->raster[index];
    sim->raster[index] = NULL;
    const bool floods = sim->domain->steps == 0 && is_of_sea(sim->domain->model, index);
    if (floods) status = wadi_sim_ebb(sim);
    if (status == WADI_OK) status = go_on_with(sim, &def);
    sim->look_again = true;
    if (status == WADI_OK)
        wadi_domain_release(map);
    else
        sim->raster[index] = map;
    const wadi_status flooded = floods ? wadi_sim_flood(sim) : WADI_OK;
    return status == WADI_OK ? flooded : status;
}

wadi_status wadi_sim_set_drops(wadi_sim *sim, const wadi_drops *drops) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    WADI_NEED(drops);
    wadi_def def = sim->domain->def;
    def.drops = *drops;
    wadi_status status = wadi_check_def(&def);
    if (status == WADI_OK) status = wadi_supply_reserve(sim->domain, sim->domain->supply.source_count, def.drops.count);
    return status == WADI_OK ? go_on_with(sim, &def) : status;
}

/* --- checks for non-finite values --- */

typedef struct bad_value {
    int field, x, y; /* field: -1 if there is none */
} bad_value;

/* The first field, in the order of the table, and its first cell, by rows, that is not finite. */
static wadi_status find_bad(const wadi_sim *sim, bad_value *bad) {
    bad->field = -1;
    for (int f = 0; f < sim->domain->model->field_count; f++) {
        if (!wadi_is_state(sim->domain, f)) continue;
        const wadi_status status = wadi_domain_bring(sim->domain, f);
        if (status != WADI_OK) return status;
        int first = sim->domain->def.height;
#pragma omp parallel num_threads(sim->domain->threads)
        {
            WADI_IEEE_MODE;
#pragma omp for schedule(static) reduction(min : first)
            for (int y = 0; y < sim->domain->def.height; y++)
                if (y < first && !wadi_row_finite(wadi_block_row(&sim->domain->block, sim->domain->block.field[f], y),
                                                  0, sim->domain->def.width))
                    first = y;
        }
        if (first == sim->domain->def.height) continue;
        const float *row = wadi_block_row(&sim->domain->block, sim->domain->block.field[f], first);
        for (int x = 0; x < sim->domain->def.width; x++)
            if (!isfinite(row[x])) {
                *bad = (bad_value){f, x, first};
                return WADI_OK;
            }
    }
    return WADI_OK;
}

#define KEEP_EVERY 64 /* steps; a copy of the state costs about as much as one step */

/* Keeps a copy now and then, and always after a change by the caller. */
static void keep_good(wadi_sim *sim) {
    if (!sim->domain->def.keep_good_state) return;
    const bool recent = sim->domain->good_kept && sim->domain->edits == sim->good_edits &&
                        sim->domain->steps - sim->good_steps < KEEP_EVERY * (sim->domain->engine->keep != NULL ? 4 : 1);
    if (recent) return;
    sim->domain->good_kept = true;
    sim->domain->good_kept = wadi_domain_keep(sim->domain);
    if (!sim->domain->good_kept) return;
    for (int i = 0; i < WADI_SUMS; i++)
        memcpy(sim->good_sums[i], sim->domain->sums[i], (size_t)sim->domain->def.height * sizeof(double));
    sim->good_edits = sim->domain->edits;
    sim->good_steps = sim->domain->steps;
    sim->good_substeps = sim->domain->substeps_done;
    sim->good_flow_samples = sim->flow_samples;
    sim->good_deepest_m = sim->deepest_m;
}

/* The sub-steps of a step are those of then: a copy is kept whenever they change. */
static void return_to_good(wadi_sim *sim) {
    wadi_domain_go_back(sim->domain);
    sim->good_edits = ++sim->domain->edits;
    for (int i = 0; i < WADI_SUMS; i++)
        memcpy(sim->domain->sums[i], sim->good_sums[i], (size_t)sim->domain->def.height * sizeof(double));
    sim->domain->steps = sim->good_steps;
    sim->domain->substeps_done = sim->good_substeps;
    sim->flow_samples = sim->good_flow_samples;
    sim->deepest_m = sim->good_deepest_m;
}

/* The number of sub-steps until the next sample of the discharge. */
static int64_t samples_until(const wadi_model *model, int64_t substeps) {
    const int every = model->stages[wadi_stage_of(model, WADI_STAGE_DISCHARGE)].every;
    return (substeps + every - 1) / every;
}

static wadi_status make_ready(wadi_sim *sim) {
    return sim->domain->engine->prepare != NULL ? sim->domain->engine->prepare(sim->domain) : WADI_OK;
}

/* Where sub-steps follow the deepest water: finds it again. They are fitted to a tenth more, and not to less until it
 * has fallen by a quarter, so that they seldom change. At the same steps wherever calls begin, and after a change by
 * the caller. */
static wadi_status follow_water(wadi_sim *sim) {
    const int water = wadi_field_of(sim->domain->model, WADI_FIELD_WATER), before = sim->domain->substeps;
    double deepest_m;
    const bool due = sim->domain->steps % WADI_FOLLOW_EVERY == 0 || sim->look_again;
    if (!due || !wadi_def_substeps_follow(&sim->domain->def)) return WADI_OK;
    wadi_status status = wadi_field_largest(sim, water, &deepest_m);
    if (status == WADI_OK) sim->look_again = false;
    if (status != WADI_OK || (deepest_m <= sim->deepest_m && deepest_m > 0.75 * sim->deepest_m)) return status;
    status = wadi_sim_fit_substeps(sim, 1.1 * deepest_m);
    return status == WADI_OK && sim->domain->substeps != before ? make_ready(sim) : status;
}

/* As many of the steps as go before the sub-steps may change. */
static int64_t steps_alike(const wadi_sim *sim, int64_t steps) {
    const int64_t alike = WADI_FOLLOW_EVERY - sim->domain->steps % WADI_FOLLOW_EVERY;
    return wadi_def_substeps_follow(&sim->domain->def) && alike < steps ? alike : steps;
}

/* false: a value may not be finite. */
static bool advance(wadi_sim *sim, int64_t steps) {
    const int64_t substeps = steps * sim->domain->substeps;
    sim->flow_samples += samples_until(sim->domain->model, sim->domain->substeps_done + substeps) -
                         samples_until(sim->domain->model, sim->domain->substeps_done);
    const bool finite = sim->domain->engine->advance(sim->domain, substeps);
    sim->domain->substeps_done += substeps;
    sim->domain->steps += steps;
    sim->cells_done += (double)substeps * sim->domain->def.width * sim->domain->def.height;
    return finite;
}

/* Repeats from the last good state step by step to find where it went wrong. Then it restores that state. */
static wadi_status explain_bad(wadi_sim *sim, bad_value bad) {
    int64_t step = sim->domain->steps;
    if (sim->domain->good_kept) {
        return_to_good(sim);
        bad_value found = {.field = -1};
        wadi_status status = WADI_OK;
        while (status == WADI_OK && found.field < 0 && sim->domain->steps < step) {
            if (!advance(sim, 1)) status = find_bad(sim, &found);
            if (sim->domain->failure != WADI_OK) return sim->domain->failure;
        }
        step = sim->domain->steps;
        return_to_good(sim);
        if (status != WADI_OK) return status;
        if (found.field >= 0) bad = found;
    }
    return wadi_fail(
        WADI_ERROR_NUMERIC,
        "step %lld: %s is not a finite number at cell (%d, %d): lower dt or the rates; the state is that of step %lld",
        (long long)step, sim->domain->model->fields[bad.field].name, bad.x, bad.y, (long long)sim->domain->steps);
}

/* After a chunk whose values may not all be finite. A search that fails may not be taken for a good state. */
static wadi_status search_bad(wadi_sim *sim) {
    bad_value bad;
    const wadi_status status = find_bad(sim, &bad);
    if (status == WADI_OK) return bad.field >= 0 ? explain_bad(sim, bad) : WADI_OK;
    if (sim->domain->good_kept && sim->domain->failure == WADI_OK) return_to_good(sim);
    return status;
}

static wadi_status check_steps(const wadi_sim *sim, int64_t steps) {
    if (steps < 0 || steps > WADI_MOST_STEPS - sim->domain->steps)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%lld steps after %lld: at least 0, and at most 2^53 in all",
                         (long long)steps, (long long)sim->domain->steps);
    return sim->domain->failure == WADI_OK
               ? WADI_OK
               : wadi_fail(sim->domain->failure, "the device failed earlier: begin anew, or resume");
}

/* So many steps take about as long as a caller may wait. */
static int64_t steps_for_call(int64_t made, double took_s) {
    const double call_s = 0.05, most = 4.0 * (double)made;
    const double wanted = took_s > 0 ? fmin(call_s * (double)made / took_s, most) : most;
    return wanted < 1 ? 1 : (int64_t)wanted;
}

wadi_status wadi_sim_step_with(wadi_sim *sim, int64_t steps, wadi_sim_progress_fn *progress, void *context) {
    WADI_NEED(sim);
    if (progress == NULL) return wadi_sim_step(sim, steps);
    wadi_status status = check_steps(sim, steps);
    const int64_t least = wadi_sim_steps_at_once(sim);
    int64_t done = 0, next = 1;
    while (status == WADI_OK && progress(context, done, steps) && done < steps) {
        int64_t count = next > least ? next : least;
        if (count > steps - done) count = steps - done;
        const double start = platform_clock_s();
        status = wadi_sim_step(sim, count);
        next = steps_for_call(count, platform_clock_s() - start);
        done += count;
    }
    return status;
}

wadi_status wadi_sim_step(wadi_sim *sim, int64_t steps) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    const wadi_status allowed = check_steps(sim, steps);
    if (allowed != WADI_OK) return allowed;
    if (sim->domain->steps == 0) {
        wadi_status status =
            wadi_field_total(sim, wadi_field_of(sim->domain->model, WADI_FIELD_SEDIMENT), &sim->solid_before);
        if (status == WADI_OK)
            status = wadi_field_total(sim, wadi_field_of(sim->domain->model, WADI_FIELD_WATER), &sim->water_before);
        if (status != WADI_OK) return status;
    }
    wadi_status status = steps > 0 ? make_ready(sim) : WADI_OK;
    while (status == WADI_OK && steps > 0) {
        status = follow_water(sim);
        if (status != WADI_OK) return status;
        const int64_t most = steps < sim->domain->def.check_every ? steps : sim->domain->def.check_every;
        const int64_t chunk = steps_alike(sim, most);
        keep_good(sim);
        const bool finite = advance(sim, chunk);
        if (sim->domain->failure != WADI_OK) return sim->domain->failure;
        if (!finite) status = search_bad(sim);
        steps -= chunk;
    }
    return status;
}

void wadi_build_ahead(wadi_sim *const *sims, size_t count) {
    if (sims == NULL || count < 2) return; /* one builds its own */
    const int64_t many = (int64_t)count;
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t i = 0; i < many; i++) {
        const wadi_domain *domain = sims[i] != NULL ? sims[i]->domain : NULL;
        if (domain != NULL && domain->engine->build_ahead != NULL) domain->engine->build_ahead(domain);
    }
}
