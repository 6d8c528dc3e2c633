#include "map_load.h"

#include "fail.h"
#include "map_input.h"
#include "recipe_options.h"
#include "run_tile.h"

#include <math.h>
#include <string.h>

static size_t cells_of(const wadi_raster *raster) { return (size_t)raster->width * (size_t)raster->height; }

wadi_status run_add_field_input(run_inputs *inputs, const char *name, const char *path, const wadi_raster *raster) {
    char hex[65];
    wadi_field_sha256(raster->values, cells_of(raster), hex);
    return run_add_input(inputs, name, path, hex);
}

/* The stage before that of `sim` which has the same layers as the same map; NULL: none. A tile's simulation has no map
 * of the whole. */
static const run_stage *stage_with(const run *run, const wadi_sim *sim, const char *field, const char *path,
                                   const run_input **same) {
    if (!run_is_layer(path) || run->plan.tile.number > 0) return NULL;
    for (size_t i = 0; i < run->stage_count && run->stages[i].sim != sim; i++) {
        const run_inputs *inputs = &run->stages[i].inputs;
        for (size_t k = 0; k < inputs->count; k++) {
            *same = &inputs->items[k];
            if (strcmp((*same)->name, field) == 0 && strcmp((*same)->path, path) == 0) return &run->stages[i];
        }
    }
    return NULL;
}

static wadi_status copy_map(const run *run, const wadi_sim *from, const char *field, wadi_sim *sim) {
    wadi_raster *map = NULL;
    wadi_status status = wadi_raster_like(run->raster, &map);
    if (status == WADI_OK) status = wadi_sim_get(from, field, map->values, cells_of(map));
    for (size_t i = 0; status == WADI_OK && i < cells_of(map); i++)
        if (isnan(map->values[i])) map->values[i] = 0; /* no data */
    if (status == WADI_OK) status = wadi_sim_set(sim, field, map->values, cells_of(map));
    wadi_raster_destroy(map);
    return status;
}

static wadi_status load(const run *run, wadi_sim *sim, run_inputs *inputs, const char *option, const char *field,
                        const char *path) {
    wadi_raster *map = NULL;
    wadi_status status = run_map_input_read(run, wadi_sim_def(sim), option, field, path, &map);
    if (status != WADI_OK) return status;
    status = run_add_field_input(inputs, field, path, map);
    if (status == WADI_OK) status = run_map_input_fill(run, option, path, map);
    if (status == WADI_OK) {
        status = run_tile_set(run, sim, field, map);
        if (status == WADI_OK && strcmp(field, "water") == 0) status = run_tile_flood(run, sim, map);
        if (status != WADI_OK)
            status =
                wadi_fail(run_fail_as_input(status), "%s: %s: %s", option, run_map_name(path), wadi_error_message());
    }
    wadi_raster_destroy(map);
    return status;
}

/* Layers are made once, since noise takes much longer than a copy. */
wadi_status run_map_load(const run *run, wadi_sim *sim, run_inputs *inputs, const char *option, const char *field,
                         const char *path) {
    const run_input *same = NULL;
    const run_stage *stage = stage_with(run, sim, field, path, &same);
    if (!stage) return load(run, sim, inputs, option, field, path);
    const wadi_status status = run_add_input(inputs, field, path, same->sha256);
    return status == WADI_OK ? copy_map(run, stage->sim, field, sim) : status;
}
