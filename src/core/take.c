/* take.c: the state as other simulations left it: of the same grid, or of a coarser one. */
#include "core/take.h"

#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/checks.h"
#include "core/ground.h"
#include "core/inside.h"
#include "core/mass.h"
#include "core/mirror.h"
#include "core/need.h"
#include "core/sea.h"
#include "core/strict.h"
#include "wadi/levels.h"

static wadi_status check_grids(const wadi_sim *sim, const wadi_sim *from) {
    const wadi_def *a = &sim->domain->def, *b = &from->domain->def;
    if (sim == from) return wadi_fail(WADI_ERROR_ARGUMENT, "a simulation cannot take its own state");
    if (a->width == b->width && a->height == b->height && a->lx == b->lx && a->ly == b->ly) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%d x %d cells of %g x %g m cannot take the state of %d x %d of %g x %g m",
                     a->width, a->height, a->lx, a->ly, b->width, b->height, b->lx, b->ly);
}

/* A field's row without the halo: its values there may differ between models. */
static float *row_of(const wadi_sim *sim, int field, int y) {
    return wadi_block_row(&sim->domain->block, sim->domain->block.field[field], y);
}

static bool same_start(const wadi_sim *sim, const wadi_sim *from) {
    const size_t bytes = (size_t)sim->domain->def.width * sizeof(float);
    bool same = true;
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static) reduction(&& : same)
        for (int y = 0; y < sim->domain->def.height; y++)
            same = same && memcmp(wadi_terrain_row(sim->domain, y), wadi_terrain_row(from->domain, y), bytes) == 0;
    }
    return same;
}

static const wadi_field_role taken_fields[] = {WADI_FIELD_CHANGE,   WADI_FIELD_WATER,  WADI_FIELD_SEDIMENT,
                                               WADI_FIELD_HARDNESS, WADI_FIELD_SOAKED, WADI_FIELD_SLID,
                                               WADI_FIELD_ICE};
#define TAKEN (sizeof taken_fields / sizeof *taken_fields)

static bool has_field(const wadi_sim *sim, wadi_field_role role) {
    const int field = wadi_field_of(sim->domain->model, role);
    return field >= 0 && wadi_is_state(sim->domain, field);
}

/* Whether both simulations have the field. */
static bool is_shared(const wadi_sim *sim, const wadi_sim *from, wadi_field_role role) {
    return has_field(sim, role) && has_field(from, role);
}

static wadi_status bring_shared(wadi_sim *sim, const wadi_sim *from) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; status == WADI_OK && i < TAKEN; i++) {
        if (!is_shared(sim, from, taken_fields[i])) continue;
        status = wadi_domain_bring(from->domain, wadi_field_of(from->domain->model, taken_fields[i]));
        if (status == WADI_OK)
            status = wadi_domain_bring_to_change(sim->domain, wadi_field_of(sim->domain->model, taken_fields[i]));
    }
    return status;
}

/* Cells without data get the outside value of the new model. */
static void copy_field(wadi_sim *sim, const wadi_sim *from, wadi_field_role role) {
    const int to = wadi_field_of(sim->domain->model, role), source = wadi_field_of(from->domain->model, role);
    const float empty = wadi_at_start(sim->domain, to);
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < sim->domain->def.height; y++) {
            float *row = row_of(sim, to, y);
            const float *given = row_of(from, source, y);
            for (int x = 0; x < sim->domain->def.width; x++)
                row[x] = wadi_has_data(from->domain, x, y) ? given[x] : empty;
        }
    }
    wadi_domain_close_rows(sim->domain, to);
}

static bool sediment_passes(const wadi_sim *sim) { return sim->domain->model->sediment_passes; }

/* Whether sediment is taken: it is suspended in both, or passes in the same way. */
static bool is_alike(const wadi_sim *sim, const wadi_sim *from) {
    const bool passes = sediment_passes(sim);
    return passes == sediment_passes(from) && (!passes || sim->domain->model == from->domain->model);
}

