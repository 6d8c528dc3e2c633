/* scene.h: small scenes for the tests of models and engines. A scene has a definition, maps and sources, from which a
 * simulation starts. Also: bitwise comparison of whole states, and a random number generator that is the same on every
 * machine. */
#ifndef WADI_TESTS_SCENE_H
#define WADI_TESTS_SCENE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/model.h"
#include "sanitized.h"
#include "scenes/scenes.h"
#include "wadi/analysis.h"
#include "wadi/sim.h"

#define SCENE_FUNCTION __attribute__((unused)) static
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const char *const scene_boundaries[] = {"closed", "open", "wrap"};
static const wadi_engine scene_engines[] = {WADI_ENGINE_REFERENCE, WADI_ENGINE_CPU};

#define OK(call) \
    do { \
        if ((call) != WADI_OK) fail_msg("%s: %s", #call, wadi_error_message()); \
    } while (0)
#define REFUSED(call, expected, words) \
    do { \
        if ((call) != (expected)) fail_msg("%s: not refused as it should be: %s", #call, wadi_error_message()); \
        if (strstr(wadi_error_message(), words) == NULL) \
            fail_msg("%s: '%s' should be said in '%s'", #call, words, wadi_error_message()); \
    } while (0)

/* --- models --- */

#define MODELS ((int)wadi_model_count())
SCENE_FUNCTION const char *model_id(int m) { return wadi_model_id(wadi_model_at((size_t)m)); }

/* The models whose water flows in virtual pipes; the i-th of them, counted cyclically. */
SCENE_FUNCTION bool has_pipes(const wadi_model *model) {
    for (size_t p = 0; p < model->parameter_count; p++)
        if (strcmp(model->parameters[p].alias, "pipe-cross-section") == 0) return true;
    return false;
}
SCENE_FUNCTION int pipe_models(void) {
    int count = 0;
    for (int m = 0; m < MODELS; m++) count += has_pipes(wadi_model_at((size_t)m));
    return count;
}
SCENE_FUNCTION const char *pipe_model(int i) {
    int m = 0;
    for (int left = i % pipe_models();; m++)
        if (has_pipes(wadi_model_at((size_t)m)) && left-- == 0) return model_id(m);
}

SCENE_FUNCTION wadi_mass mass_of(const wadi_sim *sim) {
    wadi_mass mass;
    OK(wadi_sim_mass(sim, &mass));
    return mass;
}

/* --- numbers --- */

SCENE_FUNCTION uint32_t draw(uint32_t *seed) { /* xorshift and a product: the same on every machine */
    *seed = *seed * 747796405u + 2891336453u;
    const uint32_t word = ((*seed >> ((*seed >> 28) + 4)) ^ *seed) * 277803737u;
    return (word >> 22) ^ word;
}
SCENE_FUNCTION int draw_below(uint32_t *seed, int count) { return (int)(draw(seed) % (uint32_t)count); }
SCENE_FUNCTION float draw_unit(uint32_t *seed) { return (float)(draw(seed) >> 8) * 0x1p-24f; }

/* --- a scene --- */

#define SCENE_FIELDS 16
#define SCENE_SOURCES 4

typedef struct scene {
    wadi_def def;
    const char *name[SCENE_FIELDS]; /* the height first */
    float *field[SCENE_FIELDS];
    int fields;
    wadi_source source[SCENE_SOURCES];
    size_t sources;
} scene;

SCENE_FUNCTION size_t cells_of(const wadi_def *def) { return (size_t)def->width * (size_t)def->height; }

/* The scene's map of this name. A new one is all 0. */
SCENE_FUNCTION float *scene_field(scene *scene, const char *name) {
    for (int i = 0; i < scene->fields; i++)
        if (strcmp(scene->name[i], name) == 0) return scene->field[i];
    assert_true(scene->fields < SCENE_FIELDS);
    scene->name[scene->fields] = name;
    scene->field[scene->fields] = calloc(cells_of(&scene->def), sizeof(float));
    assert_non_null(scene->field[scene->fields]);
    return scene->field[scene->fields++];
}

SCENE_FUNCTION const scene_kind *kind_of(const scene *scene) { return scene_kind_of(scene->def.model); }

SCENE_FUNCTION void set(scene *scene, const char *name, double value) { OK(wadi_def_set(&scene->def, name, value)); }
SCENE_FUNCTION void choose(scene *scene, const char *name, const char *choice) {
    OK(wadi_def_set_text(&scene->def, name, choice));
}
/* Whether the model has the parameter. */
SCENE_FUNCTION bool has(const scene *scene, const char *parameter) {
    const wadi_parameter *rows = scene->def.model->parameters;
    for (size_t p = 0; p < scene->def.model->parameter_count; p++)
        if (strcmp(rows[p].name, parameter) == 0 || strcmp(rows[p].alias, parameter) == 0) return true;
    return false;
}
SCENE_FUNCTION void set_if(scene *scene, const char *name, double value) {
    if (has(scene, name)) set(scene, name, value);
}
SCENE_FUNCTION void choose_if(scene *scene, const char *name, const char *choice) {
    if (has(scene, name)) choose(scene, name, choice);
}

/* Values for cells of 1 m; a choice's index. */
SCENE_FUNCTION void set_scaled(scene *scene, int parameter, double value) {
    double low = 0, high = 0;
    wadi_def_bounds(&scene->def, parameter, &low, &high);
    scene->def.values[parameter] = value * (high / scene->def.model->parameters[parameter].maximum);
}
SCENE_FUNCTION void apply(scene *scene, const wadi_setting *settings) {
    for (; settings->name != NULL; settings++) {
        const int p = wadi_model_parameter_index(scene->def.model, settings->name);
        if (p < 0) fail_msg("%s: %s", kind_of(scene)->model, wadi_error_message());
        if (scene->def.model->parameters[p].choices != NULL)
            choose(scene, settings->name, settings->value);
        else
            set_scaled(scene, p, strtod(settings->value, NULL));
    }
}

/* The number of the model's forms, at least 1. */
SCENE_FUNCTION int forms(const wadi_model *model) {
    int count = 1;
    while (count < SCENE_FORMS && scene_kind_of(model)->forms[count].name != NULL) count++;
    return count;
}
SCENE_FUNCTION const scene_form *form_of(const scene *scene, int number) {
    return &kind_of(scene)->forms[number % forms(scene->def.model)];
}
SCENE_FUNCTION void choose_form(scene *scene, int number) { apply(scene, form_of(scene, number)->settings); }

/* Draws all choices. */
SCENE_FUNCTION void draw_choices(scene *scene, uint32_t *seed) {
    for (size_t p = 0; p < scene->def.model->parameter_count; p++) {
        const wadi_parameter *parameter = &scene->def.model->parameters[p];
        if (parameter->choices != NULL) scene->def.values[p] = draw_below(seed, (int)parameter->maximum + 1);
    }
}

/* Whether a rate is per second and not per step. */
SCENE_FUNCTION bool by_second(const scene *scene, const char *rate) {
    return scene->def.model->parameters[wadi_model_parameter_index(scene->def.model, rate)].time_power < 0;
}

SCENE_FUNCTION int time_step_of(const wadi_model *model) { return wadi_parameter_of(model, WADI_PARAMETER_TIME_STEP); }
SCENE_FUNCTION double *time_step(wadi_def *def) { return &def->values[time_step_of(def->model)]; }

/* Sets a step of at most so many sub-steps. The sub-steps of models differ in length. */
SCENE_FUNCTION void set_substeps(scene *scene, double most) {
    const wadi_safety safety = wadi_def_safety(&scene->def);
    const double longest = most * safety.longest_dt_s * (*time_step(&scene->def) / safety.dt_s); /* in its unit */
    if (*time_step(&scene->def) > longest) *time_step(&scene->def) = longest;
}
/* A step that takes three sub-steps, where the model has such. */
SCENE_FUNCTION void set_long_step(scene *scene) {
    double low, high;
    wadi_def_bounds(&scene->def, time_step_of(scene->def.model), &low, &high);
    const wadi_safety safety = wadi_def_safety(&scene->def);
    const double longest = safety.longest_dt_s * (*time_step(&scene->def) / safety.dt_s);
    if (2.5 * longest < high) *time_step(&scene->def) = 2.5 * longest;
}

/* Operations for a cell and step. They differ much between models. */
SCENE_FUNCTION double work_of(const wadi_def *def) {
    double each = 0;
    for (int s = 0; s < def->model->stage_count; s++) each += def->model->stages[s].operations;
    return each * wadi_def_safety(def).substeps;
}
/* `most` steps, or as many as the operations allow, but at least 40. */
SCENE_FUNCTION int steps_for(const scene *scene, int most, double operations) {
    const double steps = operations / work_of(&scene->def);
    return steps >= most ? most : steps < 40 ? 40 : (int)steps;
}

/* Makes uniform rain the only water. */
SCENE_FUNCTION void set_rain(scene *scene, double rate_m_s) {
    apply(scene, kind_of(scene)->only_rain);
    set_if(scene, "rain", rate_m_s);
}
/* Uniform rain instead of showers, which depend on the position. */
SCENE_FUNCTION void set_even_rain(scene *scene) {
    if (scene->def.model->showers != NULL) set_rain(scene, 0.01 * sqrt(scene->def.lx));
}

/* A flat terrain at 0 with closed borders, on the CPU engine with one thread. Parameters have the table's standard
 * values except for those of the scene, because presets are tuned by eye from time to time. */
SCENE_FUNCTION scene scene_of(const char *model, int width, int height, double l) {
    scene made = {.def = wadi_default_def(wadi_model_find(model), width, height, l, l)};
    assert_non_null(made.def.model);
    made.def.scale = WADI_SCALE_CELL;
    for (size_t p = 0; p < made.def.model->parameter_count; p++)
        set_scaled(&made, (int)p, made.def.model->parameters[p].standard);
    apply(&made, kind_of(&made)->plain);
    set_even_rain(&made);
    made.def.boundary = WADI_CLOSED;
    made.def.threads = 1;
    scene_field(&made, "height");
    return made;
}

SCENE_FUNCTION void scene_free(scene *scene) {
    for (int i = 0; i < scene->fields; i++) free(scene->field[i]);
    scene->fields = 0;
}

SCENE_FUNCTION void fill(float *values, const wadi_def *def, float value) {
    for (size_t i = 0; i < cells_of(def); i++) values[i] = value;
}

SCENE_FUNCTION void fill_random(float *values, const wadi_def *def, float low, float high, uint32_t seed) {
    for (size_t i = 0; i < cells_of(def); i++) values[i] = low + (high - low) * draw_unit(&seed);
}

/* One octave of noise: random numbers at every `spacing` cells, interpolated linearly. */
SCENE_FUNCTION void add_noise(float *values, const wadi_def *def, int spacing, float amplitude, uint32_t seed) {
    const int columns = def->width / spacing + 2, rows = def->height / spacing + 2;
    float *lattice = malloc((size_t)columns * (size_t)rows * sizeof *lattice);
    assert_non_null(lattice);
    for (int i = 0; i < columns * rows; i++) lattice[i] = amplitude * draw_unit(&seed);
    for (int y = 0; y < def->height; y++)
        for (int x = 0; x < def->width; x++) {
            const float u = (float)(x % spacing) / (float)spacing, v = (float)(y % spacing) / (float)spacing;
            const float *at = lattice + y / spacing * columns + x / spacing;
            const float above = at[0] + u * (at[1] - at[0]);
            const float below = at[columns] + u * (at[columns + 1] - at[columns]);
            values[y * def->width + x] += above + v * (below - above);
        }
    free(lattice);
}

/* Hills of three sizes. relief: about highest minus lowest, m. */
SCENE_FUNCTION void make_hills(scene *scene, float relief, uint32_t seed) {
    float *height = scene_field(scene, "height");
    add_noise(height, &scene->def, 11, 0.6f * relief, seed);
    add_noise(height, &scene->def, 4, 0.3f * relief, seed + 1);
    add_noise(height, &scene->def, 1, 0.1f * relief, seed + 2);
}

/* Removes the data of some cells, in a pattern. At least one cell keeps its data. */
SCENE_FUNCTION void drop_cells(scene *scene, int pattern, uint32_t *seed) {
    float *height = scene_field(scene, "height");
    const int w = scene->def.width, h = scene->def.height, kept = draw_below(seed, w * h),
              hole = draw_below(seed, w * h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const int i = y * w + x;
            const bool missing[] = {false, i == hole || i == w * h - 1, 3 * x + y < w, x == w / 2, i != kept};
            if (missing[pattern] && (i != kept)) height[i] = NAN;
        }
}
enum { HOLE_PATTERNS = 5 };

SCENE_FUNCTION void add_source(scene *scene, double x, double y, double radius_m, double rate_m3s) {
    assert_true(scene->sources < SCENE_SOURCES);
    scene->source[scene->sources++] = (wadi_source){x, y, radius_m, rate_m3s, 0, 1e18};
}

SCENE_FUNCTION bool has_speed(const scene *scene) { return wadi_field_of(scene->def.model, WADI_FIELD_SPEED) >= 0; }
/* Whether the scene's form has water. */
SCENE_FUNCTION bool takes_water(const scene *scene) {
    const wadi_model *model = scene->def.model;
    return wadi_process_on(model, model->processes(scene->def.values), WADI_PROCESS_WATER);
}
/* Random hardness, if the model has hardness. */
SCENE_FUNCTION void draw_hardness(scene *scene, float low, float high, uint32_t seed) {
    if (!wadi_model_has_hardness(scene->def.model)) return;
    fill_random(scene_field(scene, "hardness"), &scene->def, low, high, seed);
}

SCENE_FUNCTION wadi_sim *start(const scene *scene) {
    wadi_sim *sim = NULL;
    OK(wadi_sim_create(&scene->def, &sim));
    for (int i = 0; i < scene->fields; i++)
        OK(wadi_sim_set(sim, scene->name[i], scene->field[i], cells_of(&scene->def)));
    if (scene->sources > 0) OK(wadi_sim_set_sources(sim, scene->source, scene->sources));
    return sim;
}

SCENE_FUNCTION wadi_sim *run(const scene *scene, int64_t steps) {
    wadi_sim *sim = start(scene);
    OK(wadi_sim_step(sim, steps));
    return sim;
}

/* Reads a field of a simulation; to be freed. */
SCENE_FUNCTION float *field_of(const wadi_sim *sim, const char *name) {
    float *values = malloc(cells_of(wadi_sim_def(sim)) * sizeof *values);
    assert_non_null(values);
    OK(wadi_sim_get(sim, name, values, cells_of(wadi_sim_def(sim))));
    return values;
}

SCENE_FUNCTION uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return isnan(value) ? 0x7fc00000u : bits;
}

/* --- comparison of states --- */

#define STATE_FIELDS 40

SCENE_FUNCTION bool lasts(const wadi_sim *sim, int field) {
    const wadi_def *def = wadi_sim_def(sim);
    return wadi_kind_in(def->model, def->model->processes(def->values), field) != WADI_SCRATCH;
}

/* The names of all fields that a simulation returns, except scratch. */
SCENE_FUNCTION int state_fields(const wadi_sim *sim, const char *names[STATE_FIELDS]) {
    static const char *const derived[] = {"height", "water",   "sediment",   "flow", "velocity",
                                          "change", "erosion", "deposition", "mask"};
    const wadi_model *model = wadi_sim_def(sim)->model;
    int count = 0;
    for (int f = 0; f < model->field_count; f++)
        if (lasts(sim, f)) names[count++] = model->fields[f].name;
    for (int i = 0; i < COUNT(derived); i++)
        if (strcmp(derived[i], "velocity") != 0 || wadi_field_of(model, WADI_FIELD_SPEED) >= 0)
            names[count++] = derived[i];
    if (wadi_model_has_hardness(model)) names[count++] = "hardness";
    return count;
}

SCENE_FUNCTION void assert_same_mass(const wadi_mass *a, const wadi_mass *b, const char *what) {
    const double one[] = {a->solid.residual,    a->water.residual,    a->moved,     a->rained,   a->evaporated,
                          a->water_over_border, a->solid_over_border, a->exchanged, a->advected, a->solid.after,
                          a->water.after,       a->infiltrated};
    const double two[] = {b->solid.residual,    b->water.residual,    b->moved,     b->rained,   b->evaporated,
                          b->water_over_border, b->solid_over_border, b->exchanged, b->advected, b->solid.after,
                          b->water.after,       b->infiltrated};
    for (int i = 0; i < COUNT(one); i++)
        if (!(one[i] <= two[i] && one[i] >= two[i])) fail_msg("%s: mass %d: %.17g and %.17g", what, i, one[i], two[i]);
}

/* Asserts equal bits of the state and all that is derived from it, without the mass balance. */
SCENE_FUNCTION void assert_same_fields(const wadi_sim *a, const wadi_sim *b, const char *what) {
    const char *names[STATE_FIELDS];
    const int count = state_fields(a, names), width = wadi_sim_def(a)->width;
    for (int f = 0; f < count; f++) {
        float *one = field_of(a, names[f]), *two = field_of(b, names[f]);
        for (size_t i = 0; i < cells_of(wadi_sim_def(a)); i++)
            if (bits_of(one[i]) != bits_of(two[i]))
                fail_msg("%s: %s at (%d, %d): %.9g and %.9g", what, names[f], (int)i % width, (int)i / width,
                         (double)one[i], (double)two[i]);
        free(one);
        free(two);
    }
    assert_true(wadi_sim_steps(a) == wadi_sim_steps(b));
}

/* The same with the mass balance. */
SCENE_FUNCTION void assert_same_state(const wadi_sim *a, const wadi_sim *b, const char *what) {
    assert_same_fields(a, b, what);
    const wadi_mass mine = mass_of(a), theirs = mass_of(b);
    assert_same_mass(&mine, &theirs, what);
}

/* --- a checkpoint in memory --- */

typedef struct tape {
    uint8_t *bytes;
    size_t size, room, at;
} tape;

SCENE_FUNCTION wadi_status record(void *context, const void *bytes, size_t count) {
    tape *tape = context;
    if (tape->size + count > tape->room) {
        tape->room = 2 * (tape->size + count);
        tape->bytes = realloc(tape->bytes, tape->room);
        assert_non_null(tape->bytes);
    }
    memcpy(tape->bytes + tape->size, bytes, count);
    tape->size += count;
    return WADI_OK;
}

SCENE_FUNCTION wadi_status play(void *context, void *bytes, size_t count) {
    tape *tape = context;
    if (count > tape->size - tape->at) return wadi_fail(WADI_ERROR_FORMAT, "the tape ends");
    memcpy(bytes, tape->bytes + tape->at, count);
    tape->at += count;
    return WADI_OK;
}

/* --- figures --- */

SCENE_FUNCTION double sum_of(const float *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += isnan(values[i]) ? 0 : (double)values[i];
    return sum;
}

SCENE_FUNCTION float largest_of(const float *values, size_t count) {
    float largest = -INFINITY;
    for (size_t i = 0; i < count; i++) largest = values[i] > largest ? values[i] : largest;
    return largest;
}

SCENE_FUNCTION double rms_of(const float *values, size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += isnan(values[i]) ? 0 : (double)values[i] * (double)values[i];
    return sqrt(sum / (double)count);
}

#endif
