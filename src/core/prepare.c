/* prepare.c: computes the constants and maps of the physics from parameters, rasters and the mask. */
#include "core/prepare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/def.h"
#include "core/domain.h"
#include "core/inside.h"
#include "core/strict.h"
#include "platform/platform.h"

static float constant_of(const void *constants, const wadi_map *map) {
    return *(const float *)((const char *)constants + map->offset);
}

/* The def; for a raster, its largest value. So decisions for all cells at once (sub-steps, whether there is friction)
 * hold for each cell. A tile has the largest of the whole in its def. */
static wadi_def uniform_def(const wadi_sim *sim) {
    wadi_def def = sim->domain->def;
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++)
        if (sim->raster[i] != NULL && !wadi_is_tile(&def)) def.values[i] = sim->raster_largest[i];
    return def;
}

wadi_status wadi_sim_check_values(const wadi_sim *sim) {
    const wadi_def def = uniform_def(sim);
    return wadi_check_def(&def);
}

static wadi_setup setup_of(const wadi_sim *sim, const double *values, double mask) {
    return (wadi_setup){.values = values,
                        .dt_s = sim->domain->dt_s,
                        .substeps = sim->domain->substeps,
                        .lx = sim->domain->def.lx,
                        .ly = sim->domain->def.ly,
                        .width = wadi_whole_width(&sim->domain->def),
                        .height = wadi_whole_height(&sim->domain->def),
                        .low_m = sim->low_m,
                        .high_m = sim->high_m,
                        .mask = mask,
                        .boundary = sim->domain->def.boundary,
                        .masked = sim->mask != NULL};
}

wadi_safety wadi_sim_safety(const wadi_sim *sim) {
    WADI_IEEE_MODE;
    if (sim == NULL) return (wadi_safety){0};
    wadi_def def = uniform_def(sim);
    const int soak = wadi_parameter_of(def.model, WADI_PARAMETER_SOAK);
    if (soak >= 0 && sim->raster[soak] != NULL) def.values[soak] = 0; /* somewhere the ground may take up nothing */
    wadi_safety safety = wadi_safety_on(&def, sim->low_m, sim->high_m);
    if (wadi_def_substeps_follow(&def) && sim->domain->steps > 0) safety.substeps = sim->domain->substeps;
    return safety;
}

static wadi_status make_maps(wadi_sim *sim);

static wadi_status refresh(wadi_sim *sim) {
    wadi_def def = uniform_def(sim);
    const wadi_status status = wadi_check_def(&def);
    if (status != WADI_OK) return status;
    sim->domain->substeps = wadi_fit_substeps(&def, sim->deepest_m);
    sim->domain->dt_s = wadi_dt_s(&def) / sim->domain->substeps;
    sim->domain->processes = sim->domain->model->processes(def.values);
    const wadi_setup setup = setup_of(sim, def.values, 1);
    sim->domain->model->prepare(&setup, sim->domain->constants);
    return make_maps(sim);
}

static bool any_raster(const wadi_sim *sim) {
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++)
        if (sim->raster[i] != NULL) return true;
    return sim->mask != NULL;
}

/* The map's memory, filled with the uniform value. The thread that first finds a differing cell allocates it. NULL: out
 * of memory. */
static float *map_storage(wadi_sim *sim, int map) {
    platform_lock();
    float *storage = sim->domain->block.map[map];
    if (storage == NULL) {
        storage = wadi_block_allocate(&sim->domain->block, WADI_MAX_FIELDS + map, wadi_constant(sim->domain, map));
        /* releases the values together with the pointer */
        __atomic_store_n(&sim->domain->block.map[map], storage, __ATOMIC_RELEASE);
    }
    platform_unlock();
    return storage;
}

/* The rasters, by the numbers of their parameters. */
typedef struct raster_list {
    int count, parameter[WADI_MAX_PARAMETERS];
} raster_list;

static raster_list list_rasters(const wadi_sim *sim) {
    raster_list list = {0};
    for (int p = 0; p < WADI_MAX_PARAMETERS; p++)
        if (sim->raster[p] != NULL) list.parameter[list.count++] = p;
    return list;
}

/* false: no memory for a map, which stays NULL. */
static bool make_cell(wadi_sim *sim, const raster_list *list, int x, int y, double *values, void *constants) {
    const size_t i = (size_t)y * (size_t)sim->domain->def.width + (size_t)x;
    for (int k = 0; k < list->count; k++) values[list->parameter[k]] = (double)sim->raster[list->parameter[k]][i];
    wadi_limit_waves(&sim->domain->def, sim->domain->dt_s, values);
    const wadi_setup setup = setup_of(sim, values, sim->mask != NULL ? (double)sim->mask[i] : 1);
    sim->domain->model->prepare(&setup, constants);
    for (int m = 0; m < sim->domain->model->map_count; m++) {
        const float value = constant_of(constants, &sim->domain->model->maps[m]);
        float *map = __atomic_load_n(&sim->domain->block.map[m], __ATOMIC_ACQUIRE);
        if (map == NULL && value == wadi_constant(sim->domain, m)) continue;
        if (map == NULL) map = map_storage(sim, m);
        if (map == NULL) return false;
        wadi_block_row(&sim->domain->block, map, y)[x] = value;
    }
    return true;
}

