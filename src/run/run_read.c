#include "run_read.h"

#include "fail.h"
#include "folder.h"
#include "maps.h"
#include "message.h"
#include "read_args.h"
#include "text.h"

#include "platform/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef WADI_WITH_JANSSON
#include <jansson.h>

/* jansson does not say which allocation failed; a text that is no JSON has a line. */
static wadi_status refuse_manifest(const char *folder, const char *path, bool there, const json_error_t *error) {
    if (!there && run_folder_is_run(folder))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: this run is not finished; wadi run --resume %s goes on with it",
                         folder, folder);
    if (!there)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is a folder, but holds no run (no " RUN_JSON " in it)", folder);
    const bool no_memory = json_error_code(error) == json_error_out_of_memory;
    return wadi_fail(no_memory ? WADI_ERROR_MEMORY : WADI_ERROR_FORMAT, "%s:%d:%d: %s", path, error->line,
                     error->column, error->text);
}

/* Read through our own FILE, so that UTF-8 paths work everywhere. */
wadi_status run_read_manifest(const char *folder, json_t **root) {
    char *path = run_text_join(folder, RUN_JSON);
    *root = NULL;
    if (!path) return WADI_ERROR_MEMORY;
    wadi_status status = run_folder_check_source(path);
    FILE *file = status == WADI_OK ? platform_open(path, "r") : NULL;
    json_error_t error = {0};
    if (file) *root = json_loadf(file, 0, &error);
    if (status == WADI_OK && !*root) status = refuse_manifest(folder, path, file != NULL, &error);
    if (file) fclose(file);
    free(path);
    return status;
}

static void take_text(json_t *root, const char *key, char *text, size_t size) {
    const char *value = json_string_value(json_object_get(root, key));
    snprintf(text, size, "%s", value ? value : "");
}

