/* simulation.c: the simulation of the page: made from a preset and settings, stepped, painted on and read. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "web/page.h"

static wadi_sim *now; /* of page_ground; NULL: none yet */
static const wadi_preset *preset;
static int64_t goal; /* steps that the preset lasts, with its knobs */
static float *field; /* width * height: what page_get gave last */

static size_t cells(void) { return (size_t)page_ground.width * (size_t)page_ground.height; }
static bool good(wadi_status status) { return status == WADI_OK; }
static wadi_status no_memory(void) { return wadi_fail(WADI_ERROR_MEMORY, "there is no memory for so many cells"); }

/* --- the definition --- */

/* One line, "knob NAME X" or "set NAME VALUE". */
static wadi_status apply_line(wadi_def *def, const char *line, size_t length) {
    char text[128], what[8], name[64], value[48];
    if (length >= sizeof text) return wadi_fail(WADI_ERROR_ARGUMENT, "a setting is too long");
    memcpy(text, line, length);
    text[length] = '\0';
    if (sscanf(text, "%7s %63s %47s", what, name, value) != 3)
        return wadi_fail(WADI_ERROR_ARGUMENT, "this is no setting: %s", text);
    if (strcmp(what, "set") == 0) return wadi_def_set_text(def, name, value);
    return wadi_def_knob(def, name, strtod(value, NULL));
}

/* Knobs come first, since they move from the preset's values. */
static wadi_status apply(wadi_def *def, const char *settings, const char *what) {
    wadi_status status = WADI_OK;
    for (const char *line = settings; *line != '\0' && status == WADI_OK;) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, what, strlen(what)) == 0) status = apply_line(def, line, length);
        line += length + (line[length] == '\n');
    }
    return status;
}

static wadi_status define(wadi_def *def, const page_terrain *ground, const wadi_model *model, double seed,
                          const char *settings) {
    *def = wadi_default_def(model, ground->width, ground->height, ground->lx, ground->ly);
    def->seed = (uint64_t)seed;
    def->threads = 1;
    def->crew = page_crew((size_t)ground->width * (size_t)ground->height);
    wadi_status status = wadi_def_preset(def, preset);
    if (status == WADI_OK) status = apply(def, settings, "knob ");
    return status == WADI_OK ? apply(def, settings, "set ") : status;
}

/* --- its life --- */

static wadi_status make_hardness(wadi_sim *sim, const page_terrain *ground, size_t count) {
    wadi_hardness how = wadi_default_hardness(ground->width, ground->height);
    how.seed = wadi_sim_def(sim)->seed;
    how.wrap = wadi_sim_def(sim)->boundary == WADI_WRAP;
    float *values = malloc(sizeof *values * count);
    if (values == NULL) return no_memory();
    wadi_status status = wadi_hardness_from_height(&how, ground->start, values);
    for (size_t i = 0; i < count; i++)
        if (isnan(values[i])) values[i] = 0;
    if (status == WADI_OK) status = wadi_sim_set(sim, "hardness", values, count);
    free(values);
    return status;
}

static wadi_status fill(wadi_sim *sim, const page_terrain *ground) {
    const size_t count = (size_t)ground->width * (size_t)ground->height;
    const wadi_status status = wadi_sim_set(sim, "height", ground->start, count);
    const bool made = preset->hardness != NULL && wadi_model_has_hardness(wadi_sim_def(sim)->model);
    return status == WADI_OK && made ? make_hardness(sim, ground, count) : status;
}

static wadi_status make(const page_terrain *ground, const wadi_model *model, double seed, const char *settings,
                        wadi_sim **sim) {
    wadi_def def;
    wadi_status status = define(&def, ground, model, seed, settings);
    if (status == WADI_OK) status = wadi_sim_create(&def, sim);
    return status == WADI_OK ? fill(*sim, ground) : status;
}

static void take_over(wadi_sim *sim, float *room) {
    wadi_sim_destroy(now);
    now = sim;
    goal = wadi_def_preset_steps(wadi_sim_def(sim), preset);
    free(field);
    field = room;
    if (page_next.start == NULL) return;
    free(page_ground.start);
    page_ground = page_next;
    page_next.start = NULL;
}