static bool make_row(wadi_sim *sim, int y, void *constants) {
    const raster_list list = list_rasters(sim);
    double values[WADI_MAX_PARAMETERS];
    memcpy(values, sim->domain->def.values, sizeof values);
    for (int x = 0; x < sim->domain->def.width; x++)
        if (wadi_has_data(sim->domain, x, y) && !make_cell(sim, &list, x, y, values, constants)) return false;
    return true;
}

static bool make_rows(wadi_sim *sim) {
    bool good = true;
#pragma omp parallel num_threads(sim->domain->threads) reduction(&& : good)
    {
        void *constants = malloc(sim->domain->model->constants_bytes);
        WADI_IEEE_MODE;
        good = constants != NULL;
#pragma omp for schedule(static)
        for (int y = 0; y < sim->domain->def.height; y++) good = good && make_row(sim, y, constants);
        free(constants);
    }
    return good;
}

static wadi_status make_maps(wadi_sim *sim) {
    if (!any_raster(sim)) return WADI_OK;
    if (!make_rows(sim))
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the maps of %d x %d cells", sim->domain->def.width,
                         sim->domain->def.height);
    if (sim->domain->def.boundary == WADI_WRAP)
        for (int m = 0; m < sim->domain->model->map_count; m++)
            for (int y = 0; sim->domain->block.map[m] != NULL && y < sim->domain->def.height; y++)
                wadi_block_close_row(&sim->domain->block,
                                     wadi_block_row(&sim->domain->block, sim->domain->block.map[m], y));
    return WADI_OK;
}

/* All that is derived from the parameters, rasters and the mask. */
typedef struct derived {
    int substeps;
    double dt_s;
    unsigned processes;
    void *constants;
    float *map[WADI_MAX_MAPS];
} derived;

static derived derived_of(const wadi_sim *sim) {
    derived now = {.substeps = sim->domain->substeps,
                   .dt_s = sim->domain->dt_s,
                   .processes = sim->domain->processes,
                   .constants = sim->domain->constants};
    memcpy(now.map, sim->domain->block.map, sizeof now.map);
    return now;
}

static void put_back(wadi_sim *sim, const derived *before) {
    sim->domain->substeps = before->substeps;
    sim->domain->dt_s = before->dt_s;
    sim->domain->processes = before->processes;
    sim->domain->constants = before->constants;
    memcpy(sim->domain->block.map, before->map, sizeof before->map);
}

static void let_go(const wadi_sim *sim, const derived *old) {
    free(old->constants);
    for (int m = 0; m < WADI_MAX_MAPS; m++) wadi_block_free(&sim->domain->block, WADI_MAX_FIELDS + m, old->map[m]);
}

static wadi_status make_derived(wadi_sim *sim) {
    memset(sim->domain->block.map, 0, sizeof sim->domain->block.map);
    sim->domain->constants = calloc(1, sim->domain->model->constants_bytes);
    if (sim->domain->constants == NULL)
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the model's constants");
    wadi_status status = refresh(sim);
    if (status == WADI_OK) status = wadi_domain_add_fields(sim->domain);
    return status == WADI_OK && sim->domain->engine_state != NULL ? sim->domain->engine->plan(sim->domain) : status;
}

/* The new values are made before the old ones are freed, which stay if anything fails. */
wadi_status wadi_sim_refresh(wadi_sim *sim) {
    WADI_IEEE_MODE; /* the caller's rounding mode must not matter */
    const derived before = derived_of(sim);
    const wadi_status status = make_derived(sim);
    const derived made = derived_of(sim);
    if (status != WADI_OK) put_back(sim, &before);
    let_go(sim, status == WADI_OK ? &before : &made);
    wadi_domain_drop_fields(sim->domain);
    sim->domain->edits++;
    return status;
}

wadi_status wadi_sim_fit_substeps(wadi_sim *sim, double deepest_m) {
    WADI_IEEE_MODE;
    const double before = sim->deepest_m;
    wadi_def def = uniform_def(sim);
    sim->deepest_m = deepest_m;
    if (wadi_fit_substeps(&def, deepest_m) == sim->domain->substeps) return WADI_OK;
    const wadi_status status = wadi_sim_refresh(sim);
    if (status != WADI_OK) sim->deepest_m = before;
    return status;
}
