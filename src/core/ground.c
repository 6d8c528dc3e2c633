/* ground.c: the terrain as given: its range, its cells without data, and its replacement. */
#include "core/ground.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/checks.h"
#include "core/def.h"
#include "core/inside.h"
#include "core/prepare.h"
#include "core/strict.h"

static void find_range(wadi_sim *sim) {
    float low = INFINITY, high = -INFINITY;
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static) reduction(min : low) reduction(max : high)
        for (int y = 0; y < sim->domain->def.height; y++) {
            const float *row = wadi_terrain_row(sim->domain, y);
            for (int x = 0; x < sim->domain->def.width; x++) {
                const bool data = wadi_has_data(sim->domain, x, y);
                low = data && row[x] < low ? row[x] : low;
                high = data && row[x] > high ? row[x] : high;
            }
        }
    }
    const wadi_tile *tile = &sim->domain->def.tile;
    const bool any = low <= high;
    /* -0 and 0 are the same height: the result must not depend on which comes first */
    sim->low_m = wadi_is_tile(&sim->domain->def) ? tile->low_m + 0.0 : any ? (double)low + 0.0 : 0;
    sim->high_m = wadi_is_tile(&sim->domain->def) ? tile->high_m + 0.0 : any ? (double)high + 0.0 : 0;
}

void wadi_sim_find_outside(wadi_sim *sim) {
    enum { NEXT_TO = 1, HERE = 2 };
    find_range(sim);
    const bool wrap = sim->domain->def.boundary == WADI_WRAP;
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < sim->domain->def.height; y++) {
            bool outside = false;
            for (int x = 0; x < sim->domain->def.width; x++) outside |= !wadi_has_data(sim->domain, x, y);
            sim->domain->near_outside[y] = outside ? HERE : 0;
        }
    }
    for (int y = 0; y < sim->domain->def.height; y++)
        for (int dy = -1; (sim->domain->near_outside[y] & HERE) != 0 && dy <= 1; dy++) {
            const int row = wrap ? (y + dy + sim->domain->def.height) % sim->domain->def.height : y + dy;
            if (row >= 0 && row < sim->domain->def.height) sim->domain->near_outside[row] |= NEXT_TO;
        }
    for (int y = 0; y < sim->domain->def.height; y++) sim->domain->near_outside[y] &= NEXT_TO;
}

static int terrain_of(const wadi_sim *sim) { return wadi_field_of(sim->domain->model, WADI_FIELD_TERRAIN); }

/* The terrain and the facts derived from it. */
typedef struct ground {
    float *heights;
    uint8_t *near_outside;
    double low_m, high_m;
    double largest[WADI_MAX_PARAMETERS]; /* largest value of each raster in cells with data */
} ground;

static ground ground_of(const wadi_sim *sim) {
    ground now = {sim->domain->block.field[terrain_of(sim)], sim->domain->near_outside, sim->low_m, sim->high_m, {0}};
    memcpy(now.largest, sim->raster_largest, sizeof now.largest);
    return now;
}

static void put_back(wadi_sim *sim, const ground *before) {
    sim->domain->block.field[terrain_of(sim)] = before->heights;
    sim->domain->near_outside = before->near_outside;
    sim->low_m = before->low_m;
    sim->high_m = before->high_m;
    memcpy(sim->raster_largest, before->largest, sizeof before->largest);
}

static void let_go(const wadi_sim *sim, const ground *old) {
    wadi_block_free(&sim->domain->block, terrain_of(sim), old->heights);
    free(old->near_outside);
}

static wadi_status make_ground(wadi_sim *sim, wadi_ground_row *make, const void *context) {
    sim->domain->near_outside = calloc((size_t)sim->domain->def.height, 1);
    if (!wadi_domain_allocate_field(sim->domain, terrain_of(sim)) || sim->domain->near_outside == NULL)
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a terrain of %d x %d cells", sim->domain->def.width,
                         sim->domain->def.height);
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < sim->domain->def.height; y++) {
            float *row = wadi_terrain_row(sim->domain, y);
            make(sim, context, y, row);
            if (sim->domain->def.boundary == WADI_WRAP) wadi_block_close_row(&sim->domain->block, row);
        }
    }
    wadi_sim_find_outside(sim);
    const wadi_status status = wadi_sim_check_maps(sim);
    return status == WADI_OK ? wadi_sim_refresh(sim) : status;
}

wadi_status wadi_sim_replace_ground(wadi_sim *sim, wadi_ground_row *make, const void *context) {
    const ground before = ground_of(sim);
    const wadi_status status = make_ground(sim, make, context);
    const ground made = ground_of(sim);
    if (status != WADI_OK) put_back(sim, &before);
    let_go(sim, status == WADI_OK ? &before : &made);
    if (status == WADI_OK) sim->domain->where[terrain_of(sim)] = WADI_HERE;
    return status;
}
