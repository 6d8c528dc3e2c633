/* presets.c: wadi presets: the purpose and the values of each preset. */
#include "options.h"
#include "report.h"

#include "run/json.h"
#include "run/message.h"
#include "run/option.h"
#include "run/text.h"
#include "run/user_preset.h"

#include "wadi/sim.h"

#include <string.h>

typedef struct presets_options {
    const char *model;
    bool json;
} presets_options;

#define ROW(...) OPTION_ROW(presets_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "model", model, "ID", .help = "of this model alone"),
    ROW(FLAG, "json", json, NULL, .help = "as JSON"),
    {0},
};

static const command presets = {
    .name = "presets",
    .usage = "[NAME|FILE.yaml] [--model ID] [--json]",
    .summary = "Lists the presets, or what one sets. A run scales the values: of a preset with scale world from a "
               "terrain of 512 m in cells of 1 m to its own, else from cells of 1 m to its own. The first preset of a "
               "model is its default.",
    .options = options,
    .arguments = "NAME|FILE.yaml",
    .arguments_to = 1,
};

static double value_of(const wadi_def *def, const char *parameter, double duration_s) {
    if (strcmp(parameter, "duration") == 0) return duration_s;
    return def->values[wadi_model_parameter_index(def->model, parameter)];
}

/* The values at 0 and at 1. */
static void print_knob(const wadi_model *model, const wadi_preset *preset, const wadi_knob *knob) {
    wadi_def ends[2];
    for (int i = 0; i < 2; i++) {
        ends[i] = wadi_default_def(model, 512, 512, 1, 1);
        if (wadi_def_preset(&ends[i], preset) != WADI_OK || wadi_def_knob(&ends[i], knob->name, i) != WADI_OK) return;
    }
    printf("  %-20s %s:", knob->name, knob->meaning);
    for (const wadi_knob_move *move = knob->moves; move->parameter; move++)
        printf(" %s %.4g to %.4g%s", move->parameter,
               value_of(&ends[0], move->parameter, preset->duration_s / move->factor),
               value_of(&ends[1], move->parameter, preset->duration_s * move->factor), move[1].parameter ? "," : "\n");
}

static void print_knobs(const wadi_model *model, const wadi_preset *preset) {
    size_t count;
    const wadi_knob *knobs = wadi_model_knobs(model, &count);
    if (count > 0) printf("\nknobs (--knob NAME=X) and their ends, 0 and 1; at 0.5 is the preset\n\n");
    for (size_t i = 0; i < count; i++) print_knob(model, preset, &knobs[i]);
}

static void print_preset(const wadi_model *model, const wadi_preset *preset) {
    char time[32];
    printf("%s (%s): %s\n\n", preset->name, wadi_model_id(model), preset->summary);
    printf("  %-20s %s\n", "boundary", run_boundary_names[preset->boundary]);
    printf("  %-20s %s\n", "hardness", preset->hardness ? "made from the height" : "uniform");
    printf("  %-20s %s\n", "scale", run_scale_names[preset->scale]);
    if (preset->georeferenced) printf("  %-20s inputs with a CRS\n", "taken for");
    printf("  %-20s %s\n", "duration", run_text_simulated(preset->duration_s, time));
    for (const wadi_setting *s = preset->settings; s->name; s++) printf("  %-20s %s\n", s->name, s->value);
    print_knobs(model, preset);
}

/* A preset of the user: what it changes. */
static void print_own(const user_preset *preset) {
    printf("%s (%s): a preset of yours, %s\n\n", as_shown(preset->name), wadi_model_id(preset->model),
           as_shown(preset->path));
    printf("  %-20s %s\n", "preset", preset->base->name);
    if (preset->boundary >= 0) printf("  %-20s %s\n", "boundary", run_boundary_names[preset->boundary]);
    for (int list = 0; list < 2; list++) {
        const text_list *texts = &preset->adjustment->texts[list];
        for (size_t i = 0; i < texts->count; i++) {
            const int name = (int)strcspn(texts->items[i], "=");
            printf("  %s%-*.*s %s\n", list == ADJUST_KNOBS ? "knob " : "", list == ADJUST_KNOBS ? 15 : 20, name,
                   texts->items[i], as_shown(texts->items[i] + name + 1));
        }
    }
}

