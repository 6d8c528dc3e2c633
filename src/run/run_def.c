/* run_def.c: makes a simulation's definition from the options. */
#include "run_def.h"

#include "message.h"
#include "option.h"
#include "run_options.h"
#include "text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static wadi_status choose_model(const run_options *options, const wadi_model **model, const wadi_preset **preset) {
    *model = options->model ? wadi_model_find(options->model) : NULL;
    if (options->model && !*model)
        return run_at(options, &options->model,
                      wadi_fail(WADI_ERROR_ARGUMENT, "--model %s: %s", options->model, wadi_error_message()));
    if (options->preset) {
        *preset = wadi_preset_find(options->preset, model);
        if (!*preset)
            return run_at(options, &options->preset,
                          wadi_fail(WADI_ERROR_ARGUMENT, "--preset %s: %s", options->preset, wadi_error_message()));
    }
    if (!*model) *model = wadi_model_find("jako2011");
    return *model ? WADI_OK : wadi_fail(WADI_ERROR_ARGUMENT, "%s", wadi_error_message());
}

/* Reports the preset, and all its values that differ from the model's table. */
static void note_preset(const wadi_def *def, const wadi_preset *preset) {
    char text[1024] = "";
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def->model, &count);
    for (size_t i = 0; i < count; i++) {
        const double value = def->values[i];
        if (value == parameters[i].standard) continue;
        run_text_add(text, sizeof text, " %s=", parameters[i].name);
        if (parameters[i].choices)
            run_text_add(text, sizeof text, "%s", parameters[i].choices[(int)value]);
        else
            run_text_add(text, sizeof text, value < 1000 ? "%.4g" : "%.0f", value);
    }
    run_message_note("preset %s of %s:%s, border %s (--preset names another)", preset->name, wadi_model_id(def->model),
                     text, run_boundary_names[def->boundary]);
}

/* The named preset; else the one for terrain that has a place on Earth; else the model's first. A file without a CRS
 * may still have a transform, depending on its format. */
static const wadi_preset *choose_preset(const wadi_preset *named, const wadi_raster *raster, const wadi_model *model) {
    const wadi_preset *fitting = raster->georef.crs_bytes > 0 ? wadi_preset_georeferenced(model) : NULL;
    size_t count;
    return named ? named : fitting ? fitting : wadi_model_presets(model, &count);
}

static const wadi_setting no_settings[] = {{NULL, NULL}};
const wadi_preset run_standard_preset = {.scale = WADI_SCALE_CELL, .settings = no_settings};

/* A run.json names every value. Those that its version did not have keep their standard values, with which the model
 * does what it did then. So what the preset sets today does not matter. */
static wadi_status apply_preset(const run_options *options, const wadi_preset *preset, wadi_def *def) {
    wadi_preset standard = run_standard_preset;
    standard.boundary = preset->boundary;
    const wadi_preset *taken = options->repeats ? &standard : preset;
    return wadi_def_preset_scaled(def, taken, options->scale >= 0 ? (wadi_scale)options->scale : taken->scale);
}

/* "NAME=X". A run.json names the values that the knobs gave: there a knob is only noted. */
static wadi_status apply_knob(bool repeats, const char *text, wadi_def *def) {
    const char *equals = strchr(text, '=');
    double position;
    if (!equals || equals == text || !run_parse_number(equals + 1, &position))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--knob %s: NAME=X is wanted, X from 0 to 1, as in --knob strength=0.7",
                         text);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    if (repeats && wadi_model_knob_index(def->model, name) < 0) return WADI_OK; /* another version's */
    wadi_def moved = *def;
    if (wadi_def_knob(&moved, name, position) != WADI_OK)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--knob %s: %s", text, wadi_error_message());
    if (repeats)
        memcpy(def->knobs, moved.knobs, sizeof def->knobs);
    else
        *def = moved;
    return WADI_OK;
}

static wadi_status apply_knobs(const run_options *options, wadi_def *def) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < options->knobs.count && status == WADI_OK; i++)
        status = run_at(options, &options->knobs, apply_knob(options->repeats, options->knobs.items[i], def));
    return status;
}

static wadi_status not_per_cell(const wadi_model *model, const char *setting) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    char list[1024] = "";
    for (size_t i = 0; i < count; i++)
        if (parameters[i].per_cell) run_text_add(list, sizeof list, "%s%s", *list ? ", " : "", parameters[i].name);
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "--set %s: this parameter is one number for all cells; those that may be a map: %s", setting,
                     *list ? list : "none");
}

/* A later setting replaces an earlier map of the parameter. */
static void drop_map_of(const wadi_def *def, const char *name, text_list *maps) {
    size_t count, kept = 0;
    const int index = wadi_model_parameter_index(def->model, name);
    if (index < 0) return;
    const char *symbol = wadi_model_parameters(def->model, &count)[index].name;
    const size_t length = strlen(symbol);
    for (size_t i = 0; i < maps->count; i++) {
        if (strncmp(maps->items[i], symbol, length) == 0 && maps->items[i][length] == '=')
            free(maps->items[i]);
        else
            maps->items[kept++] = maps->items[i];
    }
    maps->count = kept;
}

