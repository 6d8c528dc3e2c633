#include "map_input.h"

#include "array.h"
#include "fail.h"
#include "layers.h"
#include "memory.h"
#include "message.h"
#include "option.h"
#include "read_args.h"
#include "run_tile.h"
#include "text.h"
#include "vectors.h"

#include "io/vector.h"

#include <stdlib.h>
#include <string.h>

/* A model without hardness does not have the last one. */
static const char *const fields[] = {"mask", "water", "hardness"};

static size_t fields_of(const wadi_model *model) { return wadi_model_has_hardness(model) ? 3 : 2; }

const char *run_map_input_at(const wadi_model *model, size_t index) {
    size_t count, left = index;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    if (index < fields_of(model)) return fields[index];
    left -= fields_of(model);
    for (size_t i = 0; i < count; i++)
        if (parameters[i].per_cell && left-- == 0) return parameters[i].name;
    return NULL;
}

enum { MOST_NAMES = WADI_MAX_PARAMETERS + 4 }; /* the last is NULL */

static wadi_status no_such_map(const wadi_model *model, const char *name) {
    const char *names[MOST_NAMES];
    char list[1024] = "", near[128];
    size_t count = 0;
    while ((names[count] = run_map_input_at(model, count)) != NULL) {
        run_text_add(list, sizeof list, "%s%s", *list ? ", " : "", names[count]);
        count++;
    }
    return wadi_fail(WADI_ERROR_ARGUMENT, "map: %s takes maps of %s, not of '%.40s'%s", wadi_model_id(model), list,
                     name, run_did_you_mean(name, names, count, near));
}

const char *run_map_input_name(const wadi_model *model, const char *name) {
    const char *found;
    for (size_t i = 0; (found = run_map_input_at(model, i)) != NULL; i++)
        if (strcmp(found, name) == 0) return found;
    const int index = wadi_model_parameter_index(model, name);
    const wadi_parameter *parameter = index >= 0 ? &wadi_model_parameters(model, NULL)[index] : NULL;
    if (parameter && parameter->per_cell) return parameter->name;
    no_such_map(model, name);
    return NULL;
}

/* Sets it to 0 where the terrain has no data. Elsewhere it must have values. */
static wadi_status fill_holes(const wadi_raster *terrain, const char *option, const char *path, wadi_raster *map) {
    const size_t cells = (size_t)map->width * (size_t)map->height;
    for (size_t i = 0; i < cells; i++) {
        const float value = map->values[i], height = terrain->values[i];
        if (height != height) { /* NaN */
            map->values[i] = 0;
            continue;
        }
        if (value - value == 0) continue; /* finite */
        const int x = (int)(i % (size_t)map->width), y = (int)(i / (size_t)map->width);
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s has no value at cell (%d, %d), where the height has one", option,
                         run_map_name(path), x, y);
    }
    return WADI_OK;
}

/* Of the generated terrain; 0: none. */
static uint64_t seed_of_terrain(const run *run) {
    uint64_t seed = 0;
    for (size_t i = 0; i < run->plan.generator.count; i++)
        if (strncmp(run->plan.generator.items[i], "seed=", 5) == 0)
            seed = strtoull(run->plan.generator.items[i] + 5, NULL, 10);
    return seed;
}

/* Another terrain has other rock, whose noise is not that of its heights. */
static wadi_status make_layers(const run *run, const wadi_def *def, const char *option, const layer *layers,
                               const wadi_raster *terrain, bool *too_fine, wadi_raster **map) {
    const uint64_t seed = seed_of_terrain(run) + (UINT64_C(1) << 63);
    const size_t cells = (size_t)terrain->width * (size_t)terrain->height;
    wadi_status status = run_memory_check_host(def, option, run_layers_maps(layers) * 4 * cells);
    if (status == WADI_OK) status = wadi_raster_like(terrain, map);
    if (status != WADI_OK) return status;
    memset((*map)->values, 0, cells * sizeof *(*map)->values);
    return run_layers_make(option, layers, seed, terrain, too_fine, *map);
}

static wadi_status make_own(const run *run, const wadi_def *def, const char *option, const layer *layers,
                            wadi_raster **map) {
    bool too_fine;
    const wadi_status status = make_layers(run, def, option, layers, run->raster, &too_fine, map);
    if (status == WADI_OK && too_fine)
        run_message_note("%s: noise whose features are smaller than a cell counts as the middle of its range", option);
    return status;
}

static wadi_status make_coarse(const run *run, const wadi_sim *coarse, const char *option, const layer *layers,
                               const char *text, wadi_raster **map) {
    const wadi_def *def = wadi_sim_def(coarse);
    wadi_raster *terrain = NULL;
    bool too_fine;
    wadi_status status = wadi_raster_create(def->width, def->height, &terrain);
    if (status != WADI_OK) return status;
    terrain->lx = def->lx;
    terrain->ly = def->ly;
    status = wadi_sim_get(coarse, "height", terrain->values, (size_t)def->width * (size_t)def->height);
    if (status == WADI_OK) status = make_layers(run, def, option, layers, terrain, &too_fine, map);
    if (status == WADI_OK) status = fill_holes(terrain, option, text, *map);
    wadi_raster_destroy(terrain);
    return status;
}

