/* mass.c: the mass balance, in float64 with compensated sums. */
#include "core/mass.h"

#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/inside.h"
#include "core/mirror.h"
#include "core/need.h"
#include "core/strict.h"
#include "core/total.h"

/* The change that another model made before wadi_sim_take is not counted again: for db it is |db - taken|. */
static const float *taken_of(const wadi_sim *sim, wadi_summed what) {
    return what.how == WADI_SUM_ABSOLUTE ? sim->taken : NULL;
}

/* A row's sum over cells with data, in float64. It uses a fixed number of lanes, so that any vector width gives the
 * same bits. */
static double row_sum(const wadi_sim *sim, wadi_summed what, int y) {
    enum { LANES = 8 };
    const float *b0 = wadi_terrain_row(sim->domain, y);
    const float *row = wadi_block_row(&sim->domain->block, sim->domain->block.field[what.field], y);
    const float *taken = taken_of(sim, what);
    double lanes[LANES] = {0}, sum = 0;
    if (taken != NULL) taken += (size_t)y * (size_t)sim->domain->def.width;
    for (int x = 0; x < sim->domain->def.width; x += LANES)
        for (int i = 0; i < LANES && x + i < sim->domain->def.width; i++) {
            const double value = (double)row[x + i] - (taken != NULL ? (double)taken[x + i] : 0);
            lanes[i] += b0[x + i] >= 0.1f * WADI_WALL ? 0 : what.how == WADI_SUM_ABSOLUTE ? fabs(value) : value;
        }
    for (int i = 0; i < LANES; i++) sum += lanes[i];
    return sum;
}

double wadi_row_largest(const wadi_domain *domain, int field, int y) {
    const float *b0 = wadi_terrain_row(domain, y);
    const float *row = wadi_block_row(&domain->block, domain->block.field[field], y);
    float largest = 0;
    for (int x = 0; x < domain->def.width; x++)
        if (b0[x] < 0.1f * WADI_WALL && row[x] > largest) largest = row[x];
    return (double)largest;
}

static double row_value(const wadi_sim *sim, wadi_summed what, int y) {
    return what.how == WADI_SUM_LARGEST ? wadi_row_largest(sim->domain, what.field, y) : row_sum(sim, what, y);
}

/* Adds a row's value. */
static void take_row(wadi_total *total, wadi_summed what, double value) {
    if (what.how != WADI_SUM_LARGEST)
        wadi_total_add(total, value);
    else if (value > total->sum)
        total->sum = value;
}

/* Rows are summed in parallel, a batch at a time. The row sums are added in order, with compensation. */
static wadi_status total_here(const wadi_sim *sim, wadi_summed what, double *found) {
    enum { BATCH = 512 };
    double sums[BATCH];
    wadi_total total = {0, 0};
    const wadi_status status = wadi_domain_bring(sim->domain, what.field);
    if (status != WADI_OK) return status;
    for (int from = 0; from < sim->domain->def.height; from += BATCH) {
        const int rows = sim->domain->def.height - from < BATCH ? sim->domain->def.height - from : BATCH;
#pragma omp parallel num_threads(sim->domain->threads)
        {
            WADI_IEEE_MODE;
#pragma omp for schedule(static)
            for (int i = 0; i < rows; i++) sums[i] = row_value(sim, what, from + i);
        }
        for (int i = 0; i < rows; i++) take_row(&total, what, sums[i]);
    }
    *found = total.sum + total.rest;
    return WADI_OK;
}

/* Sums on the engine's device, where it holds all the fields. */
static bool totals_there(const wadi_sim *sim, const wadi_summed *what, int count, double *totals) {
    const size_t height = (size_t)sim->domain->def.height;
    bool made = sim->domain->engine->sum_rows != NULL;
    for (int i = 0; i < count; i++) made = made && taken_of(sim, what[i]) == NULL;
    double *sums = made ? malloc((size_t)count * height * sizeof *sums) : NULL;
    made = sums != NULL && sim->domain->engine->sum_rows(sim->domain, what, count, sums);
    for (int i = 0; i < count && made; i++) {
        wadi_total total = {0, 0};
        for (size_t y = 0; y < height; y++) take_row(&total, what[i], sums[(size_t)i * height + y]);
        totals[i] = total.sum + total.rest;
    }
    free(sums);
    return made;
}

/* Whether the field still has its initial value, which is 0. */
static bool is_empty(const wadi_sim *sim, wadi_summed what) {
    return sim->domain->where[what.field] == WADI_NOWHERE && sim->taken == NULL &&
           !(wadi_at_start(sim->domain, what.field) > 0);
}

