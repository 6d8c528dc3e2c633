/* A lake at rest stays at rest: level water over any bed, nothing in and nothing out: after 1000 steps the velocity is
 * exactly 0 and every field has the bits it began with. */
#include "scene.h"

/* Level water over a bed of whole 1/1024 m, so that bed and depth add up to the level in float32 to the last bit. */
static scene lake(const char *model, int variant) {
    scene made = scene_of(model, 24, 19, 1);
    made.def.ly = variant & 1 ? 1.9 : 1;
    made.def.boundary = variant & 2 ? WADI_WRAP : WADI_CLOSED;
    made.def.engine = scene_engines[variant >> 2 & 1];
    make_hills(&made, 12, 31 + (uint32_t)variant);
    set_rain(&made, 0);
    static const char *const evaporation[] = {"Ke", "KE", "EVAPORATION"};
    for (int i = 0; i < COUNT(evaporation); i++) set_if(&made, evaporation[i], 0);
    set_thermal(&made, false);
    if (variant & 8) set_if(&made, "cf", 0);
    if (variant & 16) choose_if(&made, "advection", "semi-lagrangian");
    if (variant & 32) choose_if(&made, "velocity", "cut");
    if (variant & 64) choose_if(&made, "pipe_area", "depth");
    /* olsen2004 dissolves bed under still water, by definition; with nothing dissolved its water too must rest */
    static const int wet_methods[] = {2, 3, 6};
    choose_method(&made, wet_methods[variant % 3]);
    if (has(&made, "method")) set(&made, "Kc", 0);
    if (has(&made, "method")) set(&made, "Ks", 0);
    float *bed = scene_field(&made, "height"), *water = scene_field(&made, "water");
    for (size_t i = 0; i < cells_of(&made.def); i++) {
        bed[i] = floorf(bed[i] * 1024) / 1024;
        water[i] = bed[i] < 7 ? 7 - bed[i] : 0; /* islands above 7 m */
    }
    if (variant & 1) bed[100] = NAN;
    return made;
}

static void a_lake_at_rest_stays_at_rest(void **state) {
    (void)state;
    for (int m = 0; m < COUNT(scene_models); m++)
        for (int variant = 0; variant < 128; variant += variant < 32 ? 3 : 13) {
            scene scene = lake(scene_models[m], variant);
            if (is_jako(&scene) && variant % 2) choose(&scene, "capacity", "collision");
            if (is_jako(&scene) && variant % 3) choose(&scene, "water_exchange", "on");
            wadi_sim *before = start(&scene), *after = run(&scene, scene.def.engine == WADI_ENGINE_CPU ? 1000 : 60);
            const char *names[STATE_FIELDS];
            const int count = state_fields(before, names);
            int wet = 0, dry = 0;
            for (int f = 0; f < count; f++) {
                float *one = field_of(before, names[f]), *two = field_of(after, names[f]);
                for (size_t i = 0; i < cells_of(&scene.def); i++) {
                    if (bits_of(one[i]) != bits_of(two[i]))
                        fail_msg("%s %d: %s was %g, is %g", scene_models[m], variant, names[f], (double)one[i],
                                 (double)two[i]);
                    if (strcmp(names[f], "velocity") == 0 && !isnan(two[i])) assert_true(bits_of(two[i]) == 0);
                    if (strcmp(names[f], "water") == 0) wet += two[i] > 0, dry += two[i] <= 0;
                }
                free(one);
                free(two);
            }
            if (wet < 30 || dry < 30) fail_msg("variant %d: %d wet, %d dry", variant, wet, dry);
            wadi_sim_destroy(before);
            wadi_sim_destroy(after);
            scene_free(&scene);
        }
}

/* Evaporation by depth tilts a lake over an uneven bed; evaporation of the same depth everywhere leaves it level. */
static void surface_evaporation_leaves_a_lake_level(void **state) {
    (void)state;
    for (int m = 0; m < COUNT(pipe_models); m++) {
        float fastest[2];
        for (int surface = 0; surface < 2; surface++) {
            scene scene = lake(pipe_models[m], 4);
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
                if (fabs(level - (12 - 0.625)) > 1e-3) fail_msg("%s: level %.6f", pipe_models[m], level);
            }
            free(speed);
            free(left);
            free(height);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
        if (fastest[1] > 0.001f || fastest[0] < 10 * fastest[1])
            fail_msg("%s: speeds %g with evaporation by depth, %g off the surface", pipe_models[m], (double)fastest[0],
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
