#include "adjust.h"

#include "array.h"
#include "fail.h"
#include "option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(double a, double b) { return !(a < b) && !(a > b); }

/* Whether the parameter is for a whole run: no preset in its midst changes it. */
static bool is_whole_run(const wadi_model *model, int index) {
    size_t count;
    return strcmp(wadi_model_parameters(model, &count)[index].name, "track_sliding") == 0;
}

static void set_all(double *values, int count, double value) {
    for (int i = 0; i < count; i++) values[i] = value;
}

adjustment *run_adjustment_new(void) {
    adjustment *made = run_array_new(1, sizeof *made);
    if (!made) return NULL;
    set_all(made->knobs, WADI_MAX_KNOBS, (double)NAN);
    set_all(made->values, WADI_MAX_PARAMETERS, (double)NAN);
    return made;
}

void run_adjustment_free(adjustment *adjustment) {
    if (!adjustment) return;
    for (int i = 0; i < 2; i++) run_text_list_free(&adjustment->texts[i]);
    free(adjustment->preset);
    free(adjustment);
}

adjustment *run_adjustment_copy(const adjustment *from) {
    adjustment *copy = run_array_copy(from, 1, sizeof *from);
    if (!copy) return NULL;
    copy->preset = from->preset ? run_text_copy(from->preset) : NULL;
    bool whole = copy->preset || !from->preset;
    for (int i = 0; i < 2; i++) {
        copy->texts[i] = (text_list){0};
        for (size_t k = 0; k < from->texts[i].count && whole; k++)
            whole = run_text_list_add(&copy->texts[i], from->texts[i].items[k]) == WADI_OK;
    }
    if (whole) return copy;
    run_adjustment_free(copy);
    return NULL;
}

/* The given ones of `from`. */
static void take_given(const double *from, double *to, int count) {
    for (int i = 0; i < count; i++)
        if (is_finite(from[i])) to[i] = from[i];
}

void run_adjustment_join(adjustment *first, adjustment *then) {
    if (then->preset) set_all(first->knobs, WADI_MAX_KNOBS, (double)NAN);
    take_given(then->knobs, first->knobs, WADI_MAX_KNOBS);
    take_given(then->values, first->values, WADI_MAX_PARAMETERS);
    if (then->preset) {
        free(first->preset);
        first->preset = then->preset;
        then->preset = NULL;
    }
    run_adjustment_free(then);
}

/* --- texts of a recipe --- */

static wadi_status settle_knob(adjustment *adjustment, const wadi_model *model, bool repeats, const char *text) {
    const char *equals = strchr(text, '=');
    char name[64];
    double position;
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    const int index = wadi_model_knob_index(model, name);
    if (index < 0) return repeats ? WADI_OK : WADI_ERROR_ARGUMENT;
    if (!run_parse_number(equals + 1, &position) || !(position >= 0 && position <= 1))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a position from 0 to 1 is wanted; 0.5 is the preset", name);
    adjustment->knobs[index] = position;
    return WADI_OK;
}

static wadi_status settle_value(adjustment *adjustment, wadi_def *scratch, const char *text) {
    const char *equals = strchr(text, '=');
    char name[64]; /* longer than that of any parameter */
    snprintf(name, sizeof name, "%.*s", (int)(equals - text), text);
    const int index = wadi_model_parameter_index(scratch->model, name);
    const double before = index >= 0 ? scratch->values[index] : 0;
    const wadi_status status = wadi_def_set_text(scratch, name, equals + 1);
    if (status != WADI_OK) return status;
    if (is_whole_run(scratch->model, index) && !same(before, scratch->values[index]))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is for a whole run; set it before the first step", name);
    adjustment->values[index] = scratch->values[index];
    return WADI_OK;
}

wadi_status run_adjustment_settle(adjustment *adjustment, const wadi_def *def, bool repeats) {
    wadi_def scratch = *def;
    const text_list *knobs = &adjustment->texts[ADJUST_KNOBS], *values = &adjustment->texts[ADJUST_VALUES];
    const wadi_model *model = def->model;
    wadi_status status = WADI_OK;
    if (adjustment->preset && !wadi_preset_find(adjustment->preset, &model)) status = WADI_ERROR_ARGUMENT;
    for (size_t i = 0; i < knobs->count && status == WADI_OK; i++)
        status = settle_knob(adjustment, def->model, repeats, knobs->items[i]);
    for (size_t i = 0; i < values->count && status == WADI_OK; i++)
        status = settle_value(adjustment, &scratch, values->items[i]);
    return status;
}

/* --- what a preset and knobs give --- */

wadi_status run_adjustment_resolve(adjustment *adjustment, const settings_now *now) {
    wadi_def from = now->def, to = now->def;
    const wadi_model *model = now->def.model;
    const wadi_preset *preset = adjustment->preset ? wadi_preset_find(adjustment->preset, &model) : now->preset;
    double positions[WADI_MAX_KNOBS];
    size_t count;
    wadi_model_parameters(model, &count);
    if (!preset) return adjustment->preset ? WADI_ERROR_ARGUMENT : WADI_OK;
    memcpy(positions, now->def.knobs, sizeof positions);
    if (adjustment->preset) set_all(positions, WADI_MAX_KNOBS, 0.5);
    take_given(adjustment->knobs, positions, WADI_MAX_KNOBS);
    wadi_status status = wadi_def_knobs(&to, preset, positions);
    if (status == WADI_OK && now->preset) status = wadi_def_knobs(&from, now->preset, now->def.knobs);
    if (status != WADI_OK) return status;
    for (size_t i = 0; i < count; i++) {
        const bool by_hand = !adjustment->preset && !same(now->def.values[i], from.values[i]);
        const bool stays =
            by_hand || now->is_map[i] || is_whole_run(model, (int)i) || same(to.values[i], now->def.values[i]);
        if (!stays && !is_finite(adjustment->values[i])) adjustment->values[i] = to.values[i];
    }
    return WADI_OK;
}

