/* swenson2018: a step by hand, the damping, deep water, evaporation, and the report's rain maps. labels: physics */
#include "scene.h"

static scene made(int width, int height, wadi_boundary boundary) {
    scene scene = scene_of("swenson2018", width, height, 1);
    scene.def.boundary = boundary;
    set_rain(&scene, 0);
    return scene;
}

static void near(const char *what, float found, double expected) {
    if (fabs((double)found - expected) > 1e-6) fail_msg("%s: %.7f, %.7f expected", what, (double)found, expected);
}

/* 1 m of water with 0.05 m of sediment on one cell of a flat bed. */
static void a_step_follows_the_report(void **state) {
    (void)state;
    for (int little = 0; little < 2; little++) {
        scene scene = made(5, 5, WADI_CLOSED);
        set_rain(&scene, 0.003);
        if (little) set(&scene, "SOLUBILITY", 0.01);
        scene_field(&scene, "water")[12] = 1;
        scene_field(&scene, "sediment")[12] = 0.05f;
        wadi_sim *sim = run(&scene, 1);
        float *water = field_of(sim, "water"), *change = field_of(sim, "change"), *sediment = field_of(sim, "sediment");
        const double dug = 0.1 * 0.8 * (1 - 0.02), dug_beside = 0.1 * 0.2 * (1 - 0.02); /* 0.2 m stay, 0.2 m arrive */
        const double left = little ? 0.002 : 0.01 + dug, left_beside = little ? 0.002 : 0.01 + dug_beside;
        near("water in the middle", water[12], 0.103);
        near("water beside", water[11], 0.103);
        near("water at the corner", water[6], 0.003);
        near("sediment in the middle", sediment[12], left);
        near("sediment beside", sediment[7], left_beside);
        near("bed in the middle", change[12], 0.01 - left);
        near("bed beside", change[7], 0.01 - left_beside);
        float *flow = field_of(sim, "flow"); /* half of inflow plus outflow, m3/s */
        near("flow in the middle", flow[12], 0.4);
        near("flow beside", flow[11], 0.1);
        free(flow);
        free(water);
        free(change);
        free(sediment);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* The outflow is at most the water that is there, in proportion to the differences. */
static void outflow_is_at_most_all_the_water(void **state) {
    (void)state;
    scene scene = made(5, 5, WADI_CLOSED);
    set(&scene, "EVAPORATION", 0);
    set(&scene, "ABRASION", 0);
    scene.field[0][12] = 9;
    scene.field[0][11] = 4; /* 6 m below the water's surface, the others 10 m */
    scene_field(&scene, "water")[12] = 1;
    wadi_sim *sim = run(&scene, 1);
    float *water = field_of(sim, "water");
    near("left", water[12], 0);
    near("on the step", water[11], 6.0 / 36);
    near("on the plain", water[13], 10.0 / 36);
    free(water);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* A checkerboard of water surfaces is multiplied by 1 - 8*beta each step: 0.2 damps it, the report's 0.25 never does.
 */
static void a_fifth_damps_a_checkerboard_and_a_quarter_does_not(void **state) {
    (void)state;
    for (int quarter = 0; quarter < 2; quarter++) {
        scene scene = made(12, 12, WADI_WRAP);
        set(&scene, "beta", quarter ? 0.25 : 0.2);
        set(&scene, "EVAPORATION", 0);
        set(&scene, "ABRASION", 0);
        for (int c = 0; c < 144; c++) scene_field(&scene, "water")[c] = 5 + ((c % 12 + c / 12) % 2 ? 0.125f : -0.125f);
        wadi_sim *sim = run(&scene, 40);
        float *water = field_of(sim, "water");
        const double left = fabs((double)water[0] - (double)water[1]) / 0.25;
        if (!(quarter ? left > 0.999 && left < 1.001 : left < 1e-5)) fail_msg("%g of the checkerboard is left", left);
        free(water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* The same wave digs less in deeper water: linearly, down to nothing at DEEP_WATER_CUTOFF. */
static void deep_water_protects_the_bed(void **state) {
    (void)state;
    double dug[3];
    for (int i = 0; i < 3; i++) {
        scene scene = made(24, 4, WADI_WRAP);
        set(&scene, "EVAPORATION", 0);
        for (int c = 0; c < 96; c++) scene_field(&scene, "water")[c] = 5 * (float)i + (c % 24 < 12 ? 2.0f : 1.0f);
        wadi_sim *sim = run(&scene, 1);
        float *erosion = field_of(sim, "erosion");
        dug[i] = sum_of(erosion, 96);
        free(erosion);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
    if (!(dug[0] > 0 && fabs(dug[1] / dug[0] - 3.5 / 8.5) < 1e-3 && dug[2] <= 0))
        fail_msg("dug %g, %g, %g", dug[0], dug[1], dug[2]);
}

static void evaporation_is_the_share_lost(void **state) {
    (void)state;
    scene scene = made(6, 6, WADI_CLOSED);
    set(&scene, "EVAPORATION", 0.3);
    fill(scene_field(&scene, "water"), &scene.def, 2);
    wadi_sim *sim = run(&scene, 3);
    float *water = field_of(sim, "water");
    for (int c = 0; c < 36; c++) near("water", water[c], 2 * 0.7 * 0.7 * 0.7);
    assert_true(fabs(mass_of(sim).evaporated / (36 * 2 * (1 - 0.343)) - 1) < 1e-5);
    free(water);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Uniform, a disc, a point: rain falls as the map says, and spreads from there. */
static void rain_falls_where_the_map_says(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        scene scene = made(21, 21, WADI_CLOSED);
        set(&scene, "EVAPORATION", 0);
        float *rain = scene_field(&scene, "rain");
        int cells = 0, wet = 0;
        for (int c = 0; c < 441; c++) {
            const int x = c % 21 - 10, y = c / 21 - 10, reach = kind == 0 ? 1000 : kind == 1 ? 25 : 0;
            rain[c] = x * x + y * y <= reach ? 0.25f : 0;
            cells += x * x + y * y <= reach;
        }
        wadi_sim *sim = run(&scene, 1);
        float *water = field_of(sim, "water");
        for (int c = 0; c < 441; c++) near("rain", water[c], (double)rain[c]);
        free(water);
        OK(wadi_sim_step(sim, 9));
        water = field_of(sim, "water");
        for (int c = 0; c < 441; c++) wet += water[c] > 0;
        assert_true(fabs(sum_of(water, 441) / (10 * 0.25 * cells) - 1) < 1e-5);
        assert_true(fabs(mass_of(sim).rained / (10 * 0.25 * cells) - 1) < 1e-5);
        assert_true(kind == 0 || wet > cells);
        free(water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Evaporation from the surface keeps a lake over an uneven bed level. */
static void surface_evaporation_keeps_a_lake_level(void **state) {
    (void)state;
    double range[2];
    for (int surface = 0; surface < 2; surface++) {
        scene scene = made(16, 16, WADI_CLOSED);
        make_hills(&scene, 4, 3);
        choose(&scene, "evaporation", surface ? "surface" : "depth");
        set(&scene, "EVAPORATION", 0.01);
        set(&scene, "E", 0.01);
        set(&scene, "ABRASION", 0);
        for (int c = 0; c < 256; c++) scene_field(&scene, "water")[c] = 8 - scene.field[0][c];
        wadi_sim *sim = run(&scene, 100);
        float *water = field_of(sim, "water");
        double low = 1e9, high = -1e9;
        for (int c = 0; c < 256; c++) {
            low = fmin(low, (double)water[c] + (double)scene.field[0][c]);
            high = fmax(high, (double)water[c] + (double)scene.field[0][c]);
        }
        range[surface] = high - low;
        assert_true(!surface || fabs(high - 7) < 1e-4);
        free(water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
    if (!(range[1] < 1e-5 && range[0] > 100 * range[1])) fail_msg("levels differ by %g and %g", range[0], range[1]);
}

/* The report's cone: rain erodes its slopes, and the material lies at its foot. */
static void a_cone_erodes_and_its_foot_fills(void **state) {
    (void)state;
    scene scene = made(41, 41, WADI_CLOSED);
    set_rain(&scene, 0.001);
    for (int c = 0; c < 1681; c++) {
        const double far = sqrt((c % 41 - 20) * (c % 41 - 20) + (c / 41 - 20) * (c / 41 - 20));
        scene.field[0][c] = (float)(far < 14 ? 14 - far : 0);
    }
    wadi_sim *sim = run(&scene, 1000);
    float *change = field_of(sim, "change");
    double slope = 0, foot = 0;
    for (int c = 0; c < 1681; c++) {
        const double far = sqrt((c % 41 - 20) * (c % 41 - 20) + (c / 41 - 20) * (c / 41 - 20));
        *(far < 12 ? &slope : &foot) += (double)change[c];
    }
    print_message("slopes %+.2f m3, foot %+.2f m3\n", slope, foot);
    assert_true(slope < -1 && foot > 1);
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_step_follows_the_report),
        cmocka_unit_test(outflow_is_at_most_all_the_water),
        cmocka_unit_test(a_fifth_damps_a_checkerboard_and_a_quarter_does_not),
        cmocka_unit_test(deep_water_protects_the_bed),
        cmocka_unit_test(evaporation_is_the_share_lost),
        cmocka_unit_test(rain_falls_where_the_map_says),
        cmocka_unit_test(surface_evaporation_keeps_a_lake_level),
        cmocka_unit_test(a_cone_erodes_and_its_foot_fills),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