/* `coarse`: a simulation of a coarser level, or NULL. There only layers with grain are made. */
static wadi_status generate_map(const run *run, const wadi_def *def, const wadi_sim *coarse, const char *option,
                                const char *text, wadi_raster **map) {
    const recipe_reader reader = {.file = option, .folder = "", .texts = &(text_list){0}};
    yaml_node *root = NULL;
    layer *layers = NULL;
    wadi_status status = run_yaml_read(option, text, strlen(text), &root);
    if (status == WADI_OK) status = run_layers_read(&reader, root, &layers);
    if (status == WADI_OK && coarse == NULL) status = make_own(run, def, option, layers, map);
    if (status == WADI_OK && coarse != NULL && run_layers_have_grain(layers))
        status = make_coarse(run, coarse, option, layers, text, map);
    run_layers_free(layers);
    run_text_list_free(reader.texts);
    run_yaml_free(root);
    return status;
}

wadi_status run_map_input_read(const run *run, const wadi_def *def, const char *option, const char *field,
                               const char *path, wadi_raster **map) {
    if (run_is_layer(path)) return generate_map(run, def, NULL, option, path, map);
    const bool keeps_values = strcmp(field, "mask") == 0;
    return wadi_io_is_vector(path) ? run_vector_map(option, path, def, field, run->raster, map)
                                   : run_read_map_file(option, path, keeps_values, &run->plan.read, run->raster, map);
}

wadi_status run_map_input_of_level(const run *run, const wadi_sim *coarse, const char *name, const char *path,
                                   wadi_raster **map) {
    return run_is_layer(path) ? generate_map(run, wadi_sim_def(coarse), coarse, name, path, map) : WADI_OK;
}

wadi_status run_map_input_fill(const run *run, const char *option, const char *path, wadi_raster *map) {
    return fill_holes(run->raster, option, path, map);
}

/* --- of an event --- */

static wadi_status take_name(map_event *map, const wadi_model *model) {
    const char *name = run_map_input_name(model, map->name);
    char *copy = name ? run_text_copy(name) : NULL;
    if (!copy) return name ? WADI_ERROR_MEMORY : WADI_ERROR_ARGUMENT;
    free(map->name);
    map->name = copy;
    return WADI_OK;
}

static wadi_status take_hash(map_event *map, const wadi_raster *raster, bool strict) {
    char was[65];
    memcpy(was, map->sha256, sizeof was);
    wadi_field_sha256(raster->values, (size_t)raster->width * (size_t)raster->height, map->sha256);
    if (!*was || strcmp(was, map->sha256) == 0) return WADI_OK;
    wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s is not what it was: sha256 %.8s..., then %.8s...", map->path, map->name,
              map->sha256, was);
    if (strict) return wadi_fail(WADI_ERROR_ARGUMENT, "%s; --strict-inputs refuses that", wadi_error_message());
    run_message_warn("%s; the result will be another", wadi_error_message());
    return WADI_OK;
}

static wadi_status take_values(map_event *map, const run *run, const wadi_raster *raster) {
    wadi_raster *part = NULL;
    const wadi_status status = run_tile_part(run, raster, &part);
    if (status != WADI_OK) return status;
    const wadi_raster *own = part ? part : raster;
    map->values = run_map_values_new((size_t)own->width * (size_t)own->height);
    if (map->values) memcpy(map->values->cells, own->values, map->values->count * sizeof *map->values->cells);
    wadi_raster_destroy(part);
    return map->values ? WADI_OK : WADI_ERROR_MEMORY;
}

/* Shares the values of an equal file that the run has read. */
static bool share_values(map_event *map, const run *run) {
    for (size_t i = 0; i < run->stage_count && !map->values; i++) {
        const events *events = &run->stages[i].events;
        map->values = run_events_map_values(events, 0, events->count, map->sha256);
    }
    return map->values != NULL;
}

wadi_status run_map_input_load(map_event *map, const run *run, const wadi_sim *sim, bool strict) {
    const wadi_def *def = wadi_sim_def(sim);
    wadi_raster *raster = NULL;
    wadi_status status = take_name(map, def->model);
    if (status == WADI_OK) status = run_map_input_read(run, def, map->name, map->name, map->path, &raster);
    if (status == WADI_OK) status = take_hash(map, raster, strict);
    if (status == WADI_OK) status = run_map_input_fill(run, map->name, map->path, raster);
    if (status == WADI_OK && !share_values(map, run)) status = take_values(map, run, raster);
    wadi_raster_destroy(raster);
    if (status != WADI_OK) return status;
    status = wadi_sim_check_map(sim, map->name, map->values->cells, map->values->count);
    if (status != WADI_OK) wadi_fail(status, "%s: %s", run_map_name(map->path), wadi_error_message());
    return run_fail_as_input(status);
}
