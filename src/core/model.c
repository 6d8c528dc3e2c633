/* model.c: the list of models, and look-ups in their tables. */
#include "core/model.h"

#include <string.h>

#define WADI_MODEL(id) extern const wadi_model wadi_model_##id;
#include "models/models.def"
#undef WADI_MODEL

#define WADI_MODEL(id) &wadi_model_##id,
static const wadi_model *const models[] = {
#include "models/models.def"
};
#undef WADI_MODEL
#define MODEL_COUNT (sizeof models / sizeof *models)
#define MAX_NAMES 256

size_t wadi_model_count(void) { return MODEL_COUNT; }
const wadi_model *wadi_model_at(size_t index) { return index < MODEL_COUNT ? models[index] : NULL; }

/* "unknown model 'X': did you mean 'Y'?", or where to find the names */
static void fail_unknown(const char *what, const char *name, const char *const *names, size_t count, const char *list) {
    const char *nearest = wadi_nearest_name(name, names, count);
    if (nearest != NULL)
        wadi_fail(WADI_ERROR_ARGUMENT, "unknown %s '%s': did you mean '%s'?", what, name, nearest);
    else
        wadi_fail(WADI_ERROR_ARGUMENT, "unknown %s '%s': %s lists them", what, name, list);
}

const wadi_model *wadi_model_find(const char *id) {
    if (id == NULL) {
        wadi_fail(WADI_ERROR_ARGUMENT, "no model's name given");
        return NULL;
    }
    const char *names[MODEL_COUNT];
    for (size_t i = 0; i < MODEL_COUNT; i++) {
        names[i] = models[i]->id;
        if (strcmp(id, names[i]) == 0) return models[i];
    }
    fail_unknown("model", id, names, MODEL_COUNT, "'wadi models'");
    return NULL;
}

const char *wadi_model_id(const wadi_model *model) { return model != NULL ? model->id : NULL; }
const char *wadi_model_title(const wadi_model *model) { return model != NULL ? model->title : NULL; }
const char *wadi_model_citation(const wadi_model *model) { return model != NULL ? model->citation : NULL; }
wadi_boundary wadi_model_boundary(const wadi_model *model) { return model != NULL ? model->boundary : WADI_CLOSED; }
bool wadi_model_has_hardness(const wadi_model *model) {
    return model != NULL && wadi_field_of(model, WADI_FIELD_HARDNESS) >= 0;
}
bool wadi_model_has_ice(const wadi_model *model) { return model != NULL && wadi_field_of(model, WADI_FIELD_ICE) >= 0; }
bool wadi_model_has_uplift(const wadi_model *model) {
    return model != NULL && wadi_parameter_of(model, WADI_PARAMETER_UPLIFT) >= 0;
}

const wadi_parameter *wadi_model_parameters(const wadi_model *model, size_t *count) {
    if (count != NULL) *count = model != NULL ? model->parameter_count : 0;
    return model != NULL ? model->parameters : NULL;
}

int wadi_model_parameter_index(const wadi_model *model, const char *name) {
    if (model == NULL || name == NULL) {
        wadi_fail(WADI_ERROR_ARGUMENT, "no parameter's name, or no model, given");
        return -1;
    }
    const char *names[2 * WADI_MAX_PARAMETERS];
    size_t count = 0;
    for (size_t i = 0; i < model->parameter_count; i++) {
        const wadi_parameter *parameter = &model->parameters[i];
        if (strcmp(name, parameter->name) == 0 || strcmp(name, parameter->alias) == 0) return (int)i;
        names[count++] = parameter->name;
        names[count++] = parameter->alias;
    }
    char list[64] = "'wadi models ";
    strncat(list, model->id, 40);
    strcat(list, "'");
    fail_unknown("parameter", name, names, count, list);
    return -1;
}

const wadi_preset *wadi_model_presets(const wadi_model *model, size_t *count) {
    if (count != NULL) *count = model != NULL ? model->preset_count : 0;
    return model != NULL ? model->presets : NULL;
}

const wadi_knob *wadi_model_knobs(const wadi_model *model, size_t *count) {
    if (count != NULL) *count = model != NULL ? model->knob_count : 0;
    return model != NULL ? model->knobs : NULL;
}

int wadi_model_knob_index(const wadi_model *model, const char *name) {
    if (model == NULL || name == NULL) {
        wadi_fail(WADI_ERROR_ARGUMENT, "no knob's name, or no model, given");
        return -1;
    }
    const char *names[WADI_MAX_KNOBS];
    for (size_t i = 0; i < model->knob_count; i++) {
        names[i] = model->knobs[i].name;
        if (strcmp(name, names[i]) == 0) return (int)i;
    }
    char list[64] = "'wadi models ";
    strncat(list, model->id, 40);
    strcat(list, "'");
    fail_unknown("knob", name, names, model->knob_count, list);
    return -1;
}

static bool has_alias(const wadi_preset *preset, const char *name) {
    for (const char *const *alias = preset->aliases; alias != NULL && *alias != NULL; alias++)
        if (strcmp(name, *alias) == 0) return true;
    return false;
}

static const wadi_preset *find_in(const wadi_model *model, const char *name, bool by_alias) {
    for (size_t i = 0; i < model->preset_count; i++) {
        const wadi_preset *preset = &model->presets[i];
        if (by_alias ? has_alias(preset, name) : strcmp(name, preset->name) == 0) return preset;
    }
    return NULL;
}

static void fail_preset(const char *name, const wadi_model *model) {
    const char *names[MAX_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < MODEL_COUNT; i++)
        for (size_t j = 0; j < models[i]->preset_count && count < MAX_NAMES; j++)
            if (model == NULL || model == models[i]) names[count++] = models[i]->presets[j].name;
    fail_unknown("preset", name, names, count, "'wadi presets'");
}

/* A name counts before any alias. */
const wadi_preset *wadi_preset_find(const char *name, const wadi_model **model) {
    if (name == NULL || model == NULL) {
        wadi_fail(WADI_ERROR_ARGUMENT, "no preset's name, or no place for its model, given");
        return NULL;
    }
    for (size_t i = 0; i < 2 * MODEL_COUNT; i++) {
        const wadi_model *at = models[i % MODEL_COUNT];
        const wadi_preset *preset = *model == NULL || *model == at ? find_in(at, name, i >= MODEL_COUNT) : NULL;
        if (preset == NULL) continue;
        *model = at;
        return preset;
    }
    fail_preset(name, *model);
    return NULL;
}

const wadi_preset *wadi_preset_georeferenced(const wadi_model *model) {
    for (size_t i = 0; model != NULL && i < model->preset_count; i++)
        if (model->presets[i].georeferenced) return &model->presets[i];
    return NULL;
}

int wadi_model_field(const wadi_model *model, const char *name) {
    for (int i = 0; i < model->field_count; i++)
        if (strcmp(name, model->fields[i].name) == 0) return i;
    return -1;
}
