/* A lake at rest stays at rest. The water is level over any bed, and nothing enters or leaves. After 1000 steps the
 * velocity is exactly 0, and every field has its initial bits. labels: physics */
#include "scene.h"

/* Level water over a bed of whole 1/1024 m, so that bed and depth add up to the level in float32 to the last bit. */
static scene lake(const char *model, int form, int variant) {
    scene made = scene_of(model, 24, 19, 1);
    uint32_t seed = 31 + (uint32_t)variant;
    made.def.ly = variant & 1 ? 1.9 : 1;
    made.def.boundary = variant & 2 ? WADI_WRAP : WADI_CLOSED;
    made.def.engine = scene_engines[variant >> 2 & 1];
    if (variant & 8) draw_choices(&made, &seed);
    choose_form(&made, form);
    apply(&made, kind_of(&made)->still);
    make_hills(&made, 12, seed);
    float *bed = scene_field(&made, "height"), *water = scene_field(&made, "water");
    const double mean = sum_of(bed, cells_of(&made.def)) / (double)cells_of(&made.def);
    const float level = (float)(floor(mean * 1024) / 1024); /* islands above it */
    for (size_t i = 0; i < cells_of(&made.def); i++) {
        bed[i] = floorf(bed[i] * 1024) / 1024;
        water[i] = bed[i] < level ? level - bed[i] : 0;
    }
    if (variant & 1) bed[100] = NAN;
    return made;
}

static void assert_rested(const scene *scene, const wadi_sim *before, const wadi_sim *after, const char *what) {
    const char *names[STATE_FIELDS];
    const int count = state_fields(before, names);
    int wet = 0, dry = 0;
    for (int f = 0; f < count; f++) {
        float *one = field_of(before, names[f]), *two = field_of(after, names[f]);
        for (size_t i = 0; i < cells_of(&scene->def); i++) {
            if (bits_of(one[i]) != bits_of(two[i]))
                fail_msg("%s: %s was %g, is %g", what, names[f], (double)one[i], (double)two[i]);
            if (strcmp(names[f], "velocity") == 0 && !isnan(two[i])) assert_true(bits_of(two[i]) == 0);
            if (strcmp(names[f], "water") == 0) wet += two[i] > 0, dry += two[i] <= 0;
        }
        free(one);
        free(two);
    }
    if (wet < 30 || dry < 30) fail_msg("%s: %d wet, %d dry", what, wet, dry);
}

static void a_lake_at_rest_stays_at_rest(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (int i = 0; i < 16 * forms(wadi_model_at((size_t)m)); i += 1 + (i % 16 > 10)) {
            scene scene = lake(model_id(m), i / 16, i % 16);
            char what[80];
            snprintf(what, sizeof what, "%s, %s, %d", model_id(m), form_of(&scene, i / 16)->name, i % 16);
            if (takes_water(&scene) && !kind_of(&scene)->routed) {
                wadi_sim *before = start(&scene), *after = run(&scene, scene.def.engine == WADI_ENGINE_CPU ? 1000 : 60);
                assert_rested(&scene, before, after, what);
                wadi_sim_destroy(before);
                wadi_sim_destroy(after);
            }
            scene_free(&scene);
        }
}

/* Evaporation by depth tilts a lake over an uneven bed; evaporation of the same depth everywhere leaves it level. */
static void surface_evaporation_leaves_a_lake_level(void **state) {
    (void)state;
    for (int m = 0; m < pipe_models(); m++) {
        float fastest[2];
        for (int surface = 0; surface < 2; surface++) {
            scene scene = lake(pipe_model(m), 0, 4);
            float *bed = scene_field(&scene, "height"), *water = scene_field(&scene, "water");
            for (size_t i = 0; i < cells_of(&scene.def);
                 i++) { /* all under water for good: a shore would fall dry unevenly */
                bed[i] *= 0.5f;
                water[i] = 12 - bed[i];
            }
            choose(&scene, "evaporation", surface ? "surface" : "depth");
            set(&scene, "Ke", 0.03);
            set(&scene, "E", 0.03125); /* 0.000625 m a step */
            set(&scene, "Kc", 0.01);
            wadi_sim *sim = run(&scene, 1000);
            float *speed = field_of(sim, "velocity"), *left = field_of(sim, "water"), *height = field_of(sim, "height");
            fastest[surface] = largest_of(speed, cells_of(&scene.def));
            for (size_t i = 0; surface && i < cells_of(&scene.def); i++) {
                const double level = (double)left[i] + (double)height[i];
                if (fabs(level - (12 - 0.625)) > 1e-3) fail_msg("%s: level %.6f", pipe_model(m), level);
            }
            free(speed);
            free(left);
            free(height);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
        if (fastest[1] > 0.001f || fastest[0] < 10 * fastest[1])
            fail_msg("%s: speeds %g with evaporation by depth, %g off the surface", pipe_model(m), (double)fastest[0],
                     (double)fastest[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lake_at_rest_stays_at_rest),
        cmocka_unit_test(surface_evaporation_leaves_a_lake_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
