/* models.c: wadi models: the models and their parameter tables, for people or as JSON. */
#include "options.h"

#include "run/json.h"
#include "run/message.h"
#include "run/option.h"
#include "run/text.h"

#include "wadi/sim.h"

#include <stdlib.h>
#include <string.h>

typedef struct models_options {
    bool json;
} models_options;

#define ROW(...) OPTION_ROW(models_options, __VA_ARGS__)
static const option options[] = {
    ROW(FLAG, "json", json, NULL, .help = "as JSON"),
    {0},
};

static const command models = {
    .name = "models",
    .usage = "[ID] [--json]",
    .summary =
        "Lists the erosion models, or the parameters of one. Ranges and defaults are for 512 x 512 cells of 1 m; "
        "a run scales them to its own terrain ('wadi help presets').",
    .options = options,
    .arguments = "ID",
    .arguments_to = 1,
};

/* A value in the form that --set accepts. */
static const char *value_text(const wadi_parameter *parameter, double value, char text[32]) {
    if (parameter->choices) return parameter->choices[(int)value];
    snprintf(text, 32, "%.6g", value);
    return text;
}

/* The definition of a run without settings: the first preset, for a terrain that needs no scaling. */
static wadi_def default_def(const wadi_model *model) { return wadi_default_def(model, 512, 512, 1, 1); }

static const char *range_text(const wadi_parameter *parameter, char text[256]) {
    *text = '\0';
    if (!parameter->choices) run_text_add(text, 256, "%.6g to %.6g", parameter->minimum, parameter->maximum);
    for (const char *const *choice = parameter->choices; choice && *choice; choice++)
        run_text_add(text, 256, "%s%s", *text ? ", " : "", *choice);
    return text;
}

static void print_parameter(const wadi_parameter *parameter, double value) {
    char standard[32], taken[32], range[256], name[64];
    const char *unit = strcmp(parameter->unit, "1") == 0 || parameter->choices ? "" : parameter->unit;
    bool apart = parameter->alias && strcmp(parameter->alias, parameter->name) != 0;
    snprintf(name, sizeof name, "%s%s%s", parameter->name, apart ? ", " : "", apart ? parameter->alias : "");
    printf("  %-34s %-11s %-11s %s%s%s%s\n", name, value_text(parameter, value, taken),
           value_text(parameter, parameter->standard, standard), range_text(parameter, range), *unit ? " " : "", unit,
           parameter->per_cell ? "; or @map" : "");
    printf("  %34s %s (%s)\n", "", parameter->meaning, parameter->source);
}

static void print_knobs(const wadi_model *model) {
    size_t count;
    const wadi_knob *knobs = wadi_model_knobs(model, &count);
    if (count > 0) printf("\n  knobs, 0 to 1; at 0.5 is the preset\n");
    for (size_t i = 0; i < count; i++) {
        char moves[256] = "";
        for (const wadi_knob_move *move = knobs[i].moves; move->parameter; move++)
            run_text_add(moves, sizeof moves, "%s%s", *moves ? ", " : "", move->parameter);
        printf("  %-20s %s (%s)\n", knobs[i].name, knobs[i].meaning, moves);
    }
}

static void print_model(const wadi_model *model) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    printf("%s: %s\n%s\n", wadi_model_id(model), wadi_model_title(model), wadi_model_citation(model));
    size_t preset_count;
    const wadi_preset *presets = wadi_model_presets(model, &preset_count);
    const wadi_def def = default_def(model);
    printf("A run takes preset '%s' unless told otherwise: border %s, and the values of the first column.\n"
           "An input with a CRS takes preset '%s'. Values are for 512 x 512 cells of 1 m.\n\n",
           presets[0].name, run_boundary_names[def.boundary], wadi_preset_georeferenced(model)->name);
    printf("  %-34s %-11s %-11s %s\n", "parameter", presets[0].name, "standard", "range");
    for (size_t i = 0; i < count; i++) print_parameter(&parameters[i], def.values[i]);
    printf("\n  presets\n");
    for (size_t i = 0; i < preset_count; i++) printf("  %-20s %s\n", presets[i].name, presets[i].summary);
    print_knobs(model);
}