static void json_texts(json *json, const char *key, const text_list *texts) {
    run_json_object(json, key);
    for (size_t i = 0; i < texts->count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(texts->items[i], "="), texts->items[i]);
        run_json_text(json, name, strchr(texts->items[i], '=') + 1);
    }
    run_json_end(json);
}

static void json_own(json *json, const user_preset *preset) {
    run_json_object(json, NULL);
    run_json_text(json, "name", preset->name);
    run_json_text(json, "model", wadi_model_id(preset->model));
    run_json_text(json, "file", preset->path);
    run_json_text(json, "preset", preset->base->name);
    if (preset->boundary >= 0) run_json_text(json, "boundary", run_boundary_names[preset->boundary]);
    json_texts(json, "knobs", &preset->adjustment->texts[ADJUST_KNOBS]);
    json_texts(json, "settings", &preset->adjustment->texts[ADJUST_VALUES]);
    run_json_end(json);
}

static void json_preset(json *json, const wadi_model *model, const wadi_preset *preset) {
    run_json_object(json, NULL);
    run_json_text(json, "name", preset->name);
    run_json_text(json, "model", wadi_model_id(model));
    run_json_text(json, "summary", preset->summary);
    run_json_text(json, "scale", run_scale_names[preset->scale]);
    run_json_bool(json, "georeferenced", preset->georeferenced);
    run_json_text(json, "boundary", run_boundary_names[preset->boundary]);
    run_json_text(json, "hardness", preset->hardness);
    run_json_number(json, "duration_s", preset->duration_s);
    run_json_object(json, "settings");
    for (const wadi_setting *s = preset->settings; s->name; s++) run_json_text(json, s->name, s->value);
    run_json_end(json);
    run_json_end(json);
}

static void list(json *json, const wadi_model *only) {
    for (size_t i = 0; i < wadi_model_count(); i++) {
        const wadi_model *model = wadi_model_at(i);
        size_t count;
        const wadi_preset *preset = wadi_model_presets(model, &count);
        if (only && model != only) continue;
        for (size_t j = 0; j < count; j++) {
            if (json)
                json_preset(json, model, &preset[j]);
            else
                printf("%-16s %-14s %s\n", preset[j].name, wadi_model_id(model), preset[j].summary);
        }
    }
}

static wadi_status list_own(json *json, const wadi_model *only) {
    user_preset *presets;
    size_t count;
    char summary[PRESET_SUMMARY];
    const wadi_status status = run_user_presets_list(&presets, &count);
    for (size_t i = 0; i < count; i++) {
        if (only && presets[i].model != only) continue;
        if (json)
            json_own(json, &presets[i]);
        else
            printf("%-16s %-14s yours: %s\n", as_shown(presets[i].name), wadi_model_id(presets[i].model),
                   as_shown(run_user_preset_summary(&presets[i], summary)));
    }
    run_user_presets_free(presets, count);
    return status;
}

static wadi_status show_own(const char *name, bool as_json, bool *found) {
    user_preset preset;
    const wadi_status status = run_user_preset_find(name, found, &preset);
    json json = run_json_to(stdout, false);
    if (status == WADI_OK && *found && as_json) json_own(&json, &preset);
    if (status == WADI_OK && *found && !as_json) print_own(&preset);
    run_user_preset_free(&preset);
    return status;
}

int wadi_cmd_presets(int argc, char **argv) {
    presets_options given = {0};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&presets, argc, argv, &given, &arguments, &status)) return report_end(status);
    const wadi_model *model = given.model ? wadi_model_find(given.model) : NULL;
    if (given.model && !model) return report_end(WADI_ERROR_ARGUMENT);
    bool found = false;
    if (arguments.count) status = show_own(arguments.items[0], given.json, &found);
    if (found || status != WADI_OK) return report_end(status);
    const wadi_preset *preset = arguments.count ? wadi_preset_find(arguments.items[0], &model) : NULL;
    if (arguments.count && !preset) return report_end(WADI_ERROR_ARGUMENT);
    json json = run_json_to(stdout, false);
    if (preset && given.json) {
        json_preset(&json, model, preset);
    } else if (preset) {
        print_preset(model, preset);
    } else if (given.json) {
        run_json_array(&json, NULL);
        list(&json, model);
        status = list_own(&json, model);
        run_json_end(&json);
    } else {
        list(NULL, model);
        status = list_own(NULL, model);
        printf("\n'wadi presets NAME' tells what one sets.\n");
    }
    return report_end(status);
}