/* Between a model in which sediment is suspended and one in which it passes: what is suspended settles. What passes
 * stays with its own simulation, also where it passes in both, but differently. */
static void exchange_sediment(wadi_sim *sim, const wadi_sim *from) {
    const int change = wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE);
    const int sediment = wadi_field_of(sim->domain->model, WADI_FIELD_SEDIMENT);
    const int given = wadi_field_of(from->domain->model, WADI_FIELD_SEDIMENT);
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < sim->domain->def.height; y++) {
            float *ground = row_of(sim, change, y), *own = row_of(sim, sediment, y);
            const float *suspended = row_of(from, given, y);
            for (int x = 0; x < sim->domain->def.width; x++) {
                if (!wadi_has_data(sim->domain, x, y)) continue;
                if (sediment_passes(sim))
                    ground[x] += suspended[x];
                else
                    own[x] = 0;
            }
        }
    }
    wadi_domain_close_rows(sim->domain, change);
    wadi_domain_close_rows(sim->domain, sediment);
}

static void copy_ground(const wadi_sim *sim, const void *context, int y, float *row) {
    const wadi_sim *from = context;
    memcpy(row, wadi_terrain_row(from->domain, y), (size_t)sim->domain->def.width * sizeof *row);
}

static void keep_taken(wadi_sim *sim) {
    const size_t width = (size_t)sim->domain->def.width;
    const int change = wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE);
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < sim->domain->def.height; y++)
            memcpy(sim->taken + (size_t)y * width, row_of(sim, change, y), width * sizeof *sim->taken);
    }
}

typedef struct totals {
    double change, sediment, water, moved;
} totals;

static wadi_status find_totals(const wadi_sim *sim, totals *found) {
    wadi_status status = wadi_field_total(sim, wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE), &found->change);
    if (status == WADI_OK)
        status = wadi_field_total(sim, wadi_field_of(sim->domain->model, WADI_FIELD_SEDIMENT), &found->sediment);
    if (status == WADI_OK)
        status = wadi_field_total(sim, wadi_field_of(sim->domain->model, WADI_FIELD_WATER), &found->water);
    return status == WADI_OK ? wadi_moved_total(sim, &found->moved) : status;
}

/* The balance: a simulation that has begun records what others changed in between; a new one begins here. */
static wadi_status book_taken(wadi_sim *sim, const totals *before) {
    keep_taken(sim);
    totals after;
    wadi_status status = wadi_sim_dry_sea(sim);
    if (status == WADI_OK) status = find_totals(sim, &after);
    if (status != WADI_OK) return status;
    if (sim->domain->steps > 0) {
        sim->moved_before += before->moved;
        sim->solid_handed += (after.change + after.sediment) - (before->change + before->sediment);
        sim->water_handed += after.water - before->water;
    } else {
        sim->change_before = after.change;
    }
    return WADI_OK;
}

static wadi_status take_state(wadi_sim *sim, const wadi_sim *from, const totals *before) {
    const bool alike = is_alike(sim, from);
    for (size_t i = 0; i < TAKEN; i++)
        if (is_shared(sim, from, taken_fields[i]) && (alike || taken_fields[i] != WADI_FIELD_SEDIMENT))
            copy_field(sim, from, taken_fields[i]);
    if (!alike && !(sediment_passes(sim) && sediment_passes(from))) exchange_sediment(sim, from);
    sim->look_again = true;
    /* what comes from a model of rivers has no sea that stands */
    const wadi_status status = sim->domain->steps == 0 || !alike ? wadi_sim_flood(sim) : WADI_OK;
    return status == WADI_OK ? book_taken(sim, before) : status;
}

/* Room for the change as it is taken; NULL: there is none. */
static float *room_for_taken(const wadi_sim *sim) {
    const size_t cells = (size_t)sim->domain->def.width * (size_t)sim->domain->def.height;
    return sim->taken != NULL ? sim->taken : wadi_domain_reserve(sim->domain, cells * sizeof(float));
}

