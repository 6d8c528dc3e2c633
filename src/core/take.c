/* take.c: the state handed from one simulation to another of the same terrain. */
#include <stdlib.h>
#include <string.h>

#include "core/sim.h"

static wadi_status check_grids(const wadi_sim *sim, const wadi_sim *from) {
    const wadi_def *a = &sim->def, *b = &from->def;
    if (sim == from) return wadi_fail(WADI_ERROR_ARGUMENT, "a simulation cannot take its own state");
    if (a->width == b->width && a->height == b->height && a->lx == b->lx && a->ly == b->ly) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%d x %d cells of %g x %g m cannot take the state of %d x %d of %g x %g m",
                     a->width, a->height, a->lx, a->ly, b->width, b->height, b->lx, b->ly);
}

/* A field's row on the grid, without the halo: the models may differ in what stands there. */
static float *row_of(const wadi_sim *sim, int field, int y) {
    return wadi_block_row(&sim->block, sim->block.field[field], y);
}

static bool same_start(const wadi_sim *sim, const wadi_sim *from) {
    const size_t bytes = (size_t)sim->def.width * sizeof(float);
    bool same = true;
#pragma omp parallel for schedule(static) reduction(&& : same) num_threads(sim->threads)
    for (int y = 0; y < sim->def.height; y++) same = same && memcmp(row_of(sim, 0, y), row_of(from, 0, y), bytes) == 0;
    return same;
}

/* Cells without data hold what the model puts there. */
static wadi_status copy_field(wadi_sim *sim, const wadi_sim *from, const char *name) {
    const int to = wadi_model_field(sim->model, name), source = wadi_model_field(from->model, name);
    if (to < 0 || source < 0) return WADI_OK;
    wadi_status status = wadi_sim_bring(from, source);
    if (status == WADI_OK) status = wadi_sim_bring_to_change(sim, to);
    if (status != WADI_OK) return status;
    const bool start = strcmp(name, "b0") == 0;
    const float empty = wadi_at_start(sim, to);
#pragma omp parallel for schedule(static) num_threads(sim->threads)
    for (int y = 0; y < sim->def.height; y++) {
        float *row = row_of(sim, to, y);
        const float *given = row_of(from, source, y);
        for (int x = 0; x < sim->def.width; x++) row[x] = start || wadi_sim_has_data(from, x, y) ? given[x] : empty;
    }
    for (int y = 0; sim->def.boundary == WADI_WRAP && y < sim->def.height; y++)
        wadi_block_close_row(&sim->block, wadi_block_row(&sim->block, sim->block.field[to], y));
    return WADI_OK;
}

static void keep_taken(wadi_sim *sim) {
    const size_t width = (size_t)sim->def.width;
#pragma omp parallel for schedule(static) num_threads(sim->threads)
    for (int y = 0; y < sim->def.height; y++)
        memcpy(sim->taken + (size_t)y * width, row_of(sim, 1, y), width * sizeof *sim->taken);
}

static double solid_of(const wadi_sim *sim) { return wadi_field_total(sim, "db") + wadi_field_total(sim, "s"); }

/* The balance: a simulation that has begun notes what others did meanwhile; one that has not begins here. */
static wadi_status take_state(wadi_sim *sim, const wadi_sim *from) {
    const bool begun = sim->steps > 0;
    const double solid = begun ? solid_of(sim) : 0, water = begun ? wadi_field_total(sim, "d") : 0;
    if (begun) sim->moved_before += wadi_moved_total(sim);
    static const char *const names[] = {"db", "d", "s", "R"};
    wadi_status status = WADI_OK;
    for (size_t i = 0; status == WADI_OK && i < sizeof names / sizeof *names; i++)
        status = copy_field(sim, from, names[i]);
    if (status != WADI_OK) return status;
    keep_taken(sim);
    if (begun) {
        sim->solid_handed += solid_of(sim) - solid;
        sim->water_handed += wadi_field_total(sim, "d") - water;
    } else {
        sim->change_before = wadi_field_total(sim, "db");
    }
    return WADI_OK;
}

wadi_status wadi_sim_take(wadi_sim *sim, const wadi_sim *from) {
    wadi_status status = check_grids(sim, from);
    if (status != WADI_OK) return status;
    const bool same = same_start(sim, from);
    if (!same && sim->steps > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "the two simulations have begun with different terrains");
    float *taken = sim->taken;
    if (taken == NULL) taken = calloc((size_t)sim->def.width * (size_t)sim->def.height, sizeof *taken);
    if (taken == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to take a simulation's state");
    sim->taken = taken;
    sim->edits++;
    if (!same) {
        status = copy_field(sim, from, "b0");
        wadi_sim_find_outside(sim);
        if (status == WADI_OK) status = wadi_sim_refresh(sim);
    }
    return status == WADI_OK ? take_state(sim, from) : status;
}
