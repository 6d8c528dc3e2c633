/* Sub-steps that follow the deepest water: how many there are, what they change, and the same bits however a run is
 * divided, on all engines. labels: physics */
#define _POSIX_C_SOURCE 200809L /* for setenv */
#include "random_scene.h"

#include "core/inside.h"
#include "gpu_devices.h"

enum { EVERY = 16 };

/* Water alone in cells of 2 m. A step is safe for the largest A, 30 m deep, in six sub-steps. */
static scene water_in(int width, int height, int m) {
    scene made = scene_of(pipe_model(m), width, height, 2);
    made.def.allow_out_of_range = true;
    set(&made, "g", 9.81);
    choose(&made, "pipe_area", "depth");
    choose(&made, "pipes", "8");
    choose(&made, "substeps", "adaptive");
    choose_if(&made, "thermal", "off");
    set(&made, "cf", 0.01);
    set(&made, "Ke", 0);
    set(&made, "Ks", 0);
    set(&made, "Kd", 0);
    set(&made, "A", 30 * 2);
    set(&made, "dt", 5.9 * 0.9 * 2 / sqrt(9.81 * 30));
    set_rain(&made, 0);
    assert_int_equal(wadi_def_safety(&made.def).substeps, 6);
    return made;
}

/* Water in a bowl: 1 m deep at first. */
static scene bowl(int m) {
    scene made = water_in(24, 20, m);
    float *height = scene_field(&made, "height");
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 24; x++) {
            const float u = ((float)x - 11.5f) / 12, v = ((float)y - 9.5f) / 10;
            height[y * 24 + x] = 30 * (u * u + v * v);
        }
    float *water = scene_field(&made, "water");
    for (int i = 0; i < 24 * 20; i++) water[i] = height[i] < 1 ? 1 - height[i] : 0;
    return made;
}

static double deepest(const wadi_sim *sim) {
    float *water = field_of(sim, "water");
    float most = 0;
    for (size_t i = 0; i < cells_of(wadi_sim_def(sim)); i++) most = fmaxf(most, water[i]);
    free(water);
    return (double)most;
}

/* Of the depth: how many 0.9 times the stable step needs, on square cells. */
static double needed(const wadi_sim *sim, double depth) {
    const wadi_def *def = wadi_sim_def(sim);
    return wadi_sim_safety(sim).dt_s / (0.9 * sqrt(def->lx * def->lx / (9.81 * depth)));
}

