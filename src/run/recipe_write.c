/* recipe_write.c: writes a run as a recipe that repeats it. It names every value, because presets may change later. */
#include "recipe_write.h"

#include "fail.h"
#include "gauges.h"
#include "json.h"
#include "maps.h"
#include "option.h"
#include "read_args.h"
#include "run_stages.h"
#include "run_state.h"
#include "run_tile.h"
#include "text.h"

#include "platform/platform.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

static void write_pair(json *json, const char *key, const number_pair *pair) {
    if (!pair->count) return;
    run_json_numbers(json, key, pair->first, pair->second);
}

static void write_generator(json *json, const text_list *generator) {
    run_json_object(json, "generate");
    for (size_t i = 0; i < generator->count; i++) {
        const char *item = generator->items[i], *equals = strchr(item, '='); /* "key=value" */
        char key[64];
        assert(equals);
        snprintf(key, sizeof key, "%.*s", (int)(equals - item), item);
        if (strcmp(key, "layers") == 0)
            run_json_raw(json, key, equals + 1);
        else
            run_json_text(json, key, equals + 1);
    }
    run_json_end(json);
}

static void write_input(json *json, const run_plan *plan) {
    if (plan->generator.count)
        write_generator(json, &plan->generator);
    else
        run_json_text(json, "input", run_input_path(&plan->inputs, "height"));
    if (plan->read.size[0]) {
        run_json_integers(json, "size", plan->read.size[0], plan->read.size[1]);
    }
    write_pair(json, "cell-size", &plan->read.cell);
    write_pair(json, "height-range", &plan->read.range);
    write_pair(json, "nodata", &plan->read.nodata);
    write_pair(json, "breach", &plan->breach);
    if (plan->read.band) run_json_text(json, "band", plan->read.band);
    if (plan->read.z_unit) run_json_text(json, "z-unit", plan->read.z_unit);
    if (plan->read.encoding) run_json_text(json, "encoding", run_encoding_names[plan->read.encoding]);
    if (plan->read.exact) run_json_bool(json, "exact", true);
    if (plan->read.byte_order) run_json_text(json, "byte-order", run_byte_order_names[plan->read.byte_order]);
}

static void write_maps(json *json, unsigned maps) {
    if (!maps) {
        run_json_text(json, "maps", "none");
        return;
    }
    run_json_array(json, "maps");
    for (int i = 0; run_maps_at(i) != NULL; i++)
        if (maps >> i & 1) run_json_text(json, NULL, run_maps_at(i)->name);
    run_json_end(json);
}

/* The first stage of level 0 with hardness; stage_count: none. */
static size_t first_hard(const run *run) {
    size_t i = run->stage_count - run_fine_count(run);
    while (i < run->stage_count && !wadi_model_has_hardness(run->stages[i].def.model)) i++;
    return i;
}

static bool is_moved(const wadi_def *def, size_t knob) { return def->knobs[knob] < 0.5 || def->knobs[knob] > 0.5; }

void run_knobs_write(json *json, const wadi_def *def) {
    size_t count, moved = 0;
    const wadi_knob *knobs = wadi_model_knobs(def->model, &count);
    for (size_t i = 0; i < count; i++) moved += is_moved(def, i);
    if (moved == 0) return;
    run_json_object(json, "knobs");
    for (size_t i = 0; i < count; i++)
        if (is_moved(def, i)) run_json_number(json, knobs[i].name, def->knobs[i]);
    run_json_end(json);
}

static void write_settings(json *json, const run *run, size_t index) {
    const run_stage *stage = &run->stages[index];
    const wadi_def *def = &stage->def;
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def->model, &count);
    run_json_object(json, "set");
    for (size_t i = 0; i < count; i++) {
        const char *name = parameters[i].name, *path = run_input_path(&stage->inputs, name);
        if (strcmp(name, "R") == 0 && index != first_hard(run)) continue; /* taken over from an earlier stage */
        if (path && parameters[i].per_cell)
            run_json_map(json, name, path);
        else if (parameters[i].choices)
            run_json_text(json, name, parameters[i].choices[(int)def->values[i]]);
        else
            run_json_number(json, name, def->values[i]);
    }
    run_json_end(json);
}

static void write_sources(json *json, const run_stage *stage) {
    if (!stage->source_count) return;
    run_json_array(json, "sources");
    for (size_t i = 0; i < stage->source_count; i++) run_source_write(json, &stage->sources[i]);
    run_json_end(json);
}