/* A new simulation, of the next terrain if there is one. If it fails, all stays as it was. */
PAGE_CALL bool page_create(const char *model_id, const char *preset_name, double seed, const char *settings) {
    const page_terrain *ground = page_next.start != NULL ? &page_next : &page_ground;
    const wadi_model *model = wadi_model_find(model_id);
    const wadi_preset *before = preset, *found = model != NULL ? wadi_preset_find(preset_name, &model) : NULL;
    wadi_sim *sim = NULL;
    preset = found;
    float *room = malloc(sizeof *room * (size_t)ground->width * (size_t)ground->height);
    if (found != NULL && (room != NULL || good(no_memory())) && good(make(ground, model, seed, settings, &sim))) {
        take_over(sim, room);
        return true;
    }
    preset = before;
    wadi_sim_destroy(sim);
    free(room);
    free(page_next.start);
    page_next.start = NULL;
    return false;
}

/* Those that stay as they are keep their maps. */
static wadi_status set_values(const double *values) {
    const wadi_def *def = wadi_sim_def(now);
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(def->model, &count);
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < count && status == WADI_OK; i++)
        if (values[i] != def->values[i]) status = wadi_sim_set_parameter(now, parameters[i].name, values[i]);
    return status;
}

/* Gives the running simulation the values of other settings. If one is refused, all stay as they were. */
PAGE_CALL bool page_adjust(const char *settings) {
    const wadi_def old = *wadi_sim_def(now);
    wadi_def def;
    if (!good(define(&def, &page_ground, old.model, (double)old.seed, settings))) return false;
    const wadi_status status = set_values(def.values);
    if (status == WADI_OK) {
        goal = wadi_def_preset_steps(&def, preset);
        return true;
    }
    char message[512];
    snprintf(message, sizeof message, "%s", wadi_error_message());
    set_values(old.values);
    return good(wadi_fail(status, "%s", message));
}

PAGE_CALL bool page_step(int count) { return good(wadi_sim_step(now, count)); }

/* A brush at `count` places, as x and y in cells. */
PAGE_CALL bool page_paint(int brush, double radius_m, double strength, double falloff, double level_m,
                          const double *places, int count) {
    wadi_dab *dabs = calloc((size_t)count, sizeof *dabs);
    if (dabs == NULL) return good(no_memory());
    for (int i = 0; i < count; i++)
        dabs[i] = (wadi_dab){.brush = (wadi_brush)brush,
                             .x = places[2 * i],
                             .y = places[2 * i + 1],
                             .radius_m = radius_m,
                             .strength = strength,
                             .falloff = falloff,
                             .level_m = level_m};
    const bool painted = good(wadi_sim_paint(now, dabs, (size_t)count));
    free(dabs);
    return painted;
}

/* --- what it says --- */

PAGE_CALL float *page_get(const char *name) { return good(wadi_sim_get(now, name, field, cells())) ? field : NULL; }

bool page_heights(float *heights, float *water) {
    return good(wadi_sim_get(now, "height", heights, cells())) && good(wadi_sim_get(now, "water", water, cells()));
}

PAGE_CALL const char *page_hash(const char *name) {
    static char hex[65];
    if (page_get(name) == NULL) return "";
    wadi_field_sha256(field, cells(), hex);
    return hex;
}

PAGE_CALL double page_steps(void) { return (double)wadi_sim_steps(now); }
PAGE_CALL double page_time(void) { return wadi_sim_time(now); }
PAGE_CALL int page_threads(void) { return wadi_sim_threads(now); }
PAGE_CALL double page_preset_steps(void) { return (double)goal; }

/* The value and the range of each parameter, in the order of the model's table. */
PAGE_CALL const char *page_values(void) {
    const wadi_def *def = wadi_sim_def(now);
    size_t count;
    wadi_model_parameters(def->model, &count);
    json out = page_json_begin();
    run_json_array(&out, NULL);
    for (size_t i = 0; i < count; i++) {
        double low, high;
        wadi_def_bounds(def, (int)i, &low, &high);
        run_json_object(&out, NULL);
        run_json_number(&out, "value", def->values[i]);
        run_json_number(&out, "low", low);
        run_json_number(&out, "high", high);
        run_json_end(&out);
    }
    run_json_end(&out);
    return page_json_end();
}

/* Solid in m3: how much was moved, and what the balance lacks. A warning, or null: of a time step that is too long. */
PAGE_CALL const char *page_figures(void) {
    wadi_mass mass;
    const bool known = good(wadi_sim_mass(now, &mass));
    const wadi_safety safety = wadi_sim_safety(now);
    json out = page_json_begin();
    run_json_object(&out, NULL);
    run_json_number(&out, "moved", known ? mass.moved : NAN);
    run_json_number(&out, "residual", known ? mass.solid.residual : NAN);
    run_json_text(&out, "warning", safety.warning);
    run_json_end(&out);
    return page_json_end();
}
