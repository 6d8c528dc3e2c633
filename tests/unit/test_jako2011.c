/* jako2011: thermal erosion, deep water, masks, hardness, bed that turns into water, and the paper's figures at a small
 * scale. Thermal erosion ends at the talus angle and conserves solid. labels: physics */
#include "scene.h"

#include "wadi/terrain.h"

/* --- only thermal erosion --- */

static scene slides(int width, int height, wadi_boundary boundary) {
    scene made = scene_of("jako2011", width, height, 1);
    made.def.boundary = boundary;
    choose(&made, "hydraulic", "off");
    set(&made, "dt", 0.03);
    set(&made, "Kt", 2.5);
    return made;
}

/* The steepest slope to any of the 8 neighbours, divided by the talus of the upper cell. The seam of a periodic grid is
 * left out. */
static double steepest(const scene *scene, const float *height, const float *hardness, double Ka, double Ki) {
    static const int way[8][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, 1}, {1, -1}, {-1, 1}};
    const int w = scene->def.width, h = scene->def.height;
    double most = 0;
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++)
            for (int n = 0; n < 8; n++) {
                const double across = way[n][0] * scene->def.lx, down = way[n][1] * scene->def.ly;
                const double fall = (double)height[y * w + x] - (double)height[(y + way[n][1]) * w + x + way[n][0]];
                const double talus = (double)hardness[y * w + x] * Ka + Ki;
                const double slope = fall / sqrt(across * across + down * down) / talus;
                most = slope > most ? slope : most;
            }
    return most;
}

static void make(scene *scene, int shape) {
    float *height = scene_field(scene, "height");
    const int w = scene->def.width, h = scene->def.height;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const double across = (x + 0.5 - 0.5 * w) * scene->def.lx, down = (y + 0.5 - 0.5 * h) * scene->def.ly;
            const double cone = 0.4 * w - sqrt(across * across + down * down);
            height[y * w + x] =
                shape == 0 ? (float)(cone > 0 ? 2 * cone : 0) : (float)(shape == 1 && y == h / 2 ? 6 : 0);
        }
    if (shape == 2) make_hills(scene, 30, 91);
    if (shape == 2) add_noise(height, &scene->def, 1, 8, 92);
}

