/* Lengths times k and times multiplied by sqrt(k) give the same run, scaled. For k = 4 it is exact to the bit.
 * labels: physics */
#include "scene.h"

static void scale_field(scene *scene, const char *name, float factor) {
    float *values = scene_field(scene, name);
    for (size_t i = 0; i < cells_of(&scene->def); i++) values[i] *= factor;
}

/* The first variant has the preset's values. */
static scene preset_scene(const wadi_model *model, const wadi_preset *preset, double l, int variant) {
    scene made = scene_of(wadi_model_id(model), 21, 17, l);
    OK(wadi_def_preset(&made.def, preset));
    made.def.boundary = (wadi_boundary)(variant % 3);
    if (variant == 3) made.def.boundary = preset->boundary;
    made.def.engine = scene_engines[variant % 2];
    if (variant > 0) choose_form(&made, variant);
    if (variant == 2) choose_if(&made, "evaporation", "surface");
    set_substeps(&made, 2);
    if (variant == 2) set_long_step(&made);
    make_hills(&made, 15, 21);
    scale_field(&made, "height", (float)l);
    fill_random(scene_field(&made, "water"), &made.def, 0, 0.5f * (float)l, 22);
    add_source(&made, 8.2, 7.7, 2.1 * l, 0.5 * l * l * sqrt(l));
    made.def.drops = (wadi_drops){0.8, 1.5 * l, 0.3 * sqrt(l)};
    draw_hardness(&made, 0.1f, 0.9f, 23);
    return made;
}

static void assert_scaled(const wadi_sim *small, const wadi_sim *large, const char *field, float factor,
                          const char *what) {
    float *one = field_of(small, field), *two = field_of(large, field);
    for (size_t i = 0; i < cells_of(wadi_sim_def(small)); i++)
        if (bits_of(one[i] * factor) != bits_of(two[i]) &&
            !(fabsf(one[i]) < 1e-37f && fabsf(two[i]) < 1e-36f)) /* denormal */
            fail_msg("%s: %s at %d: %.9g * %g is not %.9g", what, field, (int)i, (double)one[i], (double)factor,
                     (double)two[i]);
    free(one);
    free(two);
}

static void every_preset_scales_exactly(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        const wadi_model *model = wadi_model_at((size_t)m);
        size_t presets;
        const wadi_preset *preset = wadi_model_presets(model, &presets);
        for (size_t p = 0; p < presets; p++)
            for (int variant = 0; variant < 4 || variant < forms(model); variant++)
                for (int doubled = 0; doubled < 2; doubled++) { /* k = 4 and 16 */
                    const float k = doubled ? 16 : 4, t = doubled ? 4 : 2;
                    scene one = preset_scene(model, &preset[p], 1, variant),
                          two = preset_scene(model, &preset[p], k, variant);
                    wadi_sim *small = run(&one, 40), *large = run(&two, 40);
                    assert_scaled(small, large, "height", k, preset[p].name);
                    assert_scaled(small, large, "change", k, preset[p].name);
                    assert_scaled(small, large, "water", k, preset[p].name);
                    assert_scaled(small, large, "sediment", k, preset[p].name);
                    if (has_speed(&one)) assert_scaled(small, large, "velocity", k / t, preset[p].name);
                    assert_scaled(small, large, "flow", k * k * k / t, preset[p].name);
                    if (wadi_model_has_hardness(model)) assert_scaled(small, large, "hardness", 1, preset[p].name);
                    assert_true(fabs(wadi_sim_time(large) - (double)t * wadi_sim_time(small)) < 1e-9);
                    wadi_sim_destroy(small);
                    wadi_sim_destroy(large);
                    scene_free(&one);
                    scene_free(&two);
                }
    }
}

/* At any cell size every preset is within its ranges, which scale too. It is stable without thousands of sub-steps. */
static void presets_fit_any_cell_size(void **state) {
    (void)state;
    static const double sizes[] = {0.01, 0.3, 1, 7.7, 30, 90, 1000, 30000};
    for (int m = 0; m < MODELS; m++) {
        const wadi_model *model = wadi_model_at((size_t)m);
        size_t presets;
        const wadi_preset *preset = wadi_model_presets(model, &presets);
        for (size_t p = 0; p < presets; p++)
            for (int i = 0; i < COUNT(sizes); i++)
                for (int square = 0; square < 2; square++) {
                    wadi_def def = wadi_default_def(model, 4, 4, sizes[i], sizes[i] * (square ? 1 : 1.6));
                    OK(wadi_def_preset(&def, &preset[p]));
                    wadi_sim *sim;
                    OK(wadi_sim_create(&def, &sim));
                    wadi_sim_destroy(sim);
                    /* 20 for square cells; steps scale with the mean side, stability with the shorter one */
                    if (wadi_def_safety(&def).substeps > (square ? 20 : 20 * sqrt(1.6)))
                        fail_msg("%s, %s, cells of %g m: %d sub-steps", model_id(m), preset[p].name, sizes[i],
                                 (int)wadi_def_safety(&def).substeps);
                }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_preset_scales_exactly),
        cmocka_unit_test(presets_fit_any_cell_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
