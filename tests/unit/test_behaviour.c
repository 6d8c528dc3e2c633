/* Any parameters within their ranges give finite, plausible fields, and conserve all water. */
#include "scene.h"

/* Each parameter: at an end of its range, at its standard value, or between. */
static void draw_parameters(scene *scene, uint32_t *seed) {
    for (size_t p = 0; p < scene->def.model->parameter_count; p++) {
        const wadi_parameter *row = &scene->def.model->parameters[p];
        const int kind = draw_below(seed, 4);
        const double between = row->minimum + (row->maximum - row->minimum) * (double)draw_unit(seed);
        double value = kind == 0 ? row->minimum : kind == 1 ? row->maximum : kind == 2 ? row->standard : between;
        if (row->choices != NULL) value = draw_below(seed, (int)row->maximum + 1);
        scene->def.values[p] = value;
    }
    /* a dt of 1e-6 does nothing: take long steps, some with sub-steps */
    if (*time_step(&scene->def) < 0.005) *time_step(&scene->def) = 0.05;
    set_substeps(scene, draw_below(seed, 4) == 0 ? 20 : 4);
}

/* Films of water so thin that a division by their depth overflows: rain of denormal depth, no deposition, the same
 * depth evaporated everywhere, and initial water. */
static void draw_thin_films(scene *scene, uint32_t *seed) {
    static const double trickles[] = {1e-38, 1e-39, 1e-40, 0};
    set_rain(scene, trickles[draw_below(seed, COUNT(trickles))]);
    if (draw_below(seed, 2)) set_if(scene, "Kd", 0);
    if (draw_below(seed, 2)) choose_if(scene, "evaporation", "surface");
    if (draw_below(seed, 4) == 0) return;
    float *water = scene_field(scene, "water");
    const float depth = draw_below(seed, 2) ? 0.5f : 1e-4f;
    for (size_t i = 0; i < cells_of(&scene->def); i++) water[i] = fmaxf(0, depth * (2 * draw_unit(seed) - 1));
}

static scene draw_scene(int i, uint32_t *seed) {
    scene made = scene_of(model_id(i % MODELS), 16, 13, 1);
    draw_parameters(&made, seed);
    made.def.boundary = (wadi_boundary)(i / MODELS % 3);
    make_hills(&made, i % 7 ? 20 : i % 2 ? 200 : 3000, *seed);
    made.def.drops = (wadi_drops){draw_below(seed, 2), 2, 2};
    draw_hardness(&made, 0, 1, *seed);
    if (i / MODELS % 3 == 0) draw_thin_films(&made, seed);
    if (i / MODELS % 2 == 0 || draw_below(seed, 2)) add_source(&made, 3.5, 3.5, 1, 3);
    return made;
}

static void assert_sane(const scene *scene, const wadi_sim *sim, const char *what) {
    const char *names[STATE_FIELDS];
    const int count = state_fields(sim, names);
    for (int f = 0; f < count; f++) {
        static const char *const never_negative[] = {"velocity", "water", "sediment", "flow",
                                                     "d",        "s",     "hardness", "Q"};
        bool signless = false;
        for (int i = 0; i < COUNT(never_negative); i++) signless = signless || strcmp(names[f], never_negative[i]) == 0;
        const float most = strcmp(names[f], "hardness") == 0 ? 1 : INFINITY;
        float *values = field_of(sim, names[f]);
        for (size_t c = 0; c < cells_of(&scene->def); c++)
            if (!isfinite(values[c]) || (signless && !(values[c] >= 0 && values[c] <= most)))
                fail_msg("%s: %s is %g at %d", what, names[f], (double)values[c], (int)c);
        free(values);
    }
}

static void any_allowed_parameters_stay_finite(void **state) {
    (void)state;
    uint32_t seed = 2011;
    for (int i = 0; i < (SANITIZED ? 60 : 200) * MODELS; i++) {
        scene scene = draw_scene(i, &seed);
        const int substeps = wadi_def_safety(&scene.def).substeps, steps = steps_for(&scene, 200, 2e5);
        char what[60];
        snprintf(what, sizeof what, "run %d, %s", i, model_id(i % MODELS));
        wadi_sim *sim = start(&scene);
        if (wadi_sim_step(sim, steps) != WADI_OK) fail_msg("%s: %s", what, wadi_error_message());
        assert_sane(&scene, sim, what);
        const wadi_mass mass = mass_of(sim);
        /* each sub-step rounds the depths; there may be 1000, with most of the water in one cell */
        const double rounding = 4 * 0x1p-24 * sqrt((double)(steps * substeps));
        const double water = mass.water.before + mass.water.in + fabs(mass.exchanged);
        if (fabs(mass.water.residual) > fmax(1e-5, rounding) * water + 1e-6)
            fail_msg("%s: water residual %g of %g", what, mass.water.residual, water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_allowed_parameters_stay_finite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