static void slopes_end_at_the_talus_angle(void **state) {
    (void)state;
    double worst = 0;
    for (int shape = 0; shape < 3; shape++)
        for (int variant = 0; variant < 8; variant++) {
            scene scene = slides(17, 15, (wadi_boundary)(variant % 3));
            scene.def.ly = variant % 2 ? 1.5 : 1;
            if (variant == 6) scene.def.engine = WADI_ENGINE_REFERENCE;
            make(&scene, shape);
            if (variant & 4) fill_random(scene_field(&scene, "hardness"), &scene.def, 0.1f, 0.9f, 93);
            if (variant & 2) fill(scene_field(&scene, "Ka"), &scene.def, 0.5f);
            const double Ka = variant & 2 ? 0.5 : 0.8;
            wadi_sim *sim = start(&scene);
            float *before = field_of(sim, "height"), *hardness = field_of(sim, "hardness");
            OK(wadi_sim_step(sim, 5000));
            float *after = field_of(sim, "height");
            const double first = steepest(&scene, before, hardness, Ka, 0.1);
            const double last = steepest(&scene, after, hardness, Ka, 0.1);
            const wadi_mass mass = mass_of(sim);
            assert_true(first > 1.5);
            if (last > 1.05) /* within the tolerance of the step */
                fail_msg("shape %d variant %d: %.3f of the talus, was %.3f", shape, variant, last, first);
            worst = last > worst ? last : worst;
            const double made = sum_of(after, cells_of(&scene.def)) - sum_of(before, cells_of(&scene.def));
            assert_true(mass.moved > 1);
            if (fabs(mass.solid.residual) > 1e-6 * mass.moved || fabs(made) > 1e-6 * mass.moved)
                fail_msg("shape %d variant %d: residual %g of %g, %g made", shape, variant, mass.solid.residual,
                         mass.moved, made);
            free(before);
            free(after);
            free(hardness);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
    print_message("steepest slope in the end: %.4f of the talus angle's tangent\n", worst);
}

/* A ramp is stable just below R*Ka + Ki and slides just above, for any R. `as-printed` keeps the talus and scales the
 * rate. */
static void the_talus_angle_grows_with_hardness(void **state) {
    (void)state;
    for (int printed = 0; printed < 2; printed++)
        for (int i = 0; i <= 10; i++)
            for (int above = 0; above < 2; above++) {
                const double R = i / 10.0, slope = (R * 0.8 + 0.1) * (above ? 1.02 : 0.98);
                scene scene = slides(9, 9, WADI_CLOSED);
                set(&scene, "R", R);
                choose(&scene, "hardness", printed ? "as-printed" : "solid");
                for (int c = 0; c < 81; c++) scene.field[0][c] = (float)(slope * (c / 9));
                wadi_sim *sim = run(&scene, 5);
                const double moved = mass_of(sim).moved;
                const bool soft = printed ? i > 0 : i < 10;
                if ((moved > 0) != (above && soft)) fail_msg("R %.1f, slope %.4f: %g moved", R, slope, moved);
                wadi_sim_destroy(sim);
                scene_free(&scene);
            }
}

/* The first step takes dt*Kt*(1-R)*H/2 from the higher of two levels (R itself as printed), and nothing from masked
 * cells. */
static void the_rate_shrinks_with_hardness(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        scene scene = slides(5, 5, WADI_CLOSED);
        set(&scene, "R", 0.25);
        choose(&scene, "hardness", i & 1 ? "as-printed" : "solid");
        scene.field[0][12] = 4;
        if (i & 2) fill(scene_field(&scene, "mask"), &scene.def, 0.5f);
        wadi_sim *sim = run(&scene, 1);
        float *change = field_of(sim, "change");
        const double expected = -0.03 * 2.5 * (i & 1 ? 0.25 : 0.75) * 4 / 2 * (i & 2 ? 0.5 : 1);
        assert_true(fabs((double)change[12] - expected) < 1e-6);
        assert_true(bits_of(change[7]) == bits_of(change[11]) && bits_of(change[6]) == bits_of(change[18]));
        /* in proportion to the height differences */
        assert_true(change[7] > 0 && fabs((double)change[7] + expected / 8) < 1e-6);
        free(change);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Nothing slides onto or off masked ground, into cells without data, or over any border. */
static void masked_ground_does_not_slip(void **state) {
    (void)state;
    scene scene = slides(12, 12, WADI_OPEN);
    make_hills(&scene, 30, 94);
    float *mask = scene_field(&scene, "mask");
    for (int c = 0; c < 144; c++) mask[c] = c % 12 < 6 ? 0 : 1;
    scene.field[0][100] = NAN;
    wadi_sim *sim = run(&scene, 400);
    float *change = field_of(sim, "change");
    for (int c = 0; c < 144; c++)
        if (c % 12 < 6 && !isnan(change[c])) assert_true(bits_of(change[c]) == 0);
    const wadi_mass mass = mass_of(sim);
    assert_true(mass.moved > 1 && fabs(mass.solid.residual) < 1e-6 * mass.moved);
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* --- water --- */

static float deepest_cut(scene *scene, int64_t steps) {
    wadi_sim *sim = run(scene, steps);
    float *erosion = field_of(sim, "erosion");
    const float deepest = largest_of(erosion, cells_of(&scene->def));
    free(erosion);
    wadi_sim_destroy(sim);
    return deepest;
}

/* Under the falling ramp deep water protects the bed; under the printed ramp shallow water does. */
static void the_depth_limit_protects_deep_or_shallow_beds(void **state) {
    (void)state;
    double dug[3][2];
    for (int limit = 0; limit < 3; limit++)
        for (int deep = 0; deep < 2; deep++) {
            scene scene = scene_of("jako2011", 30, 6, 1);
            static const char *const limits[] = {"falls", "as-printed", "off"};
            choose(&scene, "depth_limit", limits[limit]);
            choose(&scene, "thermal", "off");
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
    choose(&scene, "thermal", "off");
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

/* After 12 s the result hardly depends on the step. (test_waves.c tests the speed that friction allows.) */
static void results_hardly_depend_on_the_step(void **state) {
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

/* With 12c and 13c solid turns into water and water into solid; without them it does not. */
static void dissolved_bed_becomes_water_on_request(void **state) {
    (void)state;
    for (int on = 0; on < 2; on++) {
        scene scene = scene_of("jako2011", 20, 15, 1);
        make_hills(&scene, 12, 4);
        choose(&scene, "water_exchange", on ? "on" : "off");
        set(&scene, "Kc", 0.1);
        wadi_sim *sim = run(&scene, 200);
        const wadi_mass mass = mass_of(sim);
        assert_true((mass.exchanged > 0 || mass.exchanged < 0) == on);
        assert_true(fabs(mass.water.residual) <= 1e-6 * (mass.water.in + mass.water.before));
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void numbers_that_make_checkerboards_are_warned_of(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 4, 4, 1);
    set(&scene, "Kc", 1);
    set(&scene, "Ks", 0.45);
    assert_null(wadi_def_safety(&scene.def).warning);
    set(&scene, "Ks", 0.55);
    assert_non_null(wadi_def_safety(&scene.def).warning);
    scene_free(&scene);
}

static void generate(scene *scene, const char *kind, double relief) {
    wadi_terrain terrain = wadi_default_terrain(kind, scene->def.width, scene->def.height);
    terrain.relief_m = relief;
    terrain.threads = 1;
    OK(wadi_terrain_generate(&terrain, scene_field(scene, "height")));
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

/* (1): Kr times r. A map of r says where it rains, and Kr how much. */
static void rain_is_Kr_times_r(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 12, 10, 1);
    set(&scene, "Kr", 0.01);
    set(&scene, "Ke", 0);
    set(&scene, "dt", 0.01);
    float *r = scene_field(&scene, "r");
    double all = 0;
    for (int i = 0; i < 120; i++) all += (double)(r[i] = 0.25f * (float)(i % 9));
    wadi_sim *sim = start(&scene);
    OK(wadi_sim_step(sim, 1));
    assert_true(fabs(mass_of(sim).rained / (0.01 * 0.01 * all) - 1) < 1e-5);
    OK(wadi_sim_set_parameter(sim, "Kr", 0.03)); /* the map stays */
    OK(wadi_sim_step(sim, 1));
    assert_true(fabs(mass_of(sim).rained / (0.01 * 0.04 * all) - 1) < 1e-5);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rain_is_Kr_times_r),
        cmocka_unit_test(slopes_end_at_the_talus_angle),
        cmocka_unit_test(the_talus_angle_grows_with_hardness),
        cmocka_unit_test(the_rate_shrinks_with_hardness),
        cmocka_unit_test(masked_ground_does_not_slip),
        cmocka_unit_test(the_depth_limit_protects_deep_or_shallow_beds),
        cmocka_unit_test(masked_and_hard_ground_stays),
        cmocka_unit_test(results_hardly_depend_on_the_step),
        cmocka_unit_test(dissolved_bed_becomes_water_on_request),
        cmocka_unit_test(numbers_that_make_checkerboards_are_warned_of),
        cmocka_unit_test(thermal_erosion_lowers_the_steepest_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
