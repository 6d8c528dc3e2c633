#include "map_load.h"

#include "fail.h"
#include "map_input.h"
#include "recipe_options.h"
#include "run_def.h"
#include "run_tile.h"

#include "core/rasters.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t cells_of(const wadi_raster *raster) { return (size_t)raster->width * (size_t)raster->height; }

wadi_status run_add_field_input(run_inputs *inputs, const char *name, const char *path, const wadi_raster *raster) {
    char hex[65];
    wadi_field_sha256(raster->values, cells_of(raster), hex);
    return run_add_input(inputs, name, path, hex);
}

static wadi_status refused(wadi_status status, const char *option, const char *path) {
    return wadi_fail(run_fail_as_input(status), "%s: %s: %s", option, run_map_name(path), wadi_error_message());
}

static wadi_status read_map(const run *run, const wadi_def *def, run_inputs *inputs, const char *option,
                            const char *field, const char *path, wadi_raster **map) {
    wadi_status status = run_map_input_read(run, def, option, field, path, map);
    if (status == WADI_OK) status = run_add_field_input(inputs, field, path, *map);
    return status == WADI_OK ? run_map_input_fill(run, option, path, *map) : status;
}

wadi_status run_map_load(const run *run, wadi_sim *sim, run_inputs *inputs, const char *option, const char *field,
                         const char *path) {
    wadi_raster *map = NULL;
    wadi_status status = read_map(run, wadi_sim_def(sim), inputs, option, field, path, &map);
    if (status == WADI_OK) {
        status = run_tile_set(run, sim, field, map);
        if (status == WADI_OK && strcmp(field, "water") == 0) status = run_tile_flood(run, sim, map);
        if (status != WADI_OK) status = refused(status, option, path);
    }
    wadi_raster_destroy(map);
    return status;
}

/* --- the mask and maps of parameters --- */

typedef struct given_map {
    char name[64], option[80];
    const char *path;
} given_map;

/* "symbol=path" */
static given_map given_map_of(const char *text) {
    given_map given = {.path = strchr(text, '=') + 1};
    snprintf(given.name, sizeof given.name, "%.*s", (int)(given.path - 1 - text), text);
    snprintf(given.option, sizeof given.option, "--set %s", given.name);
    return given;
}

static wadi_status at_map(const run_options *options, const wadi_model *model, const given_map *map,
                          wadi_status status) {
    if (strcmp(map->name, "mask") == 0) return run_at(options, &options->mask, status);
    const int setting = run_setting_of(options, model, wadi_model_parameter_index(model, map->name));
    return setting >= 0 ? run_at_setting(options, (size_t)setting, status) : run_at(options, &options->rain, status);
}

/* A stage before this one which has the same layers as the same map; NULL: none. A tile's simulation has no map of the
 * whole. */
static const run_stage *stage_with(const run *run, const run_stage *stage, const given_map *given,
                                   const run_input **same) {
    if (!run_is_layer(given->path) || run->plan.tile.number > 0) return NULL;
    for (const run_stage *other = run->stages; other != stage; other++)
        for (size_t k = 0; k < other->inputs.count; k++) {
            *same = &other->inputs.items[k];
            if (strcmp((*same)->name, given->name) == 0 && strcmp((*same)->path, given->path) == 0) return other;
        }
    return NULL;
}

static wadi_status copy_map(const run *run, const wadi_sim *from, const char *field, wadi_raster **map) {
    wadi_status status = wadi_raster_like(run->raster, map);
    if (status == WADI_OK) status = wadi_sim_get(from, field, (*map)->values, cells_of(*map));
    for (size_t i = 0; status == WADI_OK && i < cells_of(*map); i++)
        if (isnan((*map)->values[i])) (*map)->values[i] = 0; /* no data */
    return status;
}

/* Layers are made once, since noise takes much longer than a copy. */
static wadi_status make_map(const run *run, run_stage *stage, const given_map *given, wadi_raster **map) {
    const run_input *same = NULL;
    const run_stage *other = stage_with(run, stage, given, &same);
    if (!other)
        return read_map(run, wadi_sim_def(stage->sim), &stage->inputs, given->option, given->name, given->path, map);
    const wadi_status status = run_add_input(&stage->inputs, given->name, given->path, same->sha256);
    return status == WADI_OK ? copy_map(run, other->sim, given->name, map) : status;
}

/* Of a tile, its own part is left. */
static wadi_status cut_map(const run *run, wadi_raster **map) {
    wadi_raster *part = NULL;
    const wadi_status status = run_tile_part(run, *map, &part);
    if (!part) return status;
    wadi_raster_destroy(*map);
    *map = part;
    return status;
}

/* The maps of a stage, one after the other: one at a time is in memory beside the simulation's. */
typedef struct loading {
    const run_options *options;
    const text_list *maps;
    const run *run;
    run_stage *stage;
    const char *mask; /* NULL: none, or begun */
    size_t begun;     /* of the maps */
    given_map given;
    wadi_raster *map; /* of `given`, which the simulation has been given */
} loading;

static bool begin_next(loading *all) {
    if (!all->mask && all->begun == all->maps->count) return false;
    all->given = all->mask ? (given_map){"mask", "--mask", all->mask} : given_map_of(all->maps->items[all->begun++]);
    all->mask = NULL;
    return true;
}

static void drop_map(loading *all) {
    wadi_raster_destroy(all->map);
    all->map = NULL;
}

static wadi_status next_map(void *context, const char **field, const float **values) {
    loading *all = context;
    if (!begin_next(all)) return WADI_OK;
    drop_map(all);
    wadi_status status = make_map(all->run, all->stage, &all->given, &all->map);
    if (status == WADI_OK) status = cut_map(all->run, &all->map);
    if (status == WADI_OK)
        *field = all->given.name, *values = all->map->values;
    else
        drop_map(all);
    return status;
}

wadi_status run_maps_load(const run_options *options, const text_list *maps, const run *run, run_stage *stage) {
    loading all = {.options = options, .maps = maps, .run = run, .stage = stage};
    if (!stage->mask_taken) all.mask = options->mask;
    wadi_status status = wadi_sim_set_maps(stage->sim, next_map, &all);
    if (status != WADI_OK && all.map) status = refused(status, all.given.option, all.given.path);
    drop_map(&all);
    return status != WADI_OK ? at_map(options, wadi_sim_def(stage->sim)->model, &all.given, status) : WADI_OK;
}

/* run_maps_load refuses a map without any value. */
static wadi_status take_largest(const given_map *given, const run *run, wadi_def *def) {
    wadi_raster *map = NULL;
    wadi_status status = run_map_input_read(run, def, given->option, given->name, given->path, &map);
    const double largest = status == WADI_OK ? run_tile_largest(run, map) : 0;
    if (status == WADI_OK && isfinite(largest)) {
        status = wadi_def_set(def, given->name, largest);
        if (status != WADI_OK) status = refused(status, given->option, given->path);
    }
    wadi_raster_destroy(map);
    return status;
}

wadi_status run_maps_take_largest(const run_options *options, const text_list *maps, const run *run, wadi_def *def) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < maps->count && status == WADI_OK; i++) {
        const given_map given = given_map_of(maps->items[i]);
        status = at_map(options, def->model, &given, take_largest(&given, run, def));
    }
    return status;
}