static double number(json_t *root, const char *key) {
    json_t *value = json_object_get(root, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double item(json_t *root, const char *key, size_t index) {
    json_t *value = json_array_get(json_object_get(root, key), index);
    return json_is_number(value) ? json_number_value(value) : 0;
}

static double sea_of(json_t *root) {
    const double level_m = number(json_object_get(root, "realism"), "sea_m");
    return isnan(level_m) ? -(double)INFINITY : level_m;
}

static void take_facts(json_t *root, run_facts *facts) {
    json_t *mass = json_object_get(root, "mass"), *score = json_object_get(root, "score");
    json_t *solid = json_object_get(mass, "solid"), *water = json_object_get(mass, "water");
    *facts = (run_facts){
        .lx = item(root, "cell_size", 0),
        .ly = item(root, "cell_size", 1),
        .steps = number(root, "steps"),
        .simulated_s = number(root, "simulated_s"),
        .wall_s = number(root, "wall_s"),
        .cell_steps_per_s = number(root, "cell_steps_per_s"),
        .score_before = number(score, "before"),
        .score_after = number(score, "after"),
        .sea_m = sea_of(root),
        .solid_moved = number(solid, "moved"),
        .solid_residual = number(solid, "residual"),
        .water_in = number(water, "in"),
        .water_out = number(water, "out"),
        .water_residual = number(water, "residual"),
    };
    double width = item(root, "size", 0), height = item(root, "size", 1);
    facts->width = width >= 2 && width <= 1 << 24 ? (int)width : 0;
    facts->height = height >= 2 && height <= 1 << 24 ? (int)height : 0;
    take_text(root, "model", facts->model, sizeof facts->model);
    take_text(root, "preset", facts->preset, sizeof facts->preset);
    take_text(root, "backend", facts->backend, sizeof facts->backend);
    take_text(root, "device", facts->device, sizeof facts->device);
    take_text(root, "arithmetic", facts->arithmetic, sizeof facts->arithmetic);
}

wadi_status run_read_facts(const char *folder, run_facts *facts) {
    json_t *root;
    const wadi_status status = run_read_manifest(folder, &root);
    if (status != WADI_OK) return status;
    take_facts(root, facts);
    json_decref(root);
    return WADI_OK;
}

static bool has_uplift(json_t *run) {
    const char *id = json_string_value(json_object_get(run, "model"));
    return id && wadi_model_has_uplift(wadi_model_find(id));
}

/* An earlier version's run.json names the models alone. */
static bool rises_in(json_t *root) {
    json_t *said = json_object_get(root, "rises"), *stages = json_object_get(root, "stages");
    if (json_is_boolean(said)) return json_is_true(said);
    bool found = has_uplift(root);
    for (size_t i = 0; i < json_array_size(stages); i++) found = found || has_uplift(json_array_get(stages, i));
    return found;
}

wadi_status run_read_rises(const char *folder, bool *rises) {
    json_t *root;
    const wadi_status status = run_read_manifest(folder, &root);
    if (status != WADI_OK) return status;
    *rises = rises_in(root);
    json_decref(root);
    return WADI_OK;
}

wadi_status run_read_sea(const char *folder, double *sea_m) {
    json_t *root;
    const wadi_status status = run_read_manifest(folder, &root);
    if (status != WADI_OK) return status;
    *sea_m = sea_of(root);
    json_decref(root);
    return WADI_OK;
}

wadi_status run_read_ground(const char *folder, wadi_ground *ground) {
    json_t *root;
    const wadi_status status = run_read_manifest(folder, &root);
    if (status != WADI_OK) return status;
    const char *name = json_string_value(json_object_get(json_object_get(root, "recipe"), "ground"));
    *ground = name && strcmp(name, run_ground_names[WADI_GROUND_DRY]) == 0 ? WADI_GROUND_DRY : WADI_GROUND_GREEN;
    json_decref(root);
    return WADI_OK;
}

/* Sets what the field's file does not state: size, cell size, and the scale of integers. */
static wadi_status take_read_options(const char *folder, const char *field, wadi_read_options *options) {
    json_t *root;
    const wadi_status status = run_read_manifest(folder, &root);
    if (status != WADI_OK) return status;
    run_facts facts;
    take_facts(root, &facts);
    json_t *output = json_object_get(json_object_get(root, "outputs"), field);
    char sample[16];
    take_text(output, "sample", sample, sizeof sample);
    double scale = number(output, "scale"), offset = number(output, "offset");
    bool bytes = strcmp(sample, "uint8") == 0, words = strcmp(sample, "uint16") == 0;
    options->width = facts.width;
    options->height = facts.height;
    options->lx = facts.lx > 0 ? facts.lx : 0;
    options->ly = facts.ly > 0 ? facts.ly : 0;
    options->has_range = (bytes || words) && is_finite(scale) && is_finite(offset);
    options->low = options->has_range ? offset : 0;
    options->high = options->has_range ? offset + scale * (bytes ? 255 : 65535) : 0;
    options->plain_values = !options->has_range;
    json_decref(root);
    return WADI_OK;
}
#else
wadi_status run_read_facts(const char *folder, run_facts *facts) {
    (void)facts;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "%s: this build cannot read " RUN_JSON ": build with jansson (on Debian: libjansson-dev); the "
                     "folder's files can be read one by one",
                     folder);
}

wadi_status run_read_rises(const char *folder, bool *rises) {
    (void)folder;
    *rises = false;
    return WADI_OK;
}

wadi_status run_read_sea(const char *folder, double *sea_m) {
    (void)folder;
    *sea_m = -(double)INFINITY;
    return WADI_OK;
}

wadi_status run_read_ground(const char *folder, wadi_ground *ground) {
    (void)folder;
    *ground = WADI_GROUND_GREEN;
    return WADI_OK;
}

/* Self-describing formats do not need it. */
static wadi_status take_read_options(const char *folder, const char *field, wadi_read_options *options) {
    (void)folder;
    (void)field;
    options->plain_values = true;
    return WADI_OK;
}
#endif

static wadi_status no_such_field(const char *folder, const char *field) {
    char list[MAPS_TEXT] = "";
    for (int i = -1; i < 0 || run_maps_at(i) != NULL; i++) {
        const char *name = i < 0 ? "height" : run_maps_at(i)->name;
        if (run_folder_has_field(folder, name)) run_text_add(list, sizeof list, "%s%s", *list ? ", " : "", name);
    }
    const char *why = run_folder_is_run(folder) ? "the run folder" : "the folder is no run and";
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s holds no %s (there %s %s)", folder, why, field, *list ? "are" : "is",
                     *list ? list : "nothing");
}

wadi_status run_read_field(const char *folder, const char *field, wadi_raster **raster) {
    char *path;
    wadi_status status = run_folder_find_field(folder, field, &path);
    if (status == WADI_OK && !path) return no_such_field(folder, field);
    wadi_read_options options = {0};
    if (status == WADI_OK) status = take_read_options(folder, field, &options);
    if (status == WADI_OK) status = run_fail_as_input(wadi_raster_read(path, &options, raster));
    free(path);
    return status;
}

wadi_status run_read_map(const char *folder, const char *field, const wadi_raster *height, wadi_raster **map) {
    const wadi_status status = run_read_field(folder, field, map);
    if (status != WADI_OK || ((*map)->width == height->width && (*map)->height == height->height)) return status;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s has %d x %d cells, the height %d x %d", folder, field, (*map)->width,
                     (*map)->height, height->width, height->height);
}

wadi_status run_read_height_of(const char *path, const read_args *args, wadi_raster **raster) {
    if (platform_is_folder(path)) return run_read_field(path, "height", raster);
    wadi_status status = run_read_height(path, args, raster);
    if (status == WADI_OK) run_note_assumptions(path, args, *raster);
    return status;
}