/* Then one level is an own choice: of the window, which has the full grid alone, or of an option. */
static bool preset_has_levels(const run_stage *stage) {
    const wadi_model *model;
    const wadi_preset *preset = stage->preset ? wadi_preset_find(stage->preset, &model) : NULL;
    return preset && preset->levels > 1 && stage->rounds == 1;
}

static void write_stage(json *json, const run *run, size_t index) {
    const run_stage *stage = &run->stages[index];
    const wadi_def *def = &stage->def;
    run_json_text(json, "model", wadi_model_id(def->model));
    if (stage->preset && *stage->preset) run_json_text(json, "preset", stage->preset);
    run_knobs_write(json, def);
    run_json_text(json, "boundary", run_boundary_names[def->boundary]);
    run_json_text(json, "scale", run_scale_names[def->scale]);
    if (def->world_m > 0) run_json_number(json, "world-size", def->world_m);
    run_json_unsigned(json, "seed", def->seed);
    if (def->allow_out_of_range) run_json_bool(json, "allow-out-of-range", true);
    write_settings(json, run, index);
    if (def->drops.count > 0) run_drops_write(json, &def->drops);
    if (stage->rain_taken) run_json_text(json, "rain", "previous");
    const char *mask = run_input_path(&stage->inputs, "mask");
    if (mask || stage->mask_taken) run_json_text(json, "mask", mask ? mask : "previous");
    write_sources(json, stage);
    if (run->plan.levels > 1 || preset_has_levels(stage)) run_json_integer(json, "levels", stage->levels);
    run_json_integer(json, "steps", stage->steps);
    run_events_write(json, &stage->events, def->model, run_stage_steps(stage));
}

static void write_stages(json *json, const run *run) {
    run_json_array(json, "stages");
    for (size_t i = run->stage_count - run_fine_count(run); i < run->stage_count; i++) {
        const run_stage *stage = &run->stages[i];
        bool opens = stage->rounds > 1 && i == stage->first, closes = stage->rounds > 1 && i == stage->last;
        if (opens) {
            run_json_object(json, NULL);
            run_json_integer(json, "repeat", stage->rounds);
            run_json_array(json, "stages");
        }
        run_json_object(json, NULL);
        write_stage(json, run, i);
        run_json_end(json);
        if (closes) {
            run_json_end(json);
            run_json_end(json);
        }
    }
    run_json_end(json);
}

/* They are written in cells. */
static bool has_places(const run *run) {
    bool any = run->plan.gauges.count > 0;
    for (size_t i = 0; i < run->stage_count; i++) any = any || run->stages[i].source_count > 0;
    return any;
}

void run_recipe_write(json *json, const run *run) {
    const run_plan *plan = &run->plan;
    const char *hardness = run_input_path(&plan->inputs, "hardness"), *water = run_input_path(&plan->inputs, "water");
    run_json_object(json, "recipe");
    write_input(json, plan);
    run_tile_recipe(json, run);
    write_maps(json, plan->maps);
    if (plan->format != WADI_FORMAT_UNKNOWN || plan->keep_type)
        run_json_text(json, "format", run_format_names[plan->format]);
    if (first_hard(run) < run->stage_count)
        run_json_text(json, "hardness", hardness ? hardness : plan->hardness_made ? "height" : "uniform");
    if (water) run_json_text(json, "water", water);
    if (has_places(run)) run_json_bool(json, "pixel", true);
    run_gauges_recipe(json, run);
    if (plan->ground) run_json_text(json, "ground", run_ground_names[plan->ground]);
    if (plan->level_warp > 0) run_json_number(json, "level-warp", plan->level_warp);
    run_json_text(json, "settle", run_switch_names[plan->settle]);
    if (run_is_plain(run))
        write_stage(json, run, run->stage_count - 1);
    else
        write_stages(json, run);
    run_json_end(json);
}

wadi_status run_recipe_write_file(const run *run, const char *path) {
    platform_new_file made;
    int error = platform_new_file_begin(path, &made);
    if (error == 0) {
        json json = run_json_to(made.file, false);
        run_json_object(&json, NULL);
        run_json_text(&json, "wadi", wadi_version());
        run_recipe_write(&json, run);
        run_json_end(&json);
        error = platform_new_file_end(&made, path, ferror(made.file) ? EIO : 0);
    }
    return error ? wadi_fail(run_fail_errno(WADI_ERROR_IO, error), "%s: cannot be written: %s", path, strerror(error))
                 : WADI_OK;
}