static void json_parameter(json *json, const wadi_parameter *parameter, double value) {
    char text[32];
    run_json_object(json, NULL);
    run_json_text(json, "name", parameter->name);
    run_json_text(json, "alias", parameter->alias);
    run_json_text(json, "unit", parameter->unit);
    if (parameter->choices) {
        run_json_text(json, "default", value_text(parameter, value, text));
        run_json_text(json, "standard", value_text(parameter, parameter->standard, text));
        run_json_array(json, "choices");
        for (const char *const *choice = parameter->choices; *choice; choice++) run_json_text(json, NULL, *choice);
        run_json_end(json);
    } else {
        run_json_number(json, "minimum", parameter->minimum);
        run_json_number(json, "default", value);
        run_json_number(json, "standard", parameter->standard);
        run_json_number(json, "maximum", parameter->maximum);
    }
    run_json_integer(json, "length_power", parameter->length_power);
    run_json_integer(json, "time_power", parameter->time_power);
    run_json_integer(json, "cell_power", parameter->cell_power);
    run_json_bool(json, "per_cell", parameter->per_cell);
    run_json_text(json, "meaning", parameter->meaning);
    run_json_text(json, "source", parameter->source);
    run_json_end(json);
}

static void json_move(json *json, const wadi_knob_move *move) {
    run_json_object(json, NULL);
    run_json_text(json, "parameter", move->parameter);
    if (move->factor > 0) {
        run_json_number(json, "factor", move->factor);
    } else {
        run_json_number(json, "low", move->low);
        run_json_number(json, "high", move->high);
    }
    run_json_end(json);
}

static void json_knobs(json *json, const wadi_model *model) {
    size_t count;
    const wadi_knob *knobs = wadi_model_knobs(model, &count);
    run_json_array(json, "knobs");
    for (size_t i = 0; i < count; i++) {
        run_json_object(json, NULL);
        run_json_text(json, "name", knobs[i].name);
        run_json_text(json, "meaning", knobs[i].meaning);
        run_json_array(json, "moves");
        for (const wadi_knob_move *move = knobs[i].moves; move->parameter; move++) json_move(json, move);
        run_json_end(json);
        run_json_end(json);
    }
    run_json_end(json);
}

static void json_model(json *json, const wadi_model *model) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    run_json_object(json, NULL);
    run_json_text(json, "id", wadi_model_id(model));
    run_json_text(json, "title", wadi_model_title(model));
    run_json_text(json, "citation", wadi_model_citation(model));
    const wadi_def def = default_def(model);
    run_json_text(json, "boundary", run_boundary_names[def.boundary]);
    run_json_bool(json, "hardness", wadi_model_has_hardness(model));
    run_json_array(json, "parameters");
    for (size_t i = 0; i < count; i++) json_parameter(json, &parameters[i], def.values[i]);
    run_json_end(json);
    const wadi_preset *presets = wadi_model_presets(model, &count);
    run_json_text(json, "default_preset", presets[0].name);
    run_json_array(json, "presets");
    for (size_t i = 0; i < count; i++) run_json_text(json, NULL, presets[i].name);
    run_json_end(json);
    json_knobs(json, model);
    run_json_end(json);
}

static void list_models(void) {
    for (size_t i = 0; i < wadi_model_count(); i++) {
        const wadi_model *model = wadi_model_at(i);
        printf("%-14s %s\n%-14s %s\n", wadi_model_id(model), wadi_model_title(model), "", wadi_model_citation(model));
    }
    printf("\n'wadi models ID' lists one's parameters.\n");
}

int wadi_cmd_models(int argc, char **argv) {
    models_options given = {0};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&models, argc, argv, &given, &arguments, &status)) return report_end(status);
    const wadi_model *model = arguments.count ? wadi_model_find(arguments.items[0]) : NULL;
    if (arguments.count && !model) return report_end(WADI_ERROR_ARGUMENT);
    json json = run_json_to(stdout, false);
    if (given.json && model) {
        json_model(&json, model);
    } else if (given.json) {
        run_json_array(&json, NULL);
        for (size_t i = 0; i < wadi_model_count(); i++) json_model(&json, wadi_model_at(i));
        run_json_end(&json);
    } else if (model) {
        print_model(model);
    } else {
        list_models();
    }
    return EXIT_DONE;
}
