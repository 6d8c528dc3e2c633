/* neidhold2005: water on a plane reaches the speed that friction allows, and the step length hardly matters.
 * Evaporation depends on the altitude. Showers fall at the right places and times. labels: physics */
#include "scene.h"
#include "wadi/analysis.h"
#include "wadi/terrain.h"

/* The paper's friction, and more rain than the preset has. */
static void use_preset(scene *scene, wadi_boundary boundary) {
    const wadi_model *model = scene->def.model;
    OK(wadi_def_preset(&scene->def, wadi_preset_find("runnels", &model)));
    scene->def.boundary = boundary;
    scene->def.values[wadi_model_parameter_index(model, "rain_peak")] *= 15;
}

static scene plain_scene(int width, int height, double l, wadi_boundary boundary) {
    scene made = scene_of("neidhold2005", width, height, l);
    use_preset(&made, boundary);
    return made;
}

static void no_rain(scene *scene) {
    set(scene, "rain_interval", 0);
    set(scene, "KE", 0);
}

/* --- the physics --- */

/* 1000 steps of the paper's 1 s, with 17 sub-steps each. Without `rest`, rounding would change 2e-6 of what moves. */
static void mass_is_kept_over_a_thousand_long_steps(void **state) {
    (void)state;
    for (int border = 0; border < 3; border++) {
        scene scene = plain_scene(24, 20, 1, (wadi_boundary)border);
        make_hills(&scene, 25, 6);
        fill(scene_field(&scene, "water"), &scene.def, 0.1f);
        add_source(&scene, 12, 8, 3, 0.5);
        assert_int_equal(wadi_def_safety(&scene.def).substeps, 17);
        wadi_sim *sim = run(&scene, 1000);
        const wadi_mass mass = mass_of(sim);
        const double solid = fabs(mass.solid.residual) / mass.moved, water = fabs(mass.water.residual) / mass.water.in;
        if (!(mass.moved > 100 && solid <= 1e-6 && water <= 1e-6))
            fail_msg("%s: solid %g of what moved, water %g of what came", scene_boundaries[border], solid, water);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Uniform water on a plane: from rest to g*m/(1 + m^2)/KA along it, and m times that down. */
static void water_on_a_plane_reaches_its_speed(void **state) {
    (void)state;
    for (int turned = 0; turned < 2; turned++)
        for (int steep = 0; steep < 6; steep++) {
            const bool split =
                steep >= 3; /* slow water also goes sideways and over the border: the rest is disturbed */
            const double slope = steep % 3 == 0 ? 0.1 : steep % 3 == 1 ? 0.4 : 1, tolerance = split ? 0.03 : 0.002;
            scene scene = plain_scene(turned ? 8 : 500, turned ? 500 : 8, 1, WADI_OPEN);
            no_rain(&scene);
            set(&scene, "KC", 0);
            if (!split) set(&scene, "v_split", 0);
            float *height = scene_field(&scene, "height"), *water = scene_field(&scene, "water");
            for (int i = 0; i < 4000; i++) {
                height[i] = (float)(-slope * (turned ? i / 8 : i % 500));
                water[i] = 1e-4f; /* thin: an open border draws deep water sideways */
            }
            wadi_sim *sim = run(&scene, 22);
            const double along = 9.81 * slope / (1 + slope * slope) / 0.3;
            float *u = field_of(sim, turned ? "v" : "u"), *w = field_of(sim, "w"), *d = field_of(sim, "d");
            const int middle = turned ? 450 * 8 + 4 : 4 * 500 + 450; /* the upper end has no influence here yet */
            if (getenv("WADI_SHOW") != NULL)
                printf("slope %g: %.5f for %.5f m/s, down %.5f, depth %.6f\n", slope, (double)u[middle], along,
                       (double)w[middle], (double)d[middle]);
            assert_true(fabs((double)u[middle] / along - 1) < tolerance);
            assert_true(fabs((double)w[middle] / (along * slope) + 1) < tolerance);
            if (!split) assert_true(fabs((double)d[middle] / 1e-4 - 1) < 0.02);
            free(u), free(w), free(d);
            wadi_sim_destroy(sim);
            scene_free(&scene);
        }
}

static double change_after(double dt_s, double seconds, bool printed) {
    scene scene = scene_of("neidhold2005", 64, 64, 30);
    static const char *const names[] = {"r",  "rain_interval", "rain_peak", "KA", "KF", "KC", "KD", "KS",
                                        "KE", "v_split",       "k",         "kv", "g"};
    scene.def.boundary = WADI_OPEN;
    scene.def.allow_out_of_range = true;
    for (int i = 0; i < COUNT(names); i++) { /* values for cells of 1 m, as in the world */
        const int p = wadi_model_parameter_index(scene.def.model, names[i]);
        scene.def.values[p] = scene.def.model->parameters[p].standard;
    }
    set(&scene, "dt", dt_s);
    if (printed) choose(&scene, "scaling", "as-printed");
    make_hills(&scene, 300, 4);
    wadi_sim *sim = run(&scene, (int64_t)(seconds / dt_s));
    float *change = field_of(sim, "change");
    const double rms = rms_of(change, cells_of(&scene.def));
    free(change);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return rms;
}

static void results_hardly_depend_on_the_step(void **state) {
    (void)state;
    const double whole = change_after(1, 300, false), half = change_after(0.5, 300, false);
    const double quarter = change_after(0.25, 300, false);
    if (getenv("WADI_SHOW") != NULL) {
        printf("rms change: %.4f %.4f %.4f\n", whole, half, quarter);
        printf("as printed: %.4f %.4f %.4f\n", change_after(1, 300, true), change_after(0.5, 300, true),
               change_after(0.25, 300, true));
    }
    assert_true(whole > 0);
    assert_true(fabs(half / whole - 1) < 0.15 && fabs(quarter / whole - 1) < 0.15);
}

/* A still lake over an uneven bed, for one step: each depth decays by KE, by its bed's height, or by 1 minus that. */
static void evaporation_depends_on_altitude(void **state) {
    (void)state;
    static const char *const kinds[] = {"depth", "altitude", "lowland"};
    for (int kind = 0; kind < COUNT(kinds); kind++) {
        scene scene = plain_scene(16, 16, 1, WADI_CLOSED);
        no_rain(&scene);
        set(&scene, "dt", 0.05);
        set(&scene, "KE", 0.5);
        choose(&scene, "evaporation", kinds[kind]);
        float *height = scene_field(&scene, "height"), *water = scene_field(&scene, "water");
        for (int i = 0; i < 256; i++) {
            height[i] = 0.125f * (float)(i * 7919 % 65); /* 0 to 8 m */
            water[i] = 16 - height[i];
        }
        wadi_sim *sim = run(&scene, 1);
        float *now = field_of(sim, "water");
        for (int i = 0; i < 256; i++) {
            const double high = (double)height[i] / 8, part = kind == 0 ? 1 : kind == 1 ? high : 1 - high;
            const double expected = (double)water[i] * exp(-0.05 * 0.5 * part);
            if (fabs((double)now[i] / expected - 1) > 2e-6)
                fail_msg("%s: %.7f m, %.7f expected", kinds[kind], (double)now[i], expected);
        }
        free(now);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* --- rain and sources --- */

static wadi_sim *shower(const scene *scene) {
    wadi_sim *sim = start(scene);
    OK(wadi_sim_step(sim, 1));
    return sim;
}

static void showers_fall_evenly_and_on_the_heights(void **state) {
    (void)state;
    scene scene = plain_scene(64, 48, 1, WADI_CLOSED);
    set(&scene, "dt", 1e-6);
    set(&scene, "rain_points", 0.1);
    set(&scene, "KE", 0);
    set(&scene, "rain_peak", 0.5);
    float *height = scene_field(&scene, "height");
    for (int i = 0; i < 64 * 48; i++) height[i] = i % 64 < 32 ? 50 : 100; /* a wall: no water passes it in 1e-6 s */
    height[0] = 0;
    for (uint64_t seed = 0; seed < 10; seed++) {
        scene.def.seed = seed;
        wadi_sim *sim = shower(&scene);
        float *water = field_of(sim, "water");
        int points[4][4] = {{0}}, all = 0;
        for (int y = 0; y < 48; y++)
            for (int x = 0; x < 64; x++) {
                const double peak = x < 32 ? 0.125 : 0.5, depth = (double)water[y * 64 + x];
                const int count = (int)floor(depth / peak + 0.5);
                if (y * 64 + x > 0) assert_true(fabs(depth - peak * count) < 1e-3);
                points[y / 12][x / 16] += count, all += count;
            }
        assert_true(all >= 300 && all <= 309); /* a tenth of 3072 */
        for (int i = 0; i < 16; i++)
            assert_true(points[i / 4][i % 4] >= 14 && points[i / 4][i % 4] <= 25); /* of 19.2 */
        free(water);
        OK(wadi_sim_step(sim, 5)); /* the next interval is 10 s away */
        const wadi_mass mass = mass_of(sim);
        assert_true(mass.rained < 0.5 * all);
        wadi_sim_destroy(sim);
    }
    scene_free(&scene);
}

/* One shower an interval, whatever the steps. After many, the whole grid has had rain. */
static void showers_come_in_time(void **state) {
    (void)state;
    for (int i = 0; i < 6; i++) {
        scene scene = plain_scene(30, 20, 1, WADI_CLOSED);
        const int step = i % 3;
        set(&scene, "dt", step == 0 ? 1 : step == 1 ? 0.3 : 7);
        choose(&scene, "rain_times", i < 3 ? "even" : "random"); /* one in each interval all the same */
        set(&scene, "rain_interval", 2);
        set(&scene, "KC", 0);
        set(&scene, "rain_peak", 0.5);
        set(&scene, "rain_points", 0.05); /* 30 points */
        float *height = scene_field(&scene, "height");
        fill(height, &scene.def, 1);
        height[7] = 0;
        wadi_sim *sim = run(&scene, step == 0 ? 42 : step == 1 ? 140 : 6); /* 42 s */
        const double showers = mass_of(sim).rained / (0.5 * 30);
        if (!(showers > 20.4 && showers < 21.1)) fail_msg("%d: %g showers", i, showers); /* the low cell gets none */
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* More intervals in a step than an integer counts. */
static void any_interval_can_be_given(void **state) {
    (void)state;
    scene scene = plain_scene(30, 20, 1, WADI_CLOSED);
    set(&scene, "rain_interval", 1e-300);
    scene_field(&scene, "height")[7] = 1;
    wadi_sim *sim = run(&scene, 3);
    assert_true(mass_of(sim).rained > 0 && mass_of(sim).rained < 1e6);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Each interval has one at a time of its own, which the seed decides. */
static void random_showers_keep_no_beat(void **state) {
    (void)state;
    double sum = 0, least = 1, most = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        scene scene = plain_scene(30, 20, 1, WADI_CLOSED);
        scene.def.seed = seed;
        choose(&scene, "rain_times", "random");
        set(&scene, "dt", 0.1);
        set(&scene, "rain_interval", 2);
        scene_field(&scene, "height")[7] = -1;
        wadi_sim *sim = start(&scene);
        for (int interval = 0; interval < 10; interval++) {
            int falls = 0;
            for (int part = 0; part < 20; part++) {
                const double before = mass_of(sim).rained;
                OK(wadi_sim_step(sim, 1));
                if (!(mass_of(sim).rained > before)) continue;
                falls++;
                sum += part / 20.0, least = fmin(least, part / 20.0), most = fmax(most, part / 20.0);
            }
            assert_int_equal(falls, 1);
        }
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
    if (!(least < 0.15 && most > 0.8 && fabs(sum / 40 - 0.475) < 0.12))
        fail_msg("from %g to %g of the interval, at %g in the mean", least, most, sum / 40);
}

/* A thin film on a long plane gets half its depth of rain in one step: its momentum stays (5-7). The older form gives
 * the rain the speed of the film. */
static void rain_brings_no_momentum(void **state) {
    (void)state;
    for (int moving = 0; moving < 2; moving++) {
        scene scene = plain_scene(300, 8, 1, WADI_OPEN);
        no_rain(&scene);
        set(&scene, "KC", 0);
        set(&scene, "v_split", 0);
        set(&scene, "dt", 0.01);
        choose(&scene, "rain_landing", moving ? "moving" : "at-rest");
        float *height = scene_field(&scene, "height"), *water = scene_field(&scene, "water");
        for (int i = 0; i < 2400; i++) height[i] = (float)(-0.4 * (i % 300)), water[i] = 1e-3f;
        wadi_sim *sim = run(&scene, 300);
        double momentum[2] = {0};
        for (int after = 0; after < 2; after++) {
            float *d = field_of(sim, "d"), *u = field_of(sim, "u");
            for (int x = 150; x < 250; x++) momentum[after] += (double)d[4 * 300 + x] * (double)u[4 * 300 + x];
            free(d), free(u);
            if (after) break;
            OK(wadi_sim_set_parameter(sim, "r", 0.05));
            OK(wadi_sim_step(sim, 1));
        }
        /* the new water is pushed for one step: g*m/(1 + m^2)*dt */
        const double fell = 0.05 * 0.01 * 100, pushed = fell * 9.81 * 0.4 / 1.16 * 0.01,
                     grown = momentum[1] - momentum[0];
        const double taken = moving ? momentum[0] * 0.5 : 0;
        if (getenv("WADI_SHOW") != NULL) printf("momentum %g, then %g\n", momentum[0], momentum[1]);
        if (!(momentum[0] > 0.3 && fabs(grown - taken - pushed) < 0.02 * momentum[0]))
            fail_msg("momentum %g, then %g", momentum[0], momentum[1]);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* Resting water that can leave to one corner alone. Directional: its slope along each axis is half of its fall; as
 * printed, the whole (10). */
static void split_water_goes_by_its_derivative(void **state) {
    (void)state;
    for (int printed = 0; printed < 2; printed++) {
        scene scene = plain_scene(5, 5, 1, WADI_CLOSED);
        no_rain(&scene);
        set(&scene, "KC", 0);
        set(&scene, "k", 0);
        set(&scene, "kv", 0);
        set(&scene, "dt", 0.01);
        choose(&scene, "split", printed ? "as-printed" : "directional");
        fill(scene.field[0], &scene.def, 1);
        scene.field[0][12] = 0.5f, scene.field[0][18] = 0.25f;
        scene_field(&scene, "water")[12] = 0.25f;
        wadi_sim *sim = run(&scene, 1);
        float *u = field_of(sim, "u");
        const double m = printed ? 0.5 : 0.25, expected = 9.81 * 0.01 * m / (1 + 2 * m * m);
        if (fabs((double)u[12] / expected - 1) > 1e-4) fail_msg("%g m/s, %g expected", (double)u[12], expected);
        free(u);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void a_source_gives_its_rate(void **state) {
    (void)state;
    scene scene = plain_scene(40, 40, 1, WADI_CLOSED);
    no_rain(&scene);
    set(&scene, "dt", 1e-3);
    set(&scene, "eps", 1e-9);
    add_source(&scene, 20.5, 20.5, 6, 2);
    wadi_sim *sim = run(&scene, 1);
    float *water = field_of(sim, "water");
    const double rained = mass_of(sim).rained, centre = (double)water[20 * 40 + 20];
    assert_true(fabs(rained / 2e-3 - 1) < 1e-5);
    assert_true(fabs((double)water[20 * 40 + 23] / centre - exp(-0.5)) < 0.01); /* 2 r^2 / R^2 */
    assert_true(water[20 * 40 + 29] > 0 && water[20 * 40 + 31] <= 0);
    free(water);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* The height of the highest one-cell tower over all its neighbours, minus its height before. */
static double tallest_tower(const wadi_def *def, const float *before, const float *now) {
    double tallest = 0;
    for (int y = 0; y < def->height; y++)
        for (int x = 0; x < def->width; x++) {
            double over[2] = {INFINITY, INFINITY};
            for (int i = 0; i < 9; i++) {
                const int nx = x + i % 3 - 1, ny = y + i / 3 - 1, at = y * def->width + x, n = ny * def->width + nx;
                if (i == 4 || nx < 0 || ny < 0 || nx >= def->width || ny >= def->height) continue;
                over[0] = fmin(over[0], (double)before[at] - (double)before[n]);
                over[1] = fmin(over[1], (double)now[at] - (double)now[n]);
            }
            tallest = fmax(tallest, over[1] - fmax(0, over[0]));
        }
    return tallest;
}

/* Fast water passes over a cell much higher than itself. Its deposits once made towers of one cell: 5 m at the border
 * of the first terrain, 12 m inside the second. */
static void deposits_make_no_towers(void **state) {
    (void)state;
    static const struct {
        const char *preset, *terrain;
        int cells, seed, relief_m, steps;
    } cases[] = {{"ravines", "diamond-square", 48, 2, 12, 1200}, {"runnels", "noise", 64, 1, 40, 600}};
    for (int i = 0; i < COUNT(cases); i++) {
        scene scene = scene_of("neidhold2005", cases[i].cells, cases[i].cells, 1);
        const wadi_model *model = scene.def.model;
        OK(wadi_def_preset(&scene.def, wadi_preset_find(cases[i].preset, &model)));
        wadi_terrain terrain = wadi_default_terrain(cases[i].terrain, cases[i].cells, cases[i].cells);
        terrain.seed = (uint64_t)cases[i].seed;
        terrain.relief_m = cases[i].relief_m;
        OK(wadi_terrain_generate(&terrain, scene.field[0]));
        wadi_sim *sim = run(&scene, cases[i].steps);
        float *now = field_of(sim, "height");
        const double tower = tallest_tower(&scene.def, scene.field[0], now);
        if (tower > 0.5) fail_msg("%s: a tower of %g m", cases[i].preset, tower);
        free(now);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* On every kind of terrain, with every second preset: nothing rises above the terrain, and no cell far above those
 * beside it. */
static void no_terrain_grows_needles(void **state) {
    (void)state;
    static const float mask[16] = {0, 1, 1, 0, 0, 1};
    size_t kinds, count;
    const wadi_terrain_kind *all = wadi_terrain_kinds(&kinds);
    const wadi_preset *presets = wadi_model_presets(wadi_model_find("neidhold2005"), &count);
    for (size_t i = 0; i < kinds * count; i++) {
        if ((i / count + i % count) % 2 != 0) continue;
        scene scene = scene_of("neidhold2005", 48, 48, 1);
        wadi_terrain terrain = wadi_default_terrain(all[i / count].name, 48, 48);
        OK(wadi_def_preset(&scene.def, &presets[i % count]));
        scene.def.boundary = i % 2 == 0 ? WADI_OPEN : WADI_CLOSED;
        terrain.seed = i + 1;
        terrain.relief_m = 12;
        terrain.mask = mask, terrain.mask_width = terrain.mask_height = 4;
        OK(wadi_terrain_generate(&terrain, scene.field[0]));
        wadi_sim *sim = run(&scene, 60);
        float *now = field_of(sim, "height");
        const double risen =
            (double)wadi_range_of(now, 48 * 48).maximum - (double)wadi_range_of(scene.field[0], 48 * 48).maximum;
        const double tower = tallest_tower(&scene.def, scene.field[0], now);
        if (risen > 0.01 || tower > 0.3)
            fail_msg("%s, %s: a tower of %g m, and up to %g m above the terrain", all[i / count].name,
                     presets[i % count].name, tower, risen);
        free(now);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mass_is_kept_over_a_thousand_long_steps),
        cmocka_unit_test(water_on_a_plane_reaches_its_speed),
        cmocka_unit_test(results_hardly_depend_on_the_step),
        cmocka_unit_test(evaporation_depends_on_altitude),
        cmocka_unit_test(showers_fall_evenly_and_on_the_heights),
        cmocka_unit_test(showers_come_in_time),
        cmocka_unit_test(any_interval_can_be_given),
        cmocka_unit_test(random_showers_keep_no_beat),
        cmocka_unit_test(rain_brings_no_momentum),
        cmocka_unit_test(split_water_goes_by_its_derivative),
        cmocka_unit_test(a_source_gives_its_rate),
        cmocka_unit_test(deposits_make_no_towers),
        cmocka_unit_test(no_terrain_grows_needles),
    };
    cmocka_set_test_filter(getenv("WADI_ONLY")); /* NULL: all */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