/* For at most WADI_MOST_SUMMED totals. */
static wadi_status find_totals(const wadi_sim *sim, const wadi_summed *what, int count, double *totals) {
    wadi_summed full[WADI_MOST_SUMMED];
    int place[WADI_MOST_SUMMED], fulls = 0;
    double found[WADI_MOST_SUMMED];
    for (int i = 0; i < count; i++) {
        totals[i] = 0;
        if (is_empty(sim, what[i])) continue;
        place[fulls] = i;
        full[fulls++] = what[i];
    }
    wadi_status status = WADI_OK;
    if (fulls > 0 && !totals_there(sim, full, fulls, found))
        for (int i = 0; i < fulls && status == WADI_OK; i++)
            if (fulls == 1 || !totals_there(sim, &full[i], 1, &found[i])) status = total_here(sim, full[i], &found[i]);
    for (int i = 0; i < fulls && status == WADI_OK; i++) totals[place[i]] = found[i];
    return status;
}

static wadi_summed values_of(const wadi_sim *sim, wadi_field_role role) {
    return (wadi_summed){wadi_field_of(sim->domain->model, role), WADI_SUM_VALUES};
}

static wadi_summed moved(const wadi_sim *sim) {
    return (wadi_summed){wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE), WADI_SUM_ABSOLUTE};
}

wadi_status wadi_field_total(const wadi_sim *sim, int field, double *total) {
    const wadi_summed what = {field, WADI_SUM_VALUES};
    return find_totals(sim, &what, 1, total);
}

wadi_status wadi_field_largest(const wadi_sim *sim, int field, double *largest) {
    const wadi_summed what = {field, WADI_SUM_LARGEST};
    return find_totals(sim, &what, 1, largest);
}

wadi_status wadi_moved_total(const wadi_sim *sim, double *total) {
    const wadi_summed what = moved(sim);
    return find_totals(sim, &what, 1, total);
}

static double sum_of(const wadi_sim *sim, wadi_sum sum) {
    wadi_total total = {0, 0};
    for (int y = 0; y < sim->domain->def.height; y++) wadi_total_add(&total, sim->domain->sums[sum][y]);
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

wadi_status wadi_sim_mass(const wadi_sim *sim, wadi_mass *result) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    WADI_NEED(result);
    *result = (wadi_mass){0};
    const double area = sim->domain->def.lx * sim->domain->def.ly;
    const bool begun = sim->domain->steps > 0;
    const wadi_summed what[WADI_MOST_SUMMED] = {values_of(sim, WADI_FIELD_TERRAIN), values_of(sim, WADI_FIELD_CHANGE),
                                                values_of(sim, WADI_FIELD_SEDIMENT), values_of(sim, WADI_FIELD_WATER),
                                                moved(sim)};
    double totals[WADI_MOST_SUMMED];
    const wadi_status status = find_totals(sim, what, WADI_MOST_SUMMED, totals);
    if (status != WADI_OK) return status;
    const double b0 = totals[0], db = totals[1], s = totals[2], d = totals[3];
    const double s_before = begun ? sim->solid_before : s, d_before = begun ? sim->water_before : d;
    const double exchanged = sum_of(sim, WADI_SUM_exchanged), advected = sum_of(sim, WADI_SUM_advected);
    const double infiltrated = sum_of(sim, WADI_SUM_infiltrated);
    const double db_before = begun ? sim->change_before : db;
    wadi_mass mass = {.rained = sum_of(sim, WADI_SUM_rained) * area,
                      .evaporated = sum_of(sim, WADI_SUM_evaporated) * area,
                      .water_over_border = sum_of(sim, WADI_SUM_spilled) * area,
                      .solid_over_border = sum_of(sim, WADI_SUM_carried) * area,
                      .exchanged = exchanged * area,
                      .advected = advected * area,
                      .moved = (sim->moved_before + totals[4]) * area,
                      .solid_handed = sim->solid_handed * area,
                      .water_handed = sim->water_handed * area,
                      .infiltrated = infiltrated * area};
    wadi_balance *solid = &mass.solid, *water = &mass.water;
    const double ground = sim->ground_placed; /* b0 contains it, but did not before it was painted */
    *solid = (wadi_balance){.before = (b0 - ground) + (db_before + s_before), .after = b0 + (db + s)};
    solid->in = positive(advected) + positive(sim->solid_placed);
    solid->out = sum_of(sim, WADI_SUM_carried) + positive(-advected) + positive(-sim->solid_placed);
    solid->residual =
        /* b0 cancels: it is on both sides */
        ((db - db_before) + (s - s_before)) - sim->solid_handed - solid->in + solid->out;
    solid->in += positive(ground);
    solid->out += positive(-ground);
    *water = (wadi_balance){.before = d_before, .after = d};
    const double spilled = sum_of(sim, WADI_SUM_spilled);
    water->in = sum_of(sim, WADI_SUM_rained) + positive(-spilled) + positive(exchanged) + positive(sim->water_placed);
    water->out = sum_of(sim, WADI_SUM_evaporated) + infiltrated + positive(spilled) + positive(-exchanged) +
                 positive(-sim->water_placed);
    water->residual = (d - d_before) - sim->water_handed - water->in + water->out;
    scale(solid, area);
    scale(water, area);
    *result = mass;
    return WADI_OK;
}
