/* measures.c: measures of the water and of the erosion, for docs/benchmarks.md.
 *
 *     measures NAME [--model ID] [--preset NAME] [--set NAME=VALUE]... [--size N[,N...]] [--cell M] [--scale
 * world|cell] [--seconds S]
 *              [--seeds N] [--threads N] [--engine NAME] [--terrain KIND] [--octaves N]
 *
 * Values of --set are those of a preset: they are scaled to the grid as the preset's own. */
#include "measures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char *message) {
    fprintf(stderr, "measures: %s\n", message);
    exit(1);
}

void check(wadi_status status) {
    if (status != WADI_OK) fail(wadi_error_message());
}

void *allocate(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) fail("not enough memory");
    return memory;
}

static int beyond; /* errors that exceed their bounds */

void expect(const char *what, double error, double bound) {
    if (fabs(error) <= bound) return;
    printf("    %s: an error of %g, at most %g expected\n", what, error, bound);
    beyond++;
}

/* --- random numbers --- */

static uint64_t draw_bits(uint64_t *seed) { /* splitmix64 */
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double draw(uint64_t *seed) { return ((double)(draw_bits(seed) >> 11) + 0.5) * 0x1p-53; }

double draw_normal(uint64_t *seed) {
    const double r = sqrt(-2 * log(draw(seed)));
    return r * cos(6.283185307179586 * draw(seed));
}

/* --- simulations --- */

void set(wadi_def *def, const char *name, double value) { check(wadi_def_set(def, name, value)); }
void choose(wadi_def *def, const char *name, const char *choice) { check(wadi_def_set_text(def, name, choice)); }

double value_of(const wadi_def *def, const char *name) {
    const int p = wadi_model_parameter_index(def->model, name);
    if (p < 0) fail(wadi_error_message());
    return def->values[p];
}

wadi_def define(const options *options, int width, int height, double l) {
    wadi_def def = wadi_default_def(options->model, width, height, l, l);
    def.allow_out_of_range = true;
    def.threads = options->threads;
    def.engine = options->engine;
    check(wadi_def_preset(&def, &options->preset));
    return def;
}

double seconds_of(const options *options, const wadi_def *def) {
    if (options->seconds > 0) return options->seconds;
    return (double)wadi_def_preset_steps(def, &options->preset) * value_of(def, "dt");
}

wadi_def define_water(const options *options, int width, int height, double l) {
    wadi_def def = define(options, width, height, l);
    choose(&def, "pipes", "8");
    choose(&def, "pipe_area", "depth");
    const char *const none[] = {"Ks", "Kd", "Ke", "rain"};
    for (int i = 0; i < 4; i++) set(&def, none[i], 0);
    if (wadi_model_has_hardness(def.model)) choose(&def, "thermal", "off");
    set(&def, "Fr", 100);
    set(&def, "g", 9.81);
    set(&def, "d_floor", 1e-6);
    def.boundary = WADI_OPEN;
    return def;
}

void set_step(wadi_def *def, double depth, double speed) {
    set(def, "A", depth * sqrt(def->lx * def->ly));
    set(def, "dt", fmin(wadi_def_safety(def).longest_dt_s, 0.7 * fmin(def->lx, def->ly) / speed));
}

float *hardness_of(const options *options, const float *heights, int width, int height) {
    if (options->preset.hardness == NULL || !wadi_model_has_hardness(options->model)) return NULL;
    float *values = allocate((size_t)width * (size_t)height, sizeof *values);
    const wadi_hardness how = wadi_default_hardness(width, height);
    check(wadi_hardness_from_height(&how, heights, values));
    return values;
}

wadi_sim *begin(const wadi_def *def, const float *heights, const float *hardness) {
    const size_t cells = (size_t)def->width * (size_t)def->height;
    wadi_sim *sim = NULL;
    check(wadi_sim_create(def, &sim));
    check(wadi_sim_set(sim, "height", heights, cells));
    if (hardness != NULL) check(wadi_sim_set(sim, "hardness", hardness, cells));
    return sim;
}

void run_for(wadi_sim *sim, double seconds) {
    check(wadi_sim_step(sim, llround(seconds / value_of(wadi_sim_def(sim), "dt"))));
}

float *field(const wadi_sim *sim, const char *name) {
    const wadi_def *def = wadi_sim_def(sim);
    const size_t cells = (size_t)def->width * (size_t)def->height;
    float *values = allocate(cells, sizeof *values);
    check(wadi_sim_get(sim, name, values, cells));
    return values;
}

void discharge_of(const wadi_sim *sim, float *across, float *down) {
    float *fL = field(sim, "fL"), *fR = field(sim, "fR"), *fT = field(sim, "fT"), *fB = field(sim, "fB");
    const wadi_def *def = wadi_sim_def(sim);
    const bool eight = value_of(def, "pipes") > 0;
    const int width = def->width;
    for (int y = 1; y < def->height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            const int i = y * width + x;
            const float diagonal = fT[i] + fT[i - width - 1], anti = fL[i] + fL[i - width + 1];
            across[i] = eight ? fR[i - 1] + fR[i] + diagonal - anti : fR[i - 1] - fL[i] + fR[i] - fL[i + 1];
            down[i] = eight ? fB[i - width] + fB[i] + diagonal + anti : fB[i - width] - fT[i] + fB[i] - fT[i + width];
        }
    free(fL);
    free(fR);
    free(fT);
    free(fB);
}

/* --- the command --- */

/* What is given on the command line, before it becomes `options`. */
enum { MOST_SETTINGS = 64 };
typedef struct request {
    const char *measure, *preset, *scale;
    char *settings[MOST_SETTINGS]; /* NAME=VALUE */
    int setting_count;
} request;

typedef struct measure {
    const char *name, *summary;
    void (*run)(const options *options);
} measure;

static const measure measures[] = {
    {"channel", "MacDonald's channels: steady flow of known depth, without rain and with it", measure_channel},
    {"flood", "tests 2 and 4 of the Environment Agency", measure_flood},
    {"isotropy", "gullies on a cone by direction; directions of strong flow on noise that is turned", measure_isotropy},
    {"plane", "a plane under steady rain, beside the kinematic wave", measure_plane},
    {"resolution", "one terrain in cells of several sizes: how alike the changes are", measure_resolution},
    {"valley", "the V-shaped catchment of Di Giammarco et al. 1996", measure_valley},
    {"waves", "waves over dry ground (Hunter et al. 2005)", measure_waves},
};
enum { MEASURES = sizeof measures / sizeof *measures };

static int usage(void) {
    fprintf(stderr, "usage: measures NAME [--model ID] [--preset NAME] [--set NAME=VALUE]... [--size N[,N...]]\n"
                    "           [--cell M] [--seconds S] [--seeds N] [--threads N] [--engine NAME] [--terrain KIND]\n"
                    "           [--octaves N]\n");
    for (int i = 0; i < MEASURES; i++) fprintf(stderr, "  %-11s %s\n", measures[i].name, measures[i].summary);
    return 2;
}

static double number(const char *text, double least) {
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= least && value < 1e9)) fail("a number is needed");
    return value;
}

