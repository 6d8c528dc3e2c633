/* What the models are for: any allowed parameters give finite, sensible fields, and the papers' pictures in small. */
#include "scene.h"

#include "wadi/terrain.h"

/* --- any parameters inside their ranges --- */

/* Each parameter at an end of its range, at its standard, or anywhere between. */
static void draw_parameters(scene *scene, uint32_t *seed) {
    for (size_t p = 0; p < scene->def.model->parameter_count; p++) {
        const wadi_parameter *row = &scene->def.model->parameters[p];
        const int kind = draw_below(seed, 4);
        const double between = row->minimum + (row->maximum - row->minimum) * (double)draw_unit(seed);
        double value = kind == 0 ? row->minimum : kind == 1 ? row->maximum : kind == 2 ? row->standard : between;
        if (row->choices != NULL) value = draw_below(seed, (int)row->maximum + 1);
        scene->def.values[p] = value;
    }
    /* a dt of 1e-6 does nothing, an A of 60 beside it is no test: long steps, with up to some 20 sub-steps */
    if (scene->def.values[0] < 0.005) scene->def.values[0] = 0.05;
}

/* Films of water so thin that a division by their depth overflows: rain of denormal depth, nothing deposited, the same
 * depth evaporated everywhere, and water from the start. */
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

static void any_allowed_parameters_stay_finite(void **state) {
    (void)state;
    static const char *const fields[] = {"velocity", "water", "sediment", "flow", "height"};
    uint32_t seed = 2011;
    for (int i = 0; i < 200 * COUNT(scene_models); i++) {
        const char *const model = scene_models[i % COUNT(scene_models)];
        scene scene = scene_of(model, 16, 13, 1);
        draw_parameters(&scene, &seed);
        scene.def.boundary = (wadi_boundary)(i / COUNT(scene_models) % 3);
        make_hills(&scene, i % 5 ? 20 : 200, seed);
        scene.def.drops = (wadi_drops){draw_below(&seed, 2), 2, 2};
        if (is_jako(&scene)) fill_random(scene_field(&scene, "hardness"), &scene.def, 0, 1, seed);
        if (i % 3 == 0) draw_thin_films(&scene, &seed);
        if (i % 2 == 0 || draw_below(&seed, 2)) add_source(&scene, 3.5, 3.5, 1, 3);
        wadi_sim *sim = start(&scene);
        if (wadi_sim_step(sim, 200) != WADI_OK) fail_msg("run %d, %s: %s", i, model, wadi_error_message());
        for (int f = has_speed(&scene) ? 0 : 1; f < COUNT(fields); f++) {
            float *values = field_of(sim, fields[f]);
            for (size_t c = 0; c < cells_of(&scene.def); c++)
                if (!isfinite(values[c]) || (f < 4 && !(values[c] >= 0)))
                    fail_msg("run %d, %s: %s is %g at %d", i, model, fields[f], (double)values[c], (int)c);
            free(values);
        }
        if (is_jako(&scene)) {
            float *hardness = field_of(sim, "hardness");
            for (size_t c = 0; c < cells_of(&scene.def); c++) assert_true(hardness[c] >= 0 && hardness[c] <= 1);
            free(hardness);
        }
        const wadi_mass mass = wadi_sim_mass(sim);
        /* each sub-step rounds the depths; there may be 1000 in a step, with most of the water in one cell */
        const double rounding = 4 * 0x1p-24 * sqrt((double)(200 * wadi_def_safety(&scene.def).substeps));
        const double water = mass.water.before + mass.water.in + fabs(mass.exchanged);
        if (fabs(mass.water.residual) > fmax(1e-5, rounding) * water + 1e-6)
            fail_msg("run %d, %s: water residual %g of %g", i, model, mass.water.residual, water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void numbers_that_make_checkerboards_are_warned_of(void **state) {
    (void)state;
    for (int m = 0; m < COUNT(pipe_models); m++) {
        scene scene = scene_of(pipe_models[m], 4, 4, 1);
        set(&scene, "Kc", 1);
        set(&scene, "Ks", m ? 0.45 : 0.009);
        assert_null(wadi_def_safety(&scene.def).warning);
        set(&scene, "Ks", m ? 0.55 : 0.011);
        assert_non_null(wadi_def_safety(&scene.def).warning);
        scene_free(&scene);
    }
}

/* --- the formulas' intentions --- */

static float deepest_cut(scene *scene, int64_t steps) {
    wadi_sim *sim = run(scene, steps);
    float *erosion = field_of(sim, "erosion");
    const float deepest = largest_of(erosion, cells_of(&scene->def));
    free(erosion);
    wadi_sim_destroy(sim);
    return deepest;
}

/* Under the falling ramp deep water spares the bed, under the printed one it is shallow water that does. */
static void deep_water_digs_as_the_depth_limit_says(void **state) {
    (void)state;
    double dug[3][2];
    for (int limit = 0; limit < 3; limit++)
        for (int deep = 0; deep < 2; deep++) {
            scene scene = scene_of("jako2011", 30, 6, 1);
            static const char *const limits[] = {"falls", "as-printed", "off"};
            choose(&scene, "depth_limit", limits[limit]);
            set_thermal(&scene, false);
            set_rain(&scene, 0);
            set(&scene, "Kdmax", 8);
            float *water = scene_field(&scene, "water");
            for (int c = 0; c < 180; c++) water[c] = (deep ? 7 : 1) + (c % 30 < 15 ? 0.5f : 0); /* a wave */
            dug[limit][deep] = (double)deepest_cut(&scene, 30);
            scene_free(&scene);
        }
    const double falls = dug[0][1] / dug[2][1], shallow = dug[0][0] / dug[2][0];
    const double printed = dug[1][1] / dug[2][1], printed_shallow = dug[1][0] / dug[2][0];
    if (!(falls < 0.2 && shallow > 0.7 && printed > 0.8 && printed_shallow < 0.3))
        fail_msg("of what no limit digs: falls %.2f deep, %.2f shallow; as printed %.2f, %.2f", falls, shallow, printed,
                 printed_shallow);
}

static void masked_and_hard_ground_stays(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 24, 24, 1);
    make_hills(&scene, 15, 5);
    set_thermal(&scene, false);
    float *mask = scene_field(&scene, "mask"), *hardness = scene_field(&scene, "hardness");
    for (int c = 0; c < 576; c++) {
        mask[c] = c % 24 < 8 ? 0 : 1;
        hardness[c] = c % 24 < 16 ? 0.2f : 1;
    }
    wadi_sim *sim = run(&scene, 300);
    float *change = field_of(sim, "change");
    double dug = 0;
    for (int c = 0; c < 576; c++) {
        if (c % 24 < 8) assert_true(bits_of(change[c]) == 0);
        if (c % 24 >= 8 && c % 24 < 16 && change[c] < 0) dug -= (double)change[c];
        if (c % 24 > 16 && c < 24) assert_true(change[c] > -0.5f);
    }
    assert_true(dug > 1);
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* The result of the same 12 s hardly depends on the step. (How fast friction lets water flow: test_waves.c.) */
static void the_step_hardly_matters(void **state) {
    (void)state;
    double rms[3];
    for (int i = 0; i < 3; i++) {
        scene scene = scene_of("jako2011", 64, 64, 1);
        scene.def.boundary = WADI_OPEN;
        make_hills(&scene, 20, 8);
        set(&scene, "Kc", 0.2);
        set(&scene, "dt", 0.02 / (1 << i));
        wadi_sim *sim = run(&scene, 600 << i);
        float *change = field_of(sim, "change");
        rms[i] = rms_of(change, cells_of(&scene.def));
        free(change);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
    print_message("rms change at dt 0.02, 0.01, 0.005: %.4f, %.4f, %.4f m\n", rms[0], rms[1], rms[2]);
    assert_true(fabs(rms[1] / rms[0] - 1) < 0.2 && fabs(rms[2] / rms[0] - 1) < 0.2);
}

/* --- the papers' figures in small --- */

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

/* Mei, Fig. 5: rain on a basin carries its sides towards its centre, where a plain grows. */
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

/* Mei, Fig. 6: rain on a slope digs everywhere, a source one bed: the share of cells that were dug a tenth of the
 * deepest. */
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

/* Mei, Fig. 4: a bed that is dammed is left for another. */
static void a_dammed_river_goes_round(void **state) {
    (void)state;
    double beyond[2];
    for (int dam = 0; dam < 2; dam++) {
        scene scene = scene_of("mei2007", 33, 40, 1);
        scene.def.boundary = WADI_OPEN;
        set_rain(&scene, 0);
        for (int c = 0; c < 33 * 40; c++) {
            const int x = c % 33, y = c / 33; /* a slope with a groove, across which the dam stands */
            scene.field[0][c] = (float)(40 - y) * 0.3f + (float)abs(x - 16) * 0.05f;
            if (dam && y == 20 && abs(x - 16) < 5) scene.field[0][c] += 3;
        }
        add_source(&scene, 16.5, 4.5, 1, 1);
        wadi_sim *sim = run(&scene, 1500);
        float *flow = field_of(sim, "flow");
        beyond[dam] = 0;
        for (int x = 0; x < 33; x++) /* past where the dam's ends are, of the row behind it */
            if (abs(x - 16) >= 5) beyond[dam] += (double)flow[21 * 33 + x];
        free(flow);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
    if (!(beyond[1] > 3 * beyond[0] + 0.1)) fail_msg("beside the dam: %g m3/s, without it %g", beyond[1], beyond[0]);
}

/* Jako, Fig. 7: thermal erosion lowers the steepest slope; with water alone it does not. */
static void thermal_erosion_lowers_the_steepest_slope(void **state) {
    (void)state;
    static const char *const hydraulic[] = {"off", "on", "on"}, *const thermal[] = {"on", "off", "on"};
    double steepest[4] = {0};
    for (int i = 0; i < 4; i++) {
        scene scene = scene_of("jako2011", 48, 48, 1);
        scene.def.boundary = WADI_OPEN;
        generate(&scene, "diamond-square", 30);
        if (i < 3) choose(&scene, "hydraulic", hydraulic[i]);
        if (i < 3) choose(&scene, "thermal", thermal[i]);
        set(&scene, "Kc", 0.2);
        set(&scene, "Kt", 1);
        wadi_sim *sim = run(&scene, i < 3 ? 1000 : 0);
        float *height = field_of(sim, "height");
        for (int y = 0; y < 48; y++)
            for (int x = 1; x < 48; x++)
                steepest[i] = fmax(steepest[i], fabs((double)height[y * 48 + x] - (double)height[y * 48 + x - 1]));
        free(height);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
    print_message("steepest: %.2f in the beginning; thermal %.2f, hydraulic %.2f, both %.2f\n", steepest[3],
                  steepest[0], steepest[1], steepest[2]);
    assert_true(steepest[0] < 0.8 * steepest[3] && steepest[2] < steepest[1] && steepest[2] < 0.9 * steepest[3]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_allowed_parameters_stay_finite),
        cmocka_unit_test(numbers_that_make_checkerboards_are_warned_of),
        cmocka_unit_test(deep_water_digs_as_the_depth_limit_says),
        cmocka_unit_test(masked_and_hard_ground_stays),
        cmocka_unit_test(the_step_hardly_matters),
        cmocka_unit_test(a_basins_centre_flattens),
        cmocka_unit_test(rain_digs_many_channels_and_a_source_one),
        cmocka_unit_test(a_dammed_river_goes_round),
        cmocka_unit_test(thermal_erosion_lowers_the_steepest_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
