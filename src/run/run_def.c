/* run_def.c: from the command line to the definition of a simulation. */
#include "run_def.h"

#include "message.h"
#include "option.h"
#include "run_options.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

static int choose_model(const run_options *options, const wadi_model **model, const wadi_preset **preset) {
    run_at(options, &options->model);
    *model = options->model ? wadi_model_find(options->model) : NULL;
    if (options->model && !*model) return cli_fail(CLI_USAGE, "--model %s: %s", options->model, wadi_error_message());
    if (options->preset) {
        run_at(options, &options->preset);
        *preset = wadi_preset_find(options->preset, model);
        if (!*preset) return cli_fail(CLI_USAGE, "--preset %s: %s", options->preset, wadi_error_message());
    }
    if (!*model) *model = wadi_model_find("jako2011");
    return *model ? CLI_OK : cli_fail(CLI_USAGE, "%s", wadi_error_message());
}

/* Which preset it is, and all that it sets otherwise than the model's table does for cells of 1 m. */
static void note_preset(const wadi_def *def, const wadi_preset *preset, double cell_m) {
    char *text = cli_copy("");
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def->model, &count);
    for (size_t i = 0; i < count; i++) {
        if (def->values[i] == parameters[i].standard) continue;
        const char *choice = parameters[i].choices ? parameters[i].choices[(int)def->values[i]] : NULL;
        char *value = choice ? cli_copy(choice) : cli_text(def->values[i] < 1000 ? "%.4g" : "%.0f", def->values[i]);
        char *longer = cli_text("%s %s=%s", text, parameters[i].name, value);
        free(value);
        free(text);
        text = longer;
    }
    cli_note("preset %s of %s, for cells of %.4g m:%s, border %s (--preset names another)", preset->name,
             wadi_model_id(def->model), cell_m, text, boundary_names[def->boundary]);
    free(text);
}

/* The preset named, else the one for the cell size of a georeferenced input, else the model's first. */
static int apply_preset(const wadi_preset *named, const wadi_raster *raster, wadi_def *def, run_stage *stage) {
    size_t count;
    const wadi_preset *first = wadi_model_presets(def->model, &count);
    double cell_m = sqrt(raster->lx * raster->ly);
    const wadi_preset *fitting = raster->has_georef ? wadi_preset_for_cell(def->model, cell_m) : NULL;
    const wadi_preset *preset = named ? named : fitting ? fitting : count ? first : NULL;
    if (!preset) return CLI_OK;
    stage->preset = cli_copy(preset->name);
    stage->steps = preset->steps;
    int code = cli_fail_status(wadi_def_preset(def, preset));
    if (code == CLI_OK && !named && fitting) note_preset(def, preset, cell_m);
    return code;
}

static int not_per_cell(const wadi_model *model, const char *setting) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    char *list = cli_copy("");
    for (size_t i = 0; i < count; i++) {
        if (!parameters[i].per_cell) continue;
        char *longer = cli_text("%s%s%s", list, *list ? ", " : "", parameters[i].name);
        free(list);
        list = longer;
    }
    cli_fail(CLI_USAGE, "--set %s: this parameter is one number for all cells; those that may be a map: %s", setting,
             *list ? list : "none");
    free(list);
    return CLI_USAGE;
}

/* What is set later holds: a map of this parameter that was named before goes. */
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

static int set_map(wadi_def *def, const char *setting, const char *name, const char *path, text_list *maps) {
    int index = wadi_model_parameter_index(def->model, name);
    if (index < 0) return cli_fail(CLI_USAGE, "--set %s: %s", setting, wadi_error_message());
    size_t count;
    const wadi_parameter *parameter = &wadi_model_parameters(def->model, &count)[index];
    if (!parameter->per_cell) return not_per_cell(def->model, setting);
    if (!*path) return cli_fail(CLI_USAGE, "--set %s: the file's name is missing after '@'", setting);
    char *text = cli_text("%s=%s", parameter->name, path);
    text_list_add(maps, text);
    free(text);
    return CLI_OK;
}

static int apply_setting(wadi_def *def, const char *setting, text_list *maps) {
    const char *equals = strchr(setting, '=');
    if (!equals || equals == setting)
        return cli_fail(CLI_USAGE, "--set %s: NAME=VALUE is wanted, as in --set Kc=0.3", setting);
    char *name = cli_text("%.*s", (int)(equals - setting), setting);
    int code = CLI_OK;
    drop_map_of(def, name, maps);
    if (equals[1] == '@')
        code = set_map(def, setting, name, equals + 2, maps);
    else if (wadi_def_set_text(def, name, equals + 1) != WADI_OK)
        code = cli_fail(CLI_USAGE, "--set %s: %s", setting, wadi_error_message());
    free(name);
    return code;
}

