/* mei2007: the paper's figures at a small scale, and the model's warnings. labels: physics */
#include "scene.h"

#include "wadi/terrain.h"

static void generate(scene *scene, const char *kind, double relief) {
    wadi_terrain terrain = wadi_default_terrain(kind, scene->def.width, scene->def.height);
    terrain.relief_m = relief;
    terrain.threads = 1;
    OK(wadi_terrain_generate(&terrain, scene_field(scene, "height")));
}

/* Cells whose slope to the right and down is under `limit`. */
static int flat_cells(const float *height, int width, float limit) {
    int flat = 0;
    for (int y = 0; y < width - 1; y++)
        for (int x = 0; x < width - 1; x++) {
            const float *at = height + y * width + x;
            flat += fabsf(at[1] - at[0]) < limit && fabsf(at[width] - at[0]) < limit;
        }
    return flat;
}

/* Mei, Fig. 5: rain in a basin carries material from its sides to its centre, where a plain grows. */
static void a_basins_centre_flattens(void **state) {
    (void)state;
    scene scene = scene_of("mei2007", 48, 48, 1);
    generate(&scene, "basin", 15);
    set_rain(&scene, 0.004);
    set(&scene, "Ke", 0.05);
    wadi_sim *sim = run(&scene, 8000);
    float *after = field_of(sim, "height"), *change = field_of(sim, "change");
    double sides = 0, centre = 0;
    for (int y = 0; y < 48; y++)
        for (int x = 0; x < 48; x++) {
            const bool inside = abs(2 * x - 47) < 20 && abs(2 * y - 47) < 20;
            *(inside ? &centre : &sides) += (double)change[y * 48 + x];
        }
    const int flat = flat_cells(after, 48, 0.25f), flat_before = flat_cells(scene.field[0], 48, 0.25f);
    print_message("basin: centre %+.2f m3, sides %+.2f m3, %d flat cells, %d before\n", centre, sides, flat,
                  flat_before);
    assert_true(centre > 10 && sides < -10 && flat > 5 * flat_before);
    free(after);
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Mei, Fig. 6: rain on a slope digs everywhere, a source digs one bed. Compares the fraction of cells that are dug at
 * least a tenth of the deepest. */
static void rain_digs_many_channels_and_a_source_one(void **state) {
    (void)state;
    double share[2];
    for (int source = 0; source < 2; source++) {
        scene scene = scene_of("mei2007", 48, 64, 1);
        scene.def.boundary = WADI_OPEN;
        generate(&scene, "ramp", 20);
        add_noise(scene_field(&scene, "height"), &scene.def, 1, 0.3f, 6);
        if (source) set_rain(&scene, 0);
        if (source) add_source(&scene, 24, 4, 2, 1);
        wadi_sim *sim = run(&scene, 1500);
        float *erosion = field_of(sim, "erosion");
        const float deepest = largest_of(erosion, cells_of(&scene.def));
        int dug = 0;
        for (size_t c = 0; c < cells_of(&scene.def); c++) dug += erosion[c] > 0.1f * deepest;
        share[source] = (double)dug / (48 * 64);
        assert_true(deepest > 0.01f);
        free(erosion);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
    print_message("share of the slope that is dug: %.2f by rain, %.2f by a source\n", share[0], share[1]);
    assert_true(share[0] > 2 * share[1] && share[1] < 0.35);
}

/* Mei, Fig. 4: a river leaves a dammed bed for another one. */
static void a_dammed_river_flows_around_the_dam(void **state) {
    (void)state;
    double beyond[2];
    for (int dam = 0; dam < 2; dam++) {
        scene scene = scene_of("mei2007", 33, 40, 1);
        scene.def.boundary = WADI_OPEN;
        set_rain(&scene, 0);
        for (int c = 0; c < 33 * 40; c++) {
            const int x = c % 33, y = c / 33; /* a slope with a groove; the dam lies across it */
            scene.field[0][c] = (float)(40 - y) * 0.3f + (float)abs(x - 16) * 0.05f;
            if (dam && y == 20 && abs(x - 16) < 5) scene.field[0][c] += 3;
        }
        add_source(&scene, 16.5, 4.5, 1, 1);
        wadi_sim *sim = run(&scene, 1500);
        float *flow = field_of(sim, "flow");
        beyond[dam] = 0;
        for (int x = 0; x < 33; x++) /* past the ends of the dam, in the row behind it */
            if (abs(x - 16) >= 5) beyond[dam] += (double)flow[21 * 33 + x];
        free(flow);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
    if (!(beyond[1] > 3 * beyond[0] + 0.1)) fail_msg("beside the dam: %g m3/s, without it %g", beyond[1], beyond[0]);
}

static void numbers_that_make_checkerboards_are_warned_of(void **state) {
    (void)state;
    scene scene = scene_of("mei2007", 4, 4, 1);
    set(&scene, "Kc", 1);
    set(&scene, "Ks", 0.009);
    assert_null(wadi_def_safety(&scene.def).warning);
    set(&scene, "Ks", 0.011);
    assert_non_null(wadi_def_safety(&scene.def).warning);
    scene_free(&scene);
}

/* Sediment in water that sloshes in a basin, and in a basin of twice the width that mirrors it. */
static wadi_sim *slosh(const char *advection, int width) {
    scene scene = scene_of("mei2007", width, 16, 1);
    set_rain(&scene, 0);
    set(&scene, "Ks", 0);
    set(&scene, "Kd", 0);
    set(&scene, "Ke", 0);
    set(&scene, "cf", 0); /* one division for two pipes rounds with both */
    choose(&scene, "advection", advection);
    float *water = scene_field(&scene, "water"), *sediment = scene_field(&scene, "sediment");
    for (int i = 0; i < 16 * width; i++) {
        const int x = i % width < width - 12 ? width - 13 - i % width : i % width - (width - 12), y = i / width;
        water[i] = 1 + 0.02f * (float)((3 * x + y * y) % 11);
        sediment[i] = 0.01f * (float)((5 * x + 3 * y) % 7);
    }
    wadi_sim *sim = run(&scene, 40);
    scene_free(&scene);
    return sim;
}

/* Nothing passes a mirror plane, so it does what a wall does. */
static void tracing_back_ends_at_a_wall_as_at_a_mirror(void **state) {
    (void)state;
    for (int old = 0; old < 2; old++) {
        const char *advection = old ? "semi-lagrangian" : "traced";
        wadi_sim *half = slosh(advection, 12), *whole = slosh(advection, 24);
        float *s = field_of(half, "sediment"), *mirrored = field_of(whole, "sediment");
        int differ = 0;
        for (int i = 0; i < 12 * 16; i++) differ += bits_of(s[i]) != bits_of(mirrored[i / 12 * 24 + 12 + i % 12]);
        if ((differ > 0) != old) fail_msg("%s: %d of 192 cells differ", advection, differ);
        free(s);
        free(mirrored);
        wadi_sim_destroy(half);
        wadi_sim_destroy(whole);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tracing_back_ends_at_a_wall_as_at_a_mirror),
        cmocka_unit_test(a_basins_centre_flattens),
        cmocka_unit_test(rain_digs_many_channels_and_a_source_one),
        cmocka_unit_test(a_dammed_river_flows_around_the_dam),
        cmocka_unit_test(numbers_that_make_checkerboards_are_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
