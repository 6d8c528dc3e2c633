/* If values within their ranges make a run dig without end, there is a warning before it starts. labels: physics */
#include "scene.h"

#define SIDE 32
#define RELIEF 12
#define WORK 1700 /* most steps times sub-steps of a run */

static const struct {
    const char *id;
    int runs;
} models[] = {{"neidhold2005", 80}, {"olsen2004", 800}, {"swenson2018", 800}};

/* An end of the range, or a value between, on a logarithmic scale. */
static double draw_value(const wadi_def *def, int parameter, uint32_t *seed) {
    const wadi_parameter *row = &def->model->parameters[parameter];
    if (row->choices != NULL) return draw_below(seed, (int)row->maximum + 1);
    double low, high;
    wadi_def_bounds(def, parameter, &low, &high);
    const double least = low > 0 ? low : high * 1e-4, at = (double)draw_unit(seed);
    const int kind = draw_below(seed, 4);
    return kind == 0 ? low : kind == 1 ? high : least * pow(high / least, at);
}

/* A preset with one or two random parameters; `what` names them. */
static scene draw_scene(const char *model, uint32_t *seed, char *what, size_t room) {
    scene made = scene_of(model, SIDE, SIDE, 1);
    size_t count;
    const wadi_preset *presets = wadi_model_presets(made.def.model, &count);
    const wadi_preset *preset = &presets[draw_below(seed, (int)count)];
    OK(wadi_def_preset(&made.def, preset));
    made.def.boundary = (wadi_boundary)draw_below(seed, 2);
    size_t used = (size_t)snprintf(what, room, "%s, %s", preset->name, scene_boundaries[made.def.boundary]);
    for (int changes = 1 + draw_below(seed, 2); changes > 0; changes--) {
        const int p = draw_below(seed, (int)made.def.model->parameter_count);
        made.def.values[p] = draw_value(&made.def, p, seed);
        used += (size_t)snprintf(what + used, room - used, ", %s=%g", made.def.model->parameters[p].name,
                                 made.def.values[p]);
    }
    make_hills(&made, RELIEF, *seed);
    return made;
}

/* The largest change of any height, in units of the initial relief. Infinite for a non-finite value or negative water.
 */
static double change_of(const scene *scene, const wadi_sim *sim) {
    float *height = field_of(sim, "height"), *water = field_of(sim, "water");
    float low = INFINITY, high = -INFINITY, most = 0;
    for (size_t i = 0; i < cells_of(&scene->def); i++) {
        const float given = scene->field[0][i], moved = fabsf(height[i] - given);
        low = fminf(low, given);
        high = fmaxf(high, given);
        most = isfinite(moved) && water[i] >= 0 && isfinite(water[i]) ? fmaxf(most, moved) : INFINITY;
    }
    free(height);
    free(water);
    return (double)(most / (high - low));
}

/* 100 steps, or as many as WORK allows; 0 if one step is more. */
static int steps_of(const scene *scene) {
    const int steps = WORK / wadi_def_safety(&scene->def).substeps;
    return steps < 100 ? steps : 100;
}

