/* rasters.c: sets the mask and the maps of parameters. */
#include "core/rasters.h"

#include <string.h>

#include "core/allocate.h"
#include "core/checks.h"
#include "core/inside.h"
#include "core/map_rows.h"
#include "core/prepare.h"
#include "core/strict.h"

enum { MASK = WADI_MAX_PARAMETERS, RASTERS };

static float **place_of(wadi_sim *sim, int index) { return index == MASK ? &sim->mask : &sim->raster[index]; }

/* MASK, or the number of a parameter. */
static wadi_status find(const wadi_sim *sim, const char *field, int *index) {
    const wadi_parameter *parameters = sim->domain->model->parameters;
    *index = strcmp(field, "mask") == 0 ? MASK : wadi_model_parameter_index(sim->domain->model, field);
    if (*index == MASK || (*index >= 0 && parameters[*index].per_cell)) return WADI_OK;
    if (*index >= 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s cannot differ from cell to cell: give one value",
                         parameters[*index].name);
    if (wadi_named_map(sim, field) == NULL) return WADI_ERROR_ARGUMENT; /* said already */
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s is computed and cannot be set", field);
}

static wadi_status check(const wadi_sim *sim, int index, const float *values, double *largest) {
    return index == MASK ? wadi_check_cells(sim, "mask", values, 0, 1) : wadi_check_raster(sim, index, values, largest);
}

wadi_status wadi_check_map(const wadi_sim *sim, const char *field, const float *values) {
    int index;
    double largest;
    const wadi_status status = find(sim, field, &index);
    return status == WADI_OK ? check(sim, index, values, &largest) : status;
}

typedef struct rasters {
    float *map[RASTERS];
    double largest[WADI_MAX_PARAMETERS];
} rasters;

static rasters rasters_of(wadi_sim *sim) {
    rasters now;
    for (int i = 0; i < RASTERS; i++) now.map[i] = *place_of(sim, i);
    memcpy(now.largest, sim->raster_largest, sizeof now.largest);
    return now;
}

static void put_back(wadi_sim *sim, const rasters *before) {
    for (int i = 0; i < RASTERS; i++) *place_of(sim, i) = before->map[i];
    memcpy(sim->raster_largest, before->largest, sizeof before->largest);
}

/* Releases those that the simulation does not have. */
static void let_go(wadi_sim *sim, const rasters *old) {
    for (int i = 0; i < RASTERS; i++)
        if (old->map[i] != *place_of(sim, i)) wadi_domain_release(old->map[i]);
}

static wadi_status add(wadi_sim *sim, const rasters *before, const char *field, const float *values) {
    const size_t bytes = (size_t)sim->domain->def.width * (size_t)sim->domain->def.height * sizeof *values;
    int index;
    double largest = 0;
    wadi_status status = find(sim, field, &index);
    if (status == WADI_OK) status = check(sim, index, values, &largest);
    if (status != WADI_OK) return status;
    float *copy = wadi_domain_reserve(sim->domain, bytes), **place = place_of(sim, index);
    if (copy == NULL) return wadi_domain_no_map(sim->domain);
    memcpy(copy, values, bytes);
    if (*place != before->map[index]) wadi_domain_release(*place); /* given twice */
    *place = copy;
    if (index != MASK) sim->raster_largest[index] = largest;
    return wadi_sim_check_values(sim);
}

/* *any: whether there was a map. */
static wadi_status add_all(wadi_sim *sim, const rasters *before, wadi_next_map_fn *next, void *context, bool *any) {
    for (;;) {
        const char *field = NULL;
        const float *values = NULL;
        wadi_status status = next(context, &field, &values);
        if (status != WADI_OK || field == NULL) return status;
        *any = true;
        status = add(sim, before, field, values);
        if (status != WADI_OK) return status;
    }
}

wadi_status wadi_sim_set_maps(wadi_sim *sim, wadi_next_map_fn *next, void *context) {
    WADI_IEEE_MODE;
    const rasters before = rasters_of(sim);
    bool any = false;
    wadi_status status = add_all(sim, &before, next, context, &any);
    if (status == WADI_OK && any) status = wadi_sim_refresh(sim);
    const rasters made = rasters_of(sim);
    if (status != WADI_OK) put_back(sim, &before);
    let_go(sim, status == WADI_OK ? &before : &made);
    return status;
}