static wadi_engine engine(const char *name) {
    for (int i = 0; wadi_engine_name((wadi_engine)i) != NULL; i++)
        if (strcmp(wadi_engine_name((wadi_engine)i), name) == 0) return (wadi_engine)i;
    fail("no engine of this name");
    return WADI_ENGINE_AUTO;
}

static void read_sizes(options *o, const char *text) {
    for (char *end; *text != '\0'; text = *end == ',' ? end + 1 : end) {
        const long size = strtol(text, &end, 10);
        if (end == text || size < 2 || size > 16384 || o->size_count == MOST_SIZES) fail("--size takes N[,N...]");
        o->sizes[o->size_count++] = (int)size;
    }
}

static void read_option(request *r, options *o, const char *name, char *value) {
    if (strcmp(name, "--model") == 0) {
        if ((o->model = wadi_model_find(value)) == NULL) fail(wadi_error_message());
    } else if (strcmp(name, "--preset") == 0) {
        r->preset = value;
    } else if (strcmp(name, "--scale") == 0) {
        r->scale = value;
    } else if (strcmp(name, "--set") == 0) {
        if (r->setting_count == MOST_SETTINGS) fail("too many settings");
        r->settings[r->setting_count++] = value;
    } else if (strcmp(name, "--size") == 0) {
        read_sizes(o, value);
    } else if (strcmp(name, "--cell") == 0) {
        o->cell_m = number(value, 1e-3);
    } else if (strcmp(name, "--seconds") == 0) {
        o->seconds = number(value, 1e-3);
    } else if (strcmp(name, "--seeds") == 0) {
        o->seeds = (int)number(value, 1);
    } else if (strcmp(name, "--threads") == 0) {
        o->threads = (int)number(value, 0);
    } else if (strcmp(name, "--octaves") == 0) {
        o->octaves = (int)number(value, 1);
    } else if (strcmp(name, "--engine") == 0) {
        o->engine = engine(value);
    } else if (strcmp(name, "--terrain") == 0) {
        o->terrain = value;
    } else {
        exit(usage());
    }
}

/* The preset with the settings at its end, where they count last. They live as long as the program. */
static void make_preset(const request *r, options *o) {
    static wadi_setting joined[2 * MOST_SETTINGS];
    size_t count = 0, presets;
    const wadi_preset *preset = r->preset != NULL ? wadi_preset_find(r->preset, &o->model) : NULL;
    if (r->preset != NULL && preset == NULL) fail(wadi_error_message());
    if (o->model == NULL) o->model = wadi_model_find("jako2011");
    o->preset = preset != NULL ? *preset : wadi_model_presets(o->model, &presets)[0];
    for (const wadi_setting *s = o->preset.settings; s->name != NULL && count < MOST_SETTINGS - 1; s++)
        joined[count++] = *s;
    wadi_def trial = wadi_default_def(o->model, 2, 2, 1, 1); /* refuses bad names and values */
    trial.allow_out_of_range = true;
    for (int i = 0; i < r->setting_count; i++) {
        char *equals = strchr(r->settings[i], '=');
        if (equals == NULL) fail("--set takes NAME=VALUE");
        *equals = '\0';
        choose(&trial, r->settings[i], equals + 1);
        joined[count++] = (wadi_setting){r->settings[i], equals + 1};
    }
    o->preset.settings = joined;
    if (r->scale != NULL) o->preset.scale = strcmp(r->scale, "cell") == 0 ? WADI_SCALE_CELL : WADI_SCALE_WORLD;
}

int main(int count, char **arguments) {
    request request = {.measure = count > 1 ? arguments[1] : ""};
    options options = {.seeds = 4, .terrain = "spectral"};
    for (int i = 2; i < count; i += 2) {
        if (i + 1 >= count) return usage();
        read_option(&request, &options, arguments[i], arguments[i + 1]);
    }
    make_preset(&request, &options);
    for (int i = 0; i < MEASURES; i++)
        if (strcmp(request.measure, measures[i].name) == 0) {
            measures[i].run(&options);
            return beyond > 0;
        }
    return usage();
}
