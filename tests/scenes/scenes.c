/* scenes.c: the models' scenes, found by model. */
#include "scenes/scenes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WADI_MODEL(id) extern const scene_kind scene_##id;
#include "models/models.def"
#undef WADI_MODEL

static const scene_kind *const kinds[] = {
#define WADI_MODEL(id) &scene_##id,
#include "models/models.def"
#undef WADI_MODEL
};

const scene_kind *scene_kind_of(const wadi_model *model) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->model, wadi_model_id(model)) == 0) return kinds[i];
    fprintf(stderr, "%s has no scene\n", wadi_model_id(model));
    abort();
}

double scene_value(const wadi_def *def, const char *parameter) {
    const int index = wadi_model_parameter_index(def->model, parameter);
    if (index >= 0) return def->values[index];
    fprintf(stderr, "%s\n", wadi_error_message());
    abort();
}

bool scene_chosen(const wadi_def *def, const char *parameter, const char *choice) {
    const double value = scene_value(def, parameter);
    size_t count;
    const char *const *choices =
        wadi_model_parameters(def->model, &count)[wadi_model_parameter_index(def->model, parameter)].choices;
    return strcmp(choices[(int)value], choice) == 0;
}