/* Everything that can fail happens before any change. */
wadi_status wadi_sim_take(wadi_sim *sim, const wadi_sim *from) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    WADI_NEED(from);
    wadi_status status = check_grids(sim, from);
    if (status != WADI_OK) return status;
    const bool same = same_start(sim, from);
    if (!same && sim->domain->steps > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "the two simulations have begun with different terrains");
    float *taken = room_for_taken(sim);
    if (taken == NULL) return wadi_domain_no_map(sim->domain);
    totals before;
    status = bring_shared(sim, from);
    if (status == WADI_OK) status = find_totals(sim, &before);
    if (status == WADI_OK && !same) status = wadi_sim_replace_ground(sim, copy_ground, from);
    if (status != WADI_OK) {
        if (sim->taken == NULL) wadi_domain_release(taken);
        return status;
    }
    sim->taken = taken;
    sim->domain->edits++;
    return take_state(sim, from, &before);
}

static bool is_outside(const wadi_domain *domain, int x, int y) {
    const bool inside = x >= 0 && y >= 0 && x < domain->def.width && y < domain->def.height;
    return !inside || !wadi_has_data(domain, x, y);
}

/* Whether the cell is base level. A slope that is carried up from a coarser grid would lower it. */
static bool is_base(const wadi_domain *domain, int x, int y) {
    const int outlets = wadi_parameter_of(domain->model, WADI_PARAMETER_OUTLETS);
    if (outlets < 0 || domain->def.values[outlets] > 0 || domain->def.boundary != WADI_OPEN) return false;
    for (int i = 0; i < 9; i++)
        if (is_outside(domain, x + i % 3 - 1, y + i / 3 - 1)) return true;
    return false;
}

/* Cells without data keep their value, and so does base level. */
static void store_change(wadi_sim *sim, const float *values) {
    const int change = wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE);
    const size_t width = (size_t)sim->domain->def.width;
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < sim->domain->def.height; y++) {
            float *row = row_of(sim, change, y);
            for (int x = 0; x < sim->domain->def.width; x++)
                if (wadi_has_data(sim->domain, x, y) && !is_base(sim->domain, x, y))
                    row[x] = values[(size_t)y * width + (size_t)x];
        }
    }
    wadi_domain_close_rows(sim->domain, change);
}

wadi_status wadi_sim_set_change(wadi_sim *sim, const float *values) {
    wadi_status status = wadi_check_cells(sim, "change", values, -1e7, 1e7);
    const bool floods = sim->domain->steps == 0; /* the sea stands on the new ground */
    if (status == WADI_OK && floods) status = wadi_sim_ebb(sim);
    if (status == WADI_OK)
        status = wadi_domain_bring_to_change(sim->domain, wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE));
    totals before;
    if (status == WADI_OK) status = find_totals(sim, &before);
    if (status != WADI_OK) return status;
    float *taken = room_for_taken(sim);
    if (taken == NULL) return wadi_domain_no_map(sim->domain);
    sim->taken = taken;
    store_change(sim, values);
    if (floods) status = wadi_sim_flood(sim);
    return status == WADI_OK ? book_taken(sim, &before) : status;
}

wadi_status wadi_sim_settle(wadi_sim *sim) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    const int change = wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE);
    const int sediment = wadi_field_of(sim->domain->model, WADI_FIELD_SEDIMENT);
    if (sim->domain->model->sediment_passes) return WADI_OK;
    wadi_status status = wadi_domain_bring_to_change(sim->domain, change);
    if (status == WADI_OK) status = wadi_domain_bring_to_change(sim->domain, sediment);
    if (status != WADI_OK) return status;
    sim->domain->edits++;
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < sim->domain->def.height; y++) {
            float *ground = row_of(sim, change, y), *suspended = row_of(sim, sediment, y);
            for (int x = 0; x < sim->domain->def.width; x++) {
                if (!wadi_has_data(sim->domain, x, y)) continue;
                ground[x] += suspended[x];
                suspended[x] = 0;
            }
        }
    }
    wadi_domain_close_rows(sim->domain, change);
    wadi_domain_close_rows(sim->domain, sediment);
    return WADI_OK;
}