void run_adjustment_follow(const adjustment *adjustment, settings_now *now) {
    const wadi_model *model = now->def.model;
    if (adjustment->preset) set_all(now->def.knobs, WADI_MAX_KNOBS, 0.5);
    take_given(adjustment->knobs, now->def.knobs, WADI_MAX_KNOBS);
    take_given(adjustment->values, now->def.values, WADI_MAX_PARAMETERS);
    for (int i = 0; i < WADI_MAX_PARAMETERS; i++) now->is_map[i] = now->is_map[i] && !is_finite(adjustment->values[i]);
    if (adjustment->preset) now->preset = wadi_preset_find(adjustment->preset, &model);
}

/* --- the simulation --- */

static wadi_status set_values(const wadi_parameter *parameters, const double *values, int count, int *done,
                              wadi_sim *sim) {
    wadi_status status = WADI_OK;
    for (*done = 0; *done < count && status == WADI_OK; ++*done)
        if (is_finite(values[*done])) status = wadi_sim_set_parameter(sim, parameters[*done].name, values[*done]);
    return status;
}

wadi_status run_adjustment_apply(const adjustment *adjustment, wadi_sim *sim) {
    const wadi_def before = *wadi_sim_def(sim);
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(before.model, &count);
    int done, undone;
    const wadi_status status = set_values(parameters, adjustment->values, (int)count, &done, sim);
    if (status == WADI_OK) return WADI_OK;
    char message[512];
    snprintf(message, sizeof message, "%s", wadi_error_message());
    double back[WADI_MAX_PARAMETERS];
    for (int i = 0; i < done; i++) back[i] = is_finite(adjustment->values[i]) ? before.values[i] : (double)NAN;
    set_values(parameters, back, done - 1, &undone, sim); /* the last one was refused */
    return wadi_fail(status, "%s", message);
}

/* --- files --- */

static size_t count_given(const double *values, size_t count) {
    size_t given = 0;
    for (size_t i = 0; i < count; i++) given += is_finite(values[i]);
    return given;
}

void run_adjustment_write(json *json, const adjustment *adjustment, const wadi_model *model) {
    size_t count, knob_count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    const wadi_knob *knobs = wadi_model_knobs(model, &knob_count);
    if (adjustment->preset) run_json_text(json, "preset", adjustment->preset);
    const bool moved = count_given(adjustment->knobs, knob_count) > 0;
    if (moved) run_json_object(json, "knobs");
    for (size_t i = 0; i < knob_count; i++)
        if (is_finite(adjustment->knobs[i])) run_json_number(json, knobs[i].name, adjustment->knobs[i]);
    if (moved) run_json_end(json);
    if (count_given(adjustment->values, count) == 0) return;
    run_json_object(json, "set");
    for (size_t i = 0; i < count; i++) {
        const double value = adjustment->values[i];
        if (!is_finite(value)) continue;
        if (parameters[i].choices)
            run_json_text(json, parameters[i].name, parameters[i].choices[(int)value]);
        else
            run_json_number(json, parameters[i].name, value);
    }
    run_json_end(json);
}

#define KNOB_MARK "knob " /* before the name of a knob, among those of parameters */

static void put_given(note *note, const char *mark, const char *name, double value) {
    char text[80];
    if (!is_finite(value)) return;
    snprintf(text, sizeof text, "%s%s", mark, name);
    run_note_put_text(note, text);
    run_note_put_double(note, value);
}

void run_named_put(note *note, const wadi_model *model, const double *knobs, const double *values) {
    size_t count, knob_count;
    const wadi_parameter *parameters = wadi_model_parameters(model, &count);
    const wadi_knob *rows = wadi_model_knobs(model, &knob_count);
    run_note_put_integer(note, count_given(values, count) + count_given(knobs, knob_count));
    for (size_t i = 0; i < count; i++) put_given(note, "", parameters[i].name, values[i]);
    for (size_t i = 0; i < knob_count; i++) put_given(note, KNOB_MARK, rows[i].name, knobs[i]);
}

/* The place of a parameter or a knob; NULL: none has this name. */
static double *place_of(const wadi_model *model, const char *name, double *knobs, double *values) {
    const size_t mark = strlen(KNOB_MARK);
    const bool is_knob = strncmp(name, KNOB_MARK, mark) == 0;
    const int index = is_knob ? wadi_model_knob_index(model, name + mark) : wadi_model_parameter_index(model, name);
    if (index < 0) return NULL;
    return is_knob ? &knobs[index] : &values[index];
}

void run_named_take(note *note, const wadi_model *model, double *knobs, double *values) {
    const size_t count = run_note_take_count(note);
    for (size_t i = 0; i < count && !note->broken; i++) {
        char *name = run_note_take_text(note);
        double *place = name ? place_of(model, name, knobs, values) : NULL;
        const double value = run_note_take_double(note);
        if (place)
            *place = value;
        else
            note->broken = true;
        free(name);
    }
}