static wadi_status set_map(wadi_def *def, const char *setting, const char *name, const char *path, text_list *maps) {
    int index = wadi_model_parameter_index(def->model, name);
    if (index < 0) return wadi_fail(WADI_ERROR_ARGUMENT, "--set %s: %s", setting, wadi_error_message());
    size_t count;
    const wadi_parameter *parameter = &wadi_model_parameters(def->model, &count)[index];
    if (!parameter->per_cell) return not_per_cell(def->model, setting);
    if (!*path) return wadi_fail(WADI_ERROR_ARGUMENT, "--set %s: the file's name is missing after '@'", setting);
    return run_text_list_take(maps, run_text_format("%s=%s", parameter->name, path));
}

static wadi_status apply_setting(wadi_def *def, const char *setting, text_list *maps) {
    const char *equals = strchr(setting, '=');
    if (!equals || equals == setting)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--set %s: NAME=VALUE is wanted, as in --set Kc=0.3", setting);
    char *name = run_text_format("%.*s", (int)(equals - setting), setting);
    if (!name) return WADI_ERROR_MEMORY;
    wadi_status status = WADI_OK;
    drop_map_of(def, name, maps);
    if (equals[1] == '@')
        status = set_map(def, setting, name, equals + 2, maps);
    else if (wadi_def_set_text(def, name, equals + 1) != WADI_OK)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "--set %s: %s", setting, wadi_error_message());
    free(name);
    return status;
}

/* "count=N,radius=M,rate=R", all three, in any order. */
static wadi_status parse_drops(const char *text, wadi_drops *drops) {
    static const char *const names[] = {"count", "radius", "rate"};
    double *places[] = {&drops->count, &drops->radius_m, &drops->rate_m_s};
    bool given[3] = {false, false, false};
    while (*text) {
        size_t length = strcspn(text, ",");
        char *item = run_text_format("%.*s", (int)length, text);
        if (!item) return WADI_ERROR_MEMORY;
        bool known = false, good = false;
        for (int i = 0; i < 3; i++) {
            size_t size = strlen(names[i]);
            if (strncmp(item, names[i], size) != 0 || item[size] != '=') continue;
            known = given[i] = true;
            good = run_parse_number(item + size + 1, places[i]) && *places[i] >= 0;
        }
        if (!known) wadi_fail(WADI_ERROR_ARGUMENT, "--rain drops: '%s' is none of count=N, radius=M, rate=R", item);
        if (known && !good) wadi_fail(WADI_ERROR_ARGUMENT, "--rain drops: %s: a number from 0 is wanted", item);
        free(item);
        if (!good) return WADI_ERROR_ARGUMENT;
        text += length + (text[length] == ',');
    }
    for (int i = 0; i < 3; i++)
        if (!given[i])
            return wadi_fail(WADI_ERROR_ARGUMENT, "--rain drops: %s is missing; write drops:count=N,radius=M,rate=R",
                             names[i]);
    return WADI_OK;
}

static wadi_status apply_rain(const char *rain, wadi_def *def, text_list *maps) {
    static const char prefix[] = "drops:";
    wadi_drops drops = {0};
    double rate = 0;
    bool has_drops = strncmp(rain, prefix, strlen(prefix)) == 0;
    if (!has_drops && rain[0] != '@' && !run_parse_number(rain, &rate))
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--rain %s: a rate in m/s, @map, or drops:count=N,radius=M,rate=R is wanted", rain);
    wadi_status status = has_drops ? parse_drops(rain + strlen(prefix), &drops) : WADI_OK;
    if (status != WADI_OK) return status;
    def->drops = drops; /* uniform rain or a map replaces a preset's drops */
    drop_map_of(def, "rain", maps);
    if (rain[0] == '@') return set_map(def, rain, "rain", rain + 1, maps);
    if (wadi_def_set(def, "rain", rate) != WADI_OK)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--rain %s: %s", rain, wadi_error_message());
    return WADI_OK;
}

static wadi_status steps_of_time(const run_options *options, const wadi_def *def, int64_t *steps) {
    int index = wadi_model_parameter_index(def->model, "dt");
    if (index < 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--time: %s has no time step in seconds; use --steps",
                         wadi_model_id(def->model));
    /* dt follows: run_fit_time_step() */
    if (options->steps >= 0) return WADI_OK;
    double count = ceil(options->time_s / def->values[index] - 1e-9); /* 1e-9: 0.3/0.1 is three steps */
    if (!(count < 1e15))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--time %g: too many steps of dt = %g %s", options->time_s,
                         def->values[index],
                         def->model != NULL ? wadi_model_parameters(def->model, NULL)[index].unit : "");
    *steps = count > 0 ? (int64_t)count : 0;
    return WADI_OK;
}