static void substeps_follow_the_deepest_water(void **state) {
    (void)state;
    for (int m = 0; m < pipe_models(); m++) {
        scene scene = bowl(m);
        wadi_sim *sim = start(&scene);
        int highest = 0;
        for (int i = 0; i < 60; i++) { /* it rains, and then dries */
            if (i == 0) OK(wadi_sim_set_parameter(sim, "rain", 0.03));
            if (i == 30) OK(wadi_sim_set_parameter(sim, "rain", 0));
            if (i == 30) OK(wadi_sim_set_parameter(sim, "Ke", 0.05));
            const double depth = deepest(sim);
            const int64_t before = wadi_sim_substeps(sim);
            OK(wadi_sim_step(sim, EVERY));
            const int64_t done = wadi_sim_substeps(sim) - before;
            const int each = sim->domain->substeps;
            assert_true(done == (int64_t)each * EVERY);
            assert_true(each >= (int)ceil(fmin(needed(sim, depth), 5.9)) && each <= 6);
            assert_true(each <= (int)ceil(needed(sim, depth * 1.1 / 0.75)));
            highest = each > highest ? each : highest;
        }
        assert_int_equal(highest, 6);
        assert_int_equal(sim->domain->substeps, 1);
        assert_true(fabs(mass_of(sim).water.residual) < 1e-4 * mass_of(sim).rained);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* A dam of 16 m breaks into water of 1 m. */
static double *broken_dam(int m, bool adaptive, double most_m) {
    scene scene = water_in(200, 3, m);
    if (!adaptive) choose(&scene, "substeps", "fixed");
    set(&scene, "A", most_m * 2);
    float *water = scene_field(&scene, "water");
    for (int i = 0; i < 600; i++) water[i] = i % 200 < 100 ? 16 : 1;
    wadi_sim *sim = run(&scene, 16);
    float *after = field_of(sim, "water");
    double *depths = malloc(200 * sizeof *depths);
    assert_non_null(depths);
    for (int x = 0; x < 200; x++) depths[x] = (double)after[200 + x];
    if (adaptive) assert_int_equal(sim->domain->substeps, 5);
    free(after);
    wadi_sim_destroy(sim);
    scene_free(&scene);
    return depths;
}

static double difference(const double *a, const double *b) {
    double sum = 0;
    for (int x = 0; x < 200; x++) sum += fabs(a[x] - b[x]) / (200 * 15);
    return sum;
}

/* Waves in deep water have the speed that many fixed sub-steps give them, not that of a low limit. */
static void waves_in_deep_water_keep_their_speed(void **state) {
    (void)state;
    for (int m = 0; m < pipe_models(); m++) {
        double *adaptive = broken_dam(m, true, 30), *fixed = broken_dam(m, false, 30), *slow = broken_dam(m, false, 4);
        if (difference(adaptive, fixed) > 0.04 || difference(slow, fixed) < 0.08)
            fail_msg("%s: %g, slow %g", pipe_model(m), difference(adaptive, fixed), difference(slow, fixed));
        free(adaptive);
        free(fixed);
        free(slow);
    }
}

/* Water that is set between two looks has its speed at once. */
static void water_that_is_set_is_looked_at(void **state) {
    (void)state;
    for (int m = 0; m < pipe_models(); m++) {
        scene scene = water_in(60, 3, m);
        float *dam = malloc(180 * sizeof *dam);
        assert_non_null(dam);
        for (int i = 0; i < 180; i++) dam[i] = i % 60 < 30 ? 16 : 1;
        wadi_sim *sim = run(&scene, 3);
        assert_int_equal(sim->domain->substeps, 1);
        OK(wadi_sim_set(sim, "water", dam, 180));
        tape tape = {0};
        void *note = NULL;
        size_t note_bytes = 0;
        wadi_sim *other = NULL;
        const wadi_def how = {.threads = 1};
        OK(wadi_sim_save(sim, NULL, 0, record, &tape));
        OK(wadi_sim_restore(play, &tape, &how, &other, &note, &note_bytes));
        OK(wadi_sim_step(sim, 1));
        assert_int_equal(sim->domain->substeps, 5);
        assert_int_equal(wadi_sim_safety(sim).substeps, 5);
        OK(wadi_sim_step(other, 1));
        assert_same_state(sim, other, "restored before it was looked at");
        wadi_sim_destroy(sim);
        wadi_sim_destroy(other);
        free(tape.bytes);
        free(note);
        free(dam);
        scene_free(&scene);
    }
}

/* --- the same bits --- */

/* Rain on hills, and a source: water deepens from nothing, while the bed erodes. */
static scene torrent(int m) {
    scene made = water_in(30, 26, m);
    made.def.boundary = WADI_OPEN;
    set(&made, "Kc", 0.5);
    set(&made, "Ks", 0.05);
    set(&made, "Kd", 0.05);
    set(&made, "rain", 0.02);
    make_hills(&made, 20, 7);
    add_source(&made, 15, 12, 6, 400);
    fill_random(scene_field(&made, "A"), &made.def, 2, 60, 5);
    return made;
}

static wadi_sim *with(const scene *given, wadi_def how) {
    scene other = *given;
    other.def.engine = how.engine;
    other.def.device = how.device;
    other.def.threads = how.threads;
    other.def.parts = how.parts;
    other.def.memory_limit = how.memory_limit;
    other.def.slab_rows = how.slab_rows;
    other.def.substeps_per_exchange = how.substeps_per_exchange;
    return run(&other, 75);
}

static int engines_that_differ(const wadi_def *how, int count) {
    for (int m = 0; m < pipe_models(); m++) {
        scene scene = torrent(m);
        wadi_sim *whole = run(&scene, 75);
        assert_true(whole->domain->substeps > 1 && wadi_sim_substeps(whole) < INT64_C(75) * 6);
        for (int i = 0; i < count; i++) {
            wadi_sim *other = with(&scene, how[i]);
            assert_same_state(whole, other, "another engine");
            assert_true(wadi_sim_substeps(other) == wadi_sim_substeps(whole));
            wadi_sim_destroy(other);
        }
        wadi_sim_destroy(whole);
        scene_free(&scene);
    }
    return 0;
}

static void engines_agree(void **state) {
    (void)state;
    static const wadi_def how[] = {
        {.engine = WADI_ENGINE_REFERENCE, .threads = 1},
        {.engine = WADI_ENGINE_CPU, .threads = 3},
        {.engine = WADI_ENGINE_CPU, .threads = 2, .parts = 2, .substeps_per_exchange = 3},
        {.engine = WADI_ENGINE_CPU, .threads = 1, .memory_limit = 1, .slab_rows = 22, .substeps_per_exchange = 1}};
    engines_that_differ(how, COUNT(how));
}

/* Whether the slabs know the deepest water of each row without the files. If so, it is right. */
static bool know_the_deepest(const wadi_sim *sim) {
    double found[64];
    const wadi_summed what = {wadi_field_of(sim->domain->model, WADI_FIELD_WATER), WADI_SUM_LARGEST};
    if (!sim->domain->engine->sum_rows(sim->domain, &what, 1, found)) return false;
    float *water = field_of(sim, "water");
    const int width = wadi_sim_def(sim)->width;
    for (int y = 0; y < wadi_sim_def(sim)->height; y++) {
        float most = 0;
        for (int x = 0; x < width; x++) most = fmaxf(most, water[y * width + x]);
        assert_true(found[y] == (double)most);
    }
    free(water);
    return true;
}

static void slabs_know_the_deepest_water_after_a_pass(void **state) {
    (void)state;
    for (int m = 0; m < pipe_models(); m++) {
        scene scene = torrent(m);
        scene.def.memory_limit = 1;
        scene.def.slab_rows = 22;
        scene.def.substeps_per_exchange = 1;
        wadi_sim *sim = start(&scene);
        assert_false(know_the_deepest(sim));
        for (int i = 0; i < 3; i++) {
            OK(wadi_sim_step(sim, 7));
            assert_true(know_the_deepest(sim));
            float *water = field_of(sim, "water");
            for (size_t k = 0; k < cells_of(&scene.def); k++) water[k] *= 2;
            OK(wadi_sim_set(sim, "water", water, cells_of(&scene.def)));
            free(water);
            assert_false(know_the_deepest(sim));
        }
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* With a map of A no cell's waves are faster than is safe. */
static void a_map_of_A_is_limited_too(void **state) {
    (void)state;
    for (int m = 0; m < pipe_models(); m++) {
        scene scene = torrent(m);
        wadi_sim *sim = run(&scene, 75);
        const wadi_model *model = scene.def.model;
        int cap = 0;
        while (strcmp(model->maps[cap].name, "cap") != 0) cap++;
        const float *map = sim->domain->block.map[cap], most = wadi_constant(sim->domain, cap);
        const int each = sim->domain->substeps;
        assert_non_null(map);
        assert_true(each > 1 && each < 6 && fabs(needed(sim, (double)most) - each) < 1e-3);
        for (int y = 0; y < scene.def.height; y++)
            for (int x = 0; x < scene.def.width; x++)
                assert_true(wadi_block_row(&sim->domain->block, sim->domain->block.map[cap], y)[x] <= most);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static const wadi_device *device;
static void device_agrees(void **state) {
    (void)state;
    const wadi_def how[] = {
        {.engine = device->engine, .device = device->number, .threads = 1},
        {.engine = device->engine, .device = device->number, .threads = 1, .parts = 2, .substeps_per_exchange = 2},
        {.engine = device->engine,
         .device = device->number,
         .threads = 1,
         .memory_limit = 1,
         .slab_rows = 22,
         .substeps_per_exchange = 1}};
    engines_that_differ(how, COUNT(how));
}

/* Also after a save and a restore between two looks at the water. */
static void calls_do_not_matter(void **state) {
    (void)state;
    for (int m = 0; m < pipe_models(); m++) {
        scene scene = torrent(m);
        wadi_sim *whole = run(&scene, 75), *steps = start(&scene), *other = NULL;
        for (int i = 0; i < 37; i++) OK(wadi_sim_step(steps, 1));
        tape tape = {0};
        void *note = NULL;
        size_t note_bytes = 0;
        const wadi_def how = {.threads = 2};
        OK(wadi_sim_save(steps, NULL, 0, record, &tape));
        OK(wadi_sim_restore(play, &tape, &how, &other, &note, &note_bytes));
        for (int i = 37; i < 75; i += 19) {
            OK(wadi_sim_step(steps, 19));
            OK(wadi_sim_step(other, 19));
        }
        assert_same_state(whole, steps, "in short calls");
        assert_same_state(whole, other, "restored");
        wadi_sim_destroy(whole);
        wadi_sim_destroy(steps);
        wadi_sim_destroy(other);
        free(note);
        free(tape.bytes);
        scene_free(&scene);
    }
}

/* As deep as the water was then. */
static void an_error_goes_back_to_the_water_of_then(void **state) {
    (void)state;
    scene scene = bowl(0);
    scene.def.keep_good_state = true;
    scene.def.check_every = 64;
    set(&scene, "rain", 0.03);
    wadi_sim *sim = run(&scene, 64);
    add_source(&scene, 12, 10, 4, 1e41);
    OK(wadi_sim_set_sources(sim, scene.source, 1));
    REFUSED(wadi_sim_step(sim, 64), WADI_ERROR_NUMERIC, "not a finite number");
    assert_true(wadi_sim_steps(sim) == 64);
    OK(wadi_sim_set_sources(sim, NULL, 0));
    wadi_sim *other = run(&scene, 0);
    OK(wadi_sim_set_sources(other, NULL, 0));
    OK(wadi_sim_step(other, 64));
    OK(wadi_sim_step(other, 20));
    OK(wadi_sim_step(sim, 20));
    assert_same_state(sim, other, "after the error");
    wadi_sim_destroy(sim);
    wadi_sim_destroy(other);
    scene_free(&scene);
}

static void a_tile_is_refused(void **state) {
    (void)state;
    scene scene = torrent(0);
    scene.def.tile = (wadi_tile){.width = 60, .height = 60, .high_m = 20};
    wadi_sim *sim = NULL;
    REFUSED(wadi_sim_create(&scene.def, &sim), WADI_ERROR_ARGUMENT, "substeps: a tile");
    choose(&scene, "substeps", "fixed");
    OK(wadi_sim_create(&scene.def, &sim));
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* Without a depth of water in the pipes all is as if they were fixed. */
static void pipes_of_one_section_have_fixed_substeps(void **state) {
    (void)state;
    scene scene = torrent(1);
    choose(&scene, "pipe_area", "constant");
    assert_false(wadi_def_substeps_follow(&scene.def));
    wadi_sim *sim = run(&scene, 40);
    choose(&scene, "substeps", "fixed");
    wadi_sim *fixed = run(&scene, 40);
    assert_same_state(sim, fixed, "one section");
    wadi_sim_destroy(sim);
    wadi_sim_destroy(fixed);
    scene_free(&scene);
}

static int on_device(const wadi_device *one) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(device_agrees)};
    device = one;
    return cmocka_run_group_tests(tests, NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(substeps_follow_the_deepest_water),
        cmocka_unit_test(waves_in_deep_water_keep_their_speed),
        cmocka_unit_test(water_that_is_set_is_looked_at),
        cmocka_unit_test(engines_agree),
        cmocka_unit_test(slabs_know_the_deepest_water_after_a_pass),
        cmocka_unit_test(a_map_of_A_is_limited_too),
        cmocka_unit_test(calls_do_not_matter),
        cmocka_unit_test(an_error_goes_back_to_the_water_of_then),
        cmocka_unit_test(a_tile_is_refused),
        cmocka_unit_test(pipes_of_one_section_have_fixed_substeps),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL), all = each_device(failed, on_device);
    return all == SKIPPED && failed == 0 ? 0 : all;
}
