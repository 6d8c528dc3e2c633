/* mass.c: the mass balance, in float64 with compensation. */
#include <math.h>
#include <string.h>

#include "core/sim.h"

double wadi_field_total(const wadi_sim *sim, const char *name) {
    wadi_total total = {0, 0};
    const int field = wadi_model_field(sim->model, name);
    for (int y = 0; y < sim->def.height; y++) {
        const float *row = wadi_block_row(&sim->block, sim->block.field[field], y);
        for (int x = 0; x < sim->def.width; x++)
            if (wadi_sim_has_data(sim, x, y)) wadi_total_add(&total, (double)row[x]);
    }
    return total.sum + total.rest;
}

double wadi_moved_total(const wadi_sim *sim) {
    wadi_total total = {0, 0};
    for (int y = 0; y < sim->def.height; y++) {
        const float *db = wadi_block_row(&sim->block, sim->block.field[1], y);
        const float *taken = sim->taken != NULL ? sim->taken + (size_t)y * (size_t)sim->def.width : NULL;
        for (int x = 0; x < sim->def.width; x++)
            if (wadi_sim_has_data(sim, x, y))
                wadi_total_add(&total, fabs((double)db[x] - (taken != NULL ? (double)taken[x] : 0)));
    }
    return total.sum + total.rest;
}

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
    *solid = (wadi_balance){.before = b0 + (db_before + s_before), .after = b0 + (db + s)};
    solid->in = positive(advected) + positive(sim->solid_placed);
    solid->out = sum_of(sim, WADI_SUM_carried) + positive(-advected) + positive(-sim->solid_placed);
    solid->residual =
        ((db - db_before) + (s - s_before)) - sim->solid_handed - solid->in + solid->out; /* b0 stands on both sides */
    *water = (wadi_balance){.before = d_before, .after = d};
    water->in = sum_of(sim, WADI_SUM_rained) + positive(exchanged) + positive(sim->water_placed);
    water->out = sum_of(sim, WADI_SUM_evaporated) + sum_of(sim, WADI_SUM_spilled) + positive(-exchanged) +
                 positive(-sim->water_placed);
    water->residual = (d - d_before) - sim->water_handed - water->in + water->out;
    scale(solid, area);
    scale(water, area);
    return mass;
}