/* "count=N,radius=M,rate=R", in any order, all three. */
static int parse_drops(const char *text, wadi_drops *drops) {
    static const char *const names[] = {"count", "radius", "rate"};
    double *places[] = {&drops->count, &drops->radius_m, &drops->rate_m_s};
    bool given[3] = {false, false, false};
    while (*text) {
        size_t length = strcspn(text, ",");
        char *item = cli_text("%.*s", (int)length, text);
        bool known = false, good = false;
        for (int i = 0; i < 3; i++) {
            size_t size = strlen(names[i]);
            if (strncmp(item, names[i], size) != 0 || item[size] != '=') continue;
            known = given[i] = true;
            good = parse_number(item + size + 1, places[i]) && *places[i] >= 0;
        }
        if (!known) cli_fail(CLI_USAGE, "--rain drops: '%s' is none of count=N, radius=M, rate=R", item);
        if (known && !good) cli_fail(CLI_USAGE, "--rain drops: %s: a number from 0 is wanted", item);
        free(item);
        if (!good) return CLI_USAGE;
        text += length + (text[length] == ',');
    }
    for (int i = 0; i < 3; i++)
        if (!given[i])
            return cli_fail(CLI_USAGE, "--rain drops: %s is missing; write drops:count=N,radius=M,rate=R", names[i]);
    return CLI_OK;
}

static int apply_rain(const char *rain, wadi_def *def, text_list *maps) {
    static const char prefix[] = "drops:";
    wadi_drops drops = {0};
    double rate = 0;
    bool has_drops = strncmp(rain, prefix, strlen(prefix)) == 0;
    if (!has_drops && rain[0] != '@' && !parse_number(rain, &rate))
        return cli_fail(CLI_USAGE, "--rain %s: a rate in m/s, @map, or drops:count=N,radius=M,rate=R is wanted", rain);
    int code = has_drops ? parse_drops(rain + strlen(prefix), &drops) : CLI_OK;
    if (code) return code;
    def->drops = drops; /* an even rain, or a map, takes the place of a preset's drops */
    drop_map_of(def, "rain", maps);
    if (rain[0] == '@') return set_map(def, rain, "rain", rain + 1, maps);
    if (wadi_def_set(def, "rain", rate) != WADI_OK)
        return cli_fail(CLI_USAGE, "--rain %s: %s", rain, wadi_error_message());
    return CLI_OK;
}

int run_target_steps(const run_options *options, const wadi_def *def, int64_t *steps) {
    if (options->steps >= 0) *steps = options->steps;
    if (options->time_s < 0) return CLI_OK;
    run_at(options, &options->time_s);
    if (options->steps >= 0) return cli_fail(CLI_USAGE, "--time: --steps says how long to run, too; leave one out");
    int index = wadi_model_parameter_index(def->model, "dt");
    if (index < 0)
        return cli_fail(CLI_USAGE, "--time: %s has no time step in seconds; use --steps", wadi_model_id(def->model));
    double count = ceil(options->time_s / def->values[index] - 1e-9); /* 1e-9: 0.3/0.1 is three steps */
    if (!(count < 1e15))
        return cli_fail(CLI_USAGE, "--time %g: too many steps of dt = %g s", options->time_s, def->values[index]);
    *steps = count > 0 ? (int64_t)count : 0;
    return CLI_OK;
}

int run_setting_of(const run_options *options, const wadi_model *model, int parameter) {
    int found = -1;
    for (size_t i = 0; i < options->settings.count && parameter >= 0; i++) {
        char *name = cli_copy(options->settings.items[i]);
        name[strcspn(name, "=")] = '\0';
        if (wadi_model_parameter_index(model, name) == parameter) found = (int)i;
        free(name);
    }
    return found;
}

static int apply_options(const run_options *options, wadi_def *def, text_list *maps) {
    int code = CLI_OK;
    for (size_t i = 0; i < options->settings.count && code == CLI_OK; i++) {
        run_at_setting(options, i);
        code = apply_setting(def, options->settings.items[i], maps);
    }
    run_at(options, &options->rain);
    if (code == CLI_OK && options->rain && strcmp(options->rain, "previous") != 0)
        code = apply_rain(options->rain, def, maps);
    return code;
}

int run_make_def(const run_options *options, const wadi_raster *raster, wadi_def *def, run_stage *stage,
                 text_list *maps) {
    const wadi_model *model;
    const wadi_preset *preset = NULL;
    int code = choose_model(options, &model, &preset);
    if (code) return code;
    *def = wadi_default_def(model, raster->width, raster->height, raster->lx, raster->ly);
    def->allow_out_of_range = options->allow_out_of_range;
    def->seed = options->seed;
    stage->rain_taken = options->rain && strcmp(options->rain, "previous") == 0;
    stage->mask_taken = options->mask && strcmp(options->mask, "previous") == 0;
    stage->steps = 1000; /* of a model without presets */
    code = apply_preset(preset, raster, def, stage);
    if (stage->rain_taken) def->drops.count = 0;
    if (options->boundary >= 0) def->boundary = (wadi_boundary)options->boundary;
    if (code == CLI_OK) code = apply_options(options, def, maps);
    def->threads = (int)options->threads;
    return code ? code : run_target_steps(options, def, &stage->steps);
}
