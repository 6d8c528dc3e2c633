/* Tiles in which nothing can happen are skipped, and all bits stay the same. labels: threads */
#include "scene.h"

enum { WIDTH = 467, HEIGHT = 29, STEPS = 50 }; /* 7 x 3 tiles, the last of a row and column larger */

/* A plain with one steep hill. It is dry but for a spring that ends and one that begins late. Every second scene has a
 * rare drop, every third a rain map. */
static scene scene_for(const wadi_model *model, int variant) {
    scene made = scene_of(wadi_model_id(model), WIDTH, HEIGHT, 2);
    made.def.boundary = (wadi_boundary)(variant % 3);
    made.def.threads = 1 + variant % 4;
    choose_form(&made, variant);
    set_substeps(&made, 1);
    set_rain(&made, 0);
    set_if(&made, "uplift", 0);
    if (variant % 2 == 1) made.def.drops = (wadi_drops){0.02, 3, 0.05};
    float *height = scene_field(&made, "height");
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const float r = hypotf((float)x - 66, (float)y - 20);
            height[y * WIDTH + x] = r < 8 ? 5 * (8 - r) : 0;
        }
    height[25 * WIDTH + 60] = NAN;
    float *rain = variant % 3 == 2 ? scene_field(&made, "rain") : NULL; /* rain in one place only */
    for (int i = 0; rain != NULL && i < 6; i++) rain[(9 + i) * WIDTH + 100 + i] = 0.01f;
    add_source(&made, 30, 12, 5, 4);
    made.source[0].end_s = 10.5 * wadi_def_safety(&made.def).dt_s;
    add_source(&made, 90, 26, 2, 4);
    made.source[1].start_s = 29.5 * wadi_def_safety(&made.def).dt_s;
    return made;
}

/* Steps one by one, and marks everything as changed before each step. */
static wadi_sim *run_all_of_it(const scene *scene, int steps) {
    wadi_sim *sim = start(scene);
    for (int i = 0; i < steps; i++) {
        OK(wadi_sim_set_parameter(sim, "time-step", scene->def.values[time_step_of(scene->def.model)]));
        OK(wadi_sim_step(sim, 1));
    }
    return sim;
}

static void idle_tiles_change_no_bit(void **state) {
    (void)state;
    for (size_t m = 0; m < wadi_model_count(); m++)
        for (int variant = 0; variant < 6 || variant < forms(wadi_model_at(m)); variant++) {
            if (SANITIZED && variant % 3 != (int)m % 3) continue;
            scene scene = scene_for(wadi_model_at(m), variant);
            char what[96];
            snprintf(what, sizeof what, "%s, variant %d", wadi_model_id(wadi_model_at(m)), variant);
            wadi_sim *sim = run(&scene, STEPS), *all = run_all_of_it(&scene, STEPS);
            assert_same_state(sim, all, what);
            if (!(wadi_sim_idle_share(sim) > 0.2)) fail_msg("%s: %g idle", what, wadi_sim_idle_share(sim));
            assert_true(wadi_sim_idle_share(all) < 1e-9);
            wadi_sim_destroy(sim);
            wadi_sim_destroy(all);
            scene_free(&scene);
        }
}

/* A change in the middle of a run wakes idle tiles. */
static void edits_wake_idle_tiles(void **state) {
    (void)state;
    for (int i = 0; i < 2 * COUNT(scene_boundaries); i++) {
        scene scene = scene_for(wadi_model_find("swenson2018"), i);
        wadi_sim *sims[2];
        for (int e = 0; e < 2; e++) {
            scene.def.engine = scene_engines[e];
            wadi_sim *sim = sims[e] = run(&scene, 30);
            float *water = field_of(sim, "water"), *mask = field_of(sim, "mask");
            water[22 * WIDTH + 100] = water[0] = 1;
            fill(mask, &scene.def, 0.5f);
            OK(wadi_sim_set(sim, "water", water, WIDTH * HEIGHT));
            OK(wadi_sim_step(sim, 10));
            OK(wadi_sim_set(sim, "mask", mask, WIDTH * HEIGHT));
            OK(wadi_sim_set_parameter(sim, "beta", 0.1));
            OK(wadi_sim_step(sim, 10));
            OK(wadi_sim_set_sources(sim, scene.source, 1));
            OK(wadi_sim_set_parameter(sim, "rain", i < COUNT(scene_boundaries) ? 0 : 0.001));
            OK(wadi_sim_step(sim, 10));
            OK(wadi_sim_set_parameter(sim, "rain", 0));
            OK(wadi_sim_step(sim, 10));
            free(water);
            free(mask);
        }
        assert_same_state(sims[0], sims[1], "changed on the way");
        wadi_sim_destroy(sims[0]);
        wadi_sim_destroy(sims[1]);
        scene_free(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(idle_tiles_change_no_bit),
        cmocka_unit_test(edits_wake_idle_tiles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
