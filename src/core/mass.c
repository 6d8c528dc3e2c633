/* mass.c: the mass balance, in float64 with compensation. */
#include <math.h>
#include <stdlib.h>

#include "core/sim.h"

typedef enum summed { AS_IT_IS, MOVED } summed; /* MOVED: |db - taken| */

/* A row's sum over cells with data, in float64 in eight fixed lanes: any vector width gives the same bits. */
static double row_sum(const wadi_sim *sim, int field, int y, summed what) {
    enum { LANES = 8 };
    const float *b0 = wadi_block_row(&sim->block, sim->block.field[0], y);
    const float *row = wadi_block_row(&sim->block, sim->block.field[field], y);
    const float *taken = what == MOVED && sim->taken != NULL ? sim->taken + (size_t)y * (size_t)sim->def.width : NULL;
    double lanes[LANES] = {0}, sum = 0;
    for (int x = 0; x < sim->def.width; x += LANES)
        for (int i = 0; i < LANES && x + i < sim->def.width; i++) {
            const double value = (double)row[x + i] - (taken != NULL ? (double)taken[x + i] : 0);
            lanes[i] += b0[x + i] >= 0.1f * WADI_WALL ? 0 : what == MOVED ? fabs(value) : value;
        }
    for (int i = 0; i < LANES; i++) sum += lanes[i];
    return sum;
}

/* Where the engine has the field. */
static bool sum_there(const wadi_sim *sim_, int field, summed what, wadi_total *total) {
    wadi_sim *sim = (wadi_sim *)(uintptr_t)sim_; /* what it says stays the same */
    if (sim->engine->sum_rows == NULL || (what == MOVED && sim->taken != NULL)) return false;
    double *sums = malloc((size_t)sim->def.height * sizeof *sums);
    const bool made = sums != NULL && sim->engine->sum_rows(sim, field, what == MOVED, sums);
    for (int y = 0; made && y < sim->def.height; y++) wadi_total_add(total, sums[y]);
    free(sums);
    return made;
}

/* Rows side by side, a batch at a time; their sums in order, with compensation. */
static double total_of(const wadi_sim *sim, int field, summed what) {
    enum { BATCH = 512 };
    const bool begins = sim->where[field] == WADI_NOWHERE && sim->taken == NULL;
    wadi_total total = {0, 0};
    if (begins && !(wadi_at_start(sim, field) > 0)) return 0;
    if (sum_there(sim, field, what, &total)) return total.sum + total.rest;
    if (wadi_sim_bring(sim, field) != WADI_OK) return NAN;
    double sums[BATCH];
    for (int from = 0; from < sim->def.height; from += BATCH) {
        const int rows = sim->def.height - from < BATCH ? sim->def.height - from : BATCH;
#pragma omp parallel for schedule(static) num_threads(sim->threads)
        for (int i = 0; i < rows; i++) sums[i] = row_sum(sim, field, from + i, what);
        for (int i = 0; i < rows; i++) wadi_total_add(&total, sums[i]);
    }
    return total.sum + total.rest;
}

double wadi_field_total(const wadi_sim *sim, const char *name) {
    return total_of(sim, wadi_model_field(sim->model, name), AS_IT_IS);
}

double wadi_moved_total(const wadi_sim *sim) { return total_of(sim, 1, MOVED); }

static double sum_of(const wadi_sim *sim, wadi_sum sum) {
    wadi_total total = {0, 0};
    for (int y = 0; y < sim->def.height; y++) wadi_total_add(&total, sim->sums[sum][y]);
    return total.sum + total.rest;
}

static double positive(double value) { return value > 0 ? value : 0; }

static void scale(wadi_balance *balance, double area) {
    balance->before *= area;
    balance->in *= area;
    balance->out *= area;
    balance->after *= area;
    balance->residual *= area;
}

wadi_mass wadi_sim_mass(const wadi_sim *sim) {
    const double area = sim->def.lx * sim->def.ly;
    const bool begun = sim->steps > 0;
    const double b0 = wadi_field_total(sim, "b0"), db = wadi_field_total(sim, "db");
    const double s = wadi_field_total(sim, "s"), d = wadi_field_total(sim, "d");
    const double s_before = begun ? sim->solid_before : s, d_before = begun ? sim->water_before : d;
    const double exchanged = sum_of(sim, WADI_SUM_exchanged), advected = sum_of(sim, WADI_SUM_advected);
    const double db_before = begun ? sim->change_before : db;
    wadi_mass mass = {.rained = sum_of(sim, WADI_SUM_rained) * area,
                      .evaporated = sum_of(sim, WADI_SUM_evaporated) * area,
                      .water_over_border = sum_of(sim, WADI_SUM_spilled) * area,
                      .solid_over_border = sum_of(sim, WADI_SUM_carried) * area,
                      .exchanged = exchanged * area,
                      .advected = advected * area,
                      .moved = (sim->moved_before + wadi_moved_total(sim)) * area,
                      .solid_handed = sim->solid_handed * area,
                      .water_handed = sim->water_handed * area};
    wadi_balance *solid = &mass.solid, *water = &mass.water;
    const double ground = sim->ground_placed; /* b0 has it, and before it was painted had not */
    *solid = (wadi_balance){.before = (b0 - ground) + (db_before + s_before), .after = b0 + (db + s)};
    solid->in = positive(advected) + positive(sim->solid_placed);
    solid->out = sum_of(sim, WADI_SUM_carried) + positive(-advected) + positive(-sim->solid_placed);
    solid->residual =
        ((db - db_before) + (s - s_before)) - sim->solid_handed - solid->in + solid->out; /* b0 stands on both sides */
    solid->in += positive(ground);
    solid->out += positive(-ground);
    *water = (wadi_balance){.before = d_before, .after = d};
    water->in = sum_of(sim, WADI_SUM_rained) + positive(exchanged) + positive(sim->water_placed);
    water->out = sum_of(sim, WADI_SUM_evaporated) + sum_of(sim, WADI_SUM_spilled) + positive(-exchanged) +
                 positive(-sim->water_placed);
    water->residual = (d - d_before) - sim->water_handed - water->in + water->out;
    scale(solid, area);
    scale(water, area);
    return mass;
}
