/* prepare.c: from parameters, rasters and the mask to the physics' constants and maps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/sim.h"
#include "platform/platform.h"

static float constant_of(const void *constants, const wadi_map *map) {
    return *(const float *)((const char *)constants + map->offset);
}

/* The values as in the def; where a raster is given its largest, so that what is decided once for all cells (sub-steps,
 * whether there is friction) holds for each. */
static void uniform_values(const wadi_sim *sim, double *values) {
    memcpy(values, sim->def.values, sizeof sim->def.values);
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++)
        if (sim->raster[i] != NULL) values[i] = sim->raster_largest[i];
}

static wadi_setup setup_of(const wadi_sim *sim, const double *values, double mask) {
    return (wadi_setup){.values = values,
                        .dt_s = sim->dt_s,
                        .substeps = sim->substeps,
                        .lx = sim->def.lx,
                        .ly = sim->def.ly,
                        .width = sim->def.width,
                        .height = sim->def.height,
                        .low_m = sim->low_m,
                        .high_m = sim->high_m,
                        .mask = mask,
                        .boundary = sim->def.boundary,
                        .masked = sim->mask != NULL};
}

wadi_safety wadi_sim_safety(const wadi_sim *sim) {
    wadi_def def = sim->def;
    uniform_values(sim, def.values);
    return wadi_def_safety(&def);
}

static wadi_status refresh(wadi_sim *sim) {
    wadi_def def = sim->def;
    uniform_values(sim, def.values);
    const wadi_status status = wadi_check_def(&def);
    if (status != WADI_OK) return status;
    sim->substeps = wadi_def_safety(&def).substeps;
    sim->dt_s = def.values[0] / sim->substeps;
    const unsigned processes = sim->model->processes(def.values);
    if (sim->constants != NULL && processes != sim->processes && sim->steps > 0)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "which processes run cannot change after the first step");
    sim->processes = processes;
    const wadi_setup setup = setup_of(sim, def.values, 1);
    sim->model->prepare(&setup, sim->constants);
    return wadi_sim_make_maps(sim);
}

static bool any_raster(const wadi_sim *sim) {
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++)
        if (sim->raster[i] != NULL) return true;
    return sim->mask != NULL;
}

/* The map's storage, everywhere the uniform value, made when the first cell differs. */
static float *map_storage(wadi_sim *sim, int map) {
    if (sim->block.map[map] == NULL)
        sim->block.map[map] = wadi_block_allocate(&sim->block, WADI_MAX_FIELDS + map, wadi_constant(sim, map));
    return sim->block.map[map];
}

static wadi_status make_cell(wadi_sim *sim, int x, int y, double *values, void *constants) {
    const size_t i = (size_t)y * (size_t)sim->def.width + (size_t)x;
    for (int p = 0; p < WADI_MAX_PARAMETERS; p++)
        if (sim->raster[p] != NULL) values[p] = (double)sim->raster[p][i];
    const wadi_setup setup = setup_of(sim, values, sim->mask != NULL ? (double)sim->mask[i] : 1);
    sim->model->prepare(&setup, constants);
    for (int m = 0; m < sim->model->map_count; m++) {
        const float value = constant_of(constants, &sim->model->maps[m]);
        if (sim->block.map[m] == NULL && value == wadi_constant(sim, m)) continue;
        float *map = map_storage(sim, m);
        if (map == NULL)
            return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the map of %s", sim->model->maps[m].name);
        wadi_block_row(&sim->block, map, y)[x] = value;
    }
    return WADI_OK;
}

wadi_status wadi_sim_make_maps(wadi_sim *sim) {
    for (int m = 0; m < sim->model->map_count; m++) {
        wadi_block_free(&sim->block, WADI_MAX_FIELDS + m, sim->block.map[m]);
        sim->block.map[m] = NULL;
    }
    if (!any_raster(sim)) return WADI_OK;
    double values[WADI_MAX_PARAMETERS];
    memcpy(values, sim->def.values, sizeof values);
    void *constants = malloc(sim->model->constants_bytes);
    if (constants == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the constants");
    wadi_status status = WADI_OK;
    for (int y = 0; status == WADI_OK && y < sim->def.height; y++)
        for (int x = 0; status == WADI_OK && x < sim->def.width; x++)
            if (wadi_sim_has_data(sim, x, y)) status = make_cell(sim, x, y, values, constants);
    free(constants);
    if (sim->def.boundary == WADI_WRAP)
        for (int m = 0; m < sim->model->map_count; m++)
            for (int y = 0; sim->block.map[m] != NULL && y < sim->def.height; y++)
                wadi_block_wrap_row(&sim->block, sim->block.map[m], y);
    return status;
}

wadi_status wadi_sim_refresh(wadi_sim *sim) { /* the caller's rounding is not ours */
    const unsigned mode = platform_float_mode_strict();
    wadi_status status = refresh(sim);
    if (status == WADI_OK && sim->engine_state != NULL) status = sim->engine->plan(sim);
    sim->edits++;
    platform_float_mode_restore(mode);
    return status;
}