wadi_status run_target_steps(const run_options *options, const wadi_def *def, int64_t *steps) {
    if (options->steps >= 0) *steps = options->steps;
    return options->time_s < 0 ? WADI_OK : run_at(options, &options->time_s, steps_of_time(options, def, steps));
}

int run_setting_of(const run_options *options, const wadi_model *model, int parameter) {
    int found = -1;
    for (size_t i = 0; i < options->settings.count && parameter >= 0; i++) {
        const char *setting = options->settings.items[i];
        char name[64]; /* longer than that of any parameter */
        snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
        if (wadi_model_parameter_index(model, name) == parameter) found = (int)i;
    }
    return found;
}

static wadi_status no_sea(const wadi_model *model) {
    char list[256] = "";
    for (size_t i = 0; i < wadi_model_count(); i++)
        if (wadi_model_has_sea(wadi_model_at(i)))
            run_text_add(list, sizeof list, "%s%s", *list ? ", " : "", wadi_model_id(wadi_model_at(i)));
    return wadi_fail(WADI_ERROR_ARGUMENT, "--sea-level: %s does not support a sea; models that do: %s",
                     wadi_model_id(model), list);
}

/* A stage whose model has no sea is refused, unless the sea is off. */
static wadi_status apply_sea_level(const char *text, wadi_def *def) {
    const bool on = strcmp(text, "off") != 0;
    double level_m = 0;
    if (on && !run_parse_number(text, &level_m))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--sea-level %s: a height in metres or 'off' is wanted", text);
    if (!wadi_model_has_sea(def->model)) return on ? no_sea(def->model) : WADI_OK;
    wadi_status status = wadi_def_set_text(def, "sea", on ? "on" : "off");
    if (status == WADI_OK && on) status = wadi_def_set(def, "sea_level", level_m);
    return status == WADI_OK ? status
                             : wadi_fail(WADI_ERROR_ARGUMENT, "--sea-level %s: %s", text, wadi_error_message());
}

/* The parameter may come from a preset or --set, so this is checked last. */
static wadi_status check_sea(const wadi_def *def) {
    wadi_def open = *def;
    open.boundary = WADI_OPEN;
    if (!wadi_def_sea(&open, NULL) || def->boundary == WADI_OPEN) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "the sea stands outside an open border, and this one is %s: --boundary open",
                     run_boundary_names[def->boundary]);
}

static wadi_status apply_options(const run_options *options, wadi_def *def, text_list *maps) {
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < options->settings.count && status == WADI_OK; i++)
        status = run_at_setting(options, i, apply_setting(def, options->settings.items[i], maps));
    if (status == WADI_OK && options->rain && strcmp(options->rain, "previous") != 0)
        status = run_at(options, &options->rain, apply_rain(options->rain, def, maps));
    if (status == WADI_OK && options->sea_level)
        status = run_at(options, &options->sea_level, apply_sea_level(options->sea_level, def));
    return status == WADI_OK ? run_at(options, &options->sea_level, check_sea(def)) : status;
}

wadi_status run_make_def(const run_options *options, const wadi_raster *raster, wadi_def *def, run_stage *stage,
                         text_list *maps) {
    const wadi_model *model;
    const wadi_preset *preset = NULL;
    wadi_status status = choose_model(options, &model, &preset);
    if (status != WADI_OK) return status;
    *def = wadi_default_def(model, raster->width, raster->height, raster->lx, raster->ly);
    def->allow_out_of_range = options->allow_out_of_range;
    def->seed = options->seed;
    def->world_m = options->world_m;
    stage->rain_taken = options->rain && strcmp(options->rain, "previous") == 0;
    stage->mask_taken = options->mask && strcmp(options->mask, "previous") == 0;
    const bool named = preset != NULL;
    preset = choose_preset(preset, raster, model);
    stage->preset = run_text_copy(preset->name);
    status = stage->preset ? apply_preset(options, preset, def) : WADI_ERROR_MEMORY;
    if (status == WADI_OK && !named && preset->georeferenced) note_preset(def, preset);
    if (status == WADI_OK) status = apply_knobs(options, def);
    if (stage->rain_taken) def->drops.count = 0;
    if (options->boundary >= 0) def->boundary = (wadi_boundary)options->boundary;
    if (status == WADI_OK) status = apply_options(options, def, maps);
    def->threads = (int)options->threads;
    stage->levels = preset->levels > 1 && !options->repeats ? preset->levels : 1;
    stage->steps = wadi_def_preset_steps(def, preset);
    return status != WADI_OK ? status : run_target_steps(options, def, &stage->steps);
}

bool run_flows_by_the_second(const wadi_model *model) {
    const int dt = wadi_model_parameter_index(model, "time-step");
    return dt >= 0 && strcmp(wadi_model_parameters(model, NULL)[dt].unit, "s") == 0;
}