/* Whether the run digs without end. */
static bool runs_away(const char *model, uint32_t *seed) {
    char what[200];
    scene scene = draw_scene(model, seed, what, sizeof what);
    wadi_sim *sim = start(&scene);
    const bool warned = wadi_sim_safety(sim).warning != NULL;
    if (wadi_sim_step(sim, steps_of(&scene)) != WADI_OK) fail_msg("%s: %s", what, wadi_error_message());
    const double change = change_of(&scene, sim);
    if (change > 2 && !warned) fail_msg("%s: heights went %.3g reliefs, without a warning", what, change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return change > 2;
}

static void runs_that_grow_without_bound_were_warned_of(void **state) {
    (void)state;
    uint32_t seed = 2005;
    int away = 0;
    for (int m = 0; m < COUNT(models); m++)
        for (int i = 0; i < models[m].runs; i++) away += runs_away(models[m].id, &seed);
    assert_true(away > 0);
}

static const struct {
    const char *model, *preset;
    wadi_setting set[5];
    int steps;
} runaways[] = {
    {"neidhold2005", "torrents", {{"r", "0.05"}}, 200},
    {"neidhold2005", "ravines", {{"r", "0.05"}}, 200},
    {"neidhold2005", "torrents", {{"rain_peak", "10"}}, 200},
    {"neidhold2005", "runnels", {{"rain_peak", "10"}}, 200},
    {"olsen2004", "seep", {{"dt", "100000"}, {"r", "1"}}, 20},
    {"olsen2004", "wash", {{"Kr", "0.1"}, {"Ke", "0"}}, 200},
    {"swenson2018", "report-fast", {{"SOLUBILITY", "10"}, {"r", "1"}}, 500},
    {"swenson2018", "lakes", {{"r", "0.1"}, {"E", "0.09"}, {"DEEP_WATER_CUTOFF", "48"}, {"ABRASION", "0.1"}}, 500},
};

/* They were warned of once, and stay within a relief. */
static const struct {
    const char *model, *preset;
    wadi_setting set[5];
    wadi_boundary boundary;
} steady[] = {
    {"swenson2018", "brooks", {{"r", "0.009"}}, WADI_OPEN},
    {"swenson2018", "brooks", {{"EVAPORATION", "0"}}, WADI_OPEN},
    {"swenson2018", "report", {{"DEEP_WATER_CUTOFF", "0.001"}}, WADI_OPEN},
    {"swenson2018", "report", {{"EVAPORATION", "0"}}, WADI_CLOSED},
    {"swenson2018", "report-fast", {{"r", "0.2"}, {"EVAPORATION", "0.95"}}, WADI_OPEN},
    /* what rains soaks in */
    {"swenson2018",
     "report",
     {{"r", "0.05"}, {"EVAPORATION", "0.001"}, {"infiltration", "constant"}, {"Ksat", "0.05"}},
     WADI_CLOSED},
};

/* Applies the advice of a warning: "NAME = ...; at most VALUE would do". */
static void take_advice(wadi_def *def, const char *warning) {
    char name[32];
    double value;
    const char *most = strstr(warning, "at most ");
    if (most == NULL || sscanf(warning, "%31s =", name) != 1 || sscanf(most, "at most %lf", &value) != 1)
        fail_msg("no advice: %s", warning);
    else
        OK(wadi_def_set(def, name, value));
}

static scene set_scene(const char *model, const char *preset, const wadi_setting *set, wadi_boundary boundary) {
    scene made = scene_of(model, SIDE, SIDE, 1);
    OK(wadi_def_preset(&made.def, wadi_preset_find(preset, &made.def.model)));
    for (const wadi_setting *to = set; to->name != NULL; to++) OK(wadi_def_set_text(&made.def, to->name, to->value));
    made.def.boundary = boundary;
    make_hills(&made, RELIEF, 3);
    return made;
}

static void follow_advice(int i, wadi_boundary boundary) {
    scene scene = set_scene(runaways[i].model, runaways[i].preset, runaways[i].set, boundary);
    wadi_sim *sim = start(&scene);
    const char *warning = wadi_sim_safety(sim).warning;
    if (warning == NULL) fail_msg("%s, %s: no warning", runaways[i].preset, runaways[i].set[0].name);
    take_advice(&scene.def, warning);
    wadi_sim_destroy(sim);
    sim = start(&scene);
    warning = wadi_sim_safety(sim).warning;
    if (warning != NULL) fail_msg("%s: %s", runaways[i].preset, warning);
    OK(wadi_sim_step(sim, runaways[i].steps));
    const double change = change_of(&scene, sim);
    if (change > 2) fail_msg("%s, as advised: heights went %.3g reliefs", runaways[i].preset, change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

static void advice_ends_the_warning(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(runaways); i++) {
        follow_advice(i, WADI_CLOSED);
        follow_advice(i, WADI_OPEN);
    }
}

static void steady_runs_are_not_warned_of(void **state) {
    (void)state;
    for (int i = 0; i < COUNT(steady); i++) {
        scene scene = set_scene(steady[i].model, steady[i].preset, steady[i].set, steady[i].boundary);
        wadi_sim *sim = start(&scene);
        const char *warning = wadi_sim_safety(sim).warning;
        if (warning != NULL) fail_msg("%s, %s: %s", steady[i].preset, steady[i].set[0].name, warning);
        OK(wadi_sim_step(sim, 500));
        const double change = change_of(&scene, sim);
        if (change > 1) fail_msg("%s, %s: heights went %.3g reliefs", steady[i].preset, steady[i].set[0].name, change);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Rain that floods the map is warned of, unless it soaks in everywhere. */
static void infiltration_counts_where_it_is_known(void **state) {
    (void)state;
    static const struct {
        const char *form, *Ksat;
        bool by_map, warned;
    } cases[] = {{"off", "0.05", false, true},         {"constant", "0.05", false, false},
                 {"green-ampt", "0.05", false, false}, {"constant", "0.0499", false, false},
                 {"constant", "0.02", false, true},    {"constant", "0.05", true, true}};
    for (int i = 0; i < COUNT(cases); i++) {
        const wadi_setting set[] = {{"r", "0.05"},
                                    {"EVAPORATION", "0.001"},
                                    {"infiltration", cases[i].form},
                                    {"Ksat", cases[i].Ksat},
                                    {NULL, NULL}};
        scene scene = set_scene("swenson2018", "report", set, WADI_CLOSED);
        wadi_sim *sim = start(&scene);
        float map[SIDE * SIDE] = {0};
        map[7] = 0.0499f;
        if (cases[i].by_map) OK(wadi_sim_set(sim, "Ksat", map, SIDE * SIDE));
        if ((wadi_sim_safety(sim).warning != NULL) != cases[i].warned) fail_msg("case %d", i);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void no_preset_warns(void **state) {
    (void)state;
    static const double cells_m[] = {0.5, 1, 10, 30, 90};
    for (size_t m = 0; m < wadi_model_count(); m++) {
        size_t count;
        const wadi_preset *presets = wadi_model_presets(wadi_model_at(m), &count);
        for (int i = 0; i < (int)count * COUNT(cells_m); i++) {
            const wadi_preset *preset = &presets[i / COUNT(cells_m)];
            const double cell_m = cells_m[i % COUNT(cells_m)];
            scene scene = scene_of(model_id((int)m), SIDE, SIDE, cell_m);
            OK(wadi_def_preset(&scene.def, preset));
            make_hills(&scene, (float)(cell_m * SIDE / 8), 7);
            wadi_sim *sim = start(&scene);
            const char *warning = wadi_sim_safety(sim).warning;
            if (warning != NULL && strcmp(preset->name, "paper") != 0)
                fail_msg("%s, cells of %g m: %s", preset->name, cell_m, warning);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_that_grow_without_bound_were_warned_of), cmocka_unit_test(advice_ends_the_warning),
        cmocka_unit_test(steady_runs_are_not_warned_of), cmocka_unit_test(infiltration_counts_where_it_is_known),
        cmocka_unit_test(no_preset_warns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
