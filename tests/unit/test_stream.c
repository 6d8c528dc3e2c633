/* A grid that is larger than its memory limit has the bits of one that is in memory. This holds for all models, forms
 * and borders, for rain, sources, maps, edits, checkpoints and idle tiles, and for slabs on any engine. labels: threads
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "edits.h"

#include "core/inside.h"
#include "engine/schedule/schedule.h"
#include "engine/stream/slab_rows.h"
#include "gpu_devices.h"
#include "wadi/paint.h"

enum { SHARE = SANITIZED ? 13 : 1 }; /* one scene in so many */

static const wadi_cuts *cuts_of(const wadi_sim *sim) {
    return &((const wadi_stream *)sim->domain->engine_state)->slabs.cuts;
}

static bool is_streamed(const wadi_sim *sim) { return sim->domain->engine == &wadi_engine_stream; }

/* Slabs of so many rows, or of more where their margins need more. */
static wadi_sim *run_streamed(const scene *whole, int rows, int substeps, int steps) {
    scene streamed = *whole;
    streamed.def.memory_limit = 1;
    streamed.def.slab_rows = rows;
    streamed.def.substeps_per_exchange = substeps;
    wadi_sim *sim = run(&streamed, steps);
    assert_true(is_streamed(sim));
    return sim;
}

/* Rows around an own row whose state matters after so many sub-steps. */
static int margin_of(const wadi_def *def, int substeps) {
    wadi_def small = *def;
    wadi_sim *sim;
    wadi_schedule schedule;
    small.threads = 1;
    OK(wadi_sim_create(&small, &sim));
    wadi_domain all = *sim->domain;
    all.processes = ~0u;
    assert_true(wadi_schedule_make(&schedule, &all, substeps, true));
    const int margin = schedule.halo[substeps];
    wadi_schedule_free(&schedule);
    wadi_sim_destroy(sim);
    return margin;
}

/* The least rows of a slab, and up to so many more. */
static int rows_for(const wadi_def *def, int substeps, int more) { return 2 * margin_of(def, substeps) + 1 + more; }

static void assert_streamed_agrees(const scene *scene, int steps, uint32_t seed) {
    char what[120];
    const int substeps = 1 + (int)(seed % 4),
              rows = rows_for(&scene->def, substeps, seed % 9 == 0 ? 0 : 10 + (int)(seed / 3 % 9));
    wadi_sim *whole = run(scene, steps), *streamed = run_streamed(scene, rows, substeps, steps);
    snprintf(what, sizeof what, "%s, %s, %d x %d, %d slabs, %d sub-steps each, seed %u",
             wadi_model_id(scene->def.model), scene_boundaries[scene->def.boundary], scene->def.width,
             scene->def.height, cuts_of(streamed)->count, substeps, seed);
    assert_true(cuts_of(streamed)->count > 1);
    assert_int_equal(cuts_of(streamed)->good_for, substeps);
    assert_same_state(whole, streamed, what);
    wadi_sim_destroy(whole);
    wadi_sim_destroy(streamed);
}

static void every_form_and_border(void **state) {
    (void)state;
    uint32_t seed = 0;
    for (int m = 0; m < MODELS; m++)
        for (int form = 0; form < forms(wadi_model_at((size_t)m)); form++)
            for (int border = 0; border < 3; border++) {
                if (++seed % SHARE != 0) continue;
                scene scene = scene_of(model_id(m), 21, 127, 1);
                scene.def.boundary = (wadi_boundary)border;
                scene.def.threads = 1 + (int)(seed % 4);
                if (seed % 5 == 0) scene.def.engine = WADI_ENGINE_REFERENCE;
                choose_form(&scene, form);
                make_hills(&scene, 20, seed);
                fill_random(scene_field(&scene, "water"), &scene.def, 0, 1, seed + 1);
                fill_random(scene_field(&scene, "sediment"), &scene.def, 0, 0.01f, seed + 2);
                scene.def.drops = (wadi_drops){0.7, 4, 0.1};
                add_source(&scene, 12.5, 30.2, 6, 3);
                assert_streamed_agrees(&scene, 11, seed);
                scene_free(&scene);
            }
}

static void random_scenes(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 120; seed++) {
        if (seed % SHARE != 0) continue;
        scene scene = draw_scene(model_id((int)seed % MODELS), (wadi_boundary)(seed / 6 % 3), 21,
                                 110 + (int)(seed / 2 % 20), (int)(seed / 18 % 4), 70000 + seed);
        scene.def.threads = 1 + (int)(seed % 3);
        scene.def.substeps_per_pass = (int)(seed / 5 % 4);
        scene.def.check_every = 1 + (int)(seed % 7);
        assert_streamed_agrees(&scene, 11, seed);
        scene_free(&scene);
    }
}

/* --- the margin is as high as it must be --- */

/* Water in the row of a slab's margin that is the farthest from its own rows, on either side of each cut. */
static void what_happens_at_the_rim_is_seen(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (int i = 0; i < 24; i++) {
            const int substeps = 1 + i % 4;
            scene scene = scene_of(model_id(m), 23, 96, 1);
            scene.def.boundary = (wadi_boundary)(i / 8);
            set_substeps(&scene, 1);
            make_hills(&scene, 20, 5);
            fill_random(scene_field(&scene, "water"), &scene.def, 0, 1, 6);
            wadi_sim *whole = run(&scene, 10),
                     *streamed = run_streamed(&scene, rows_for(&scene.def, substeps, i), substeps, 10);
            const wadi_cuts *cuts = cuts_of(streamed);
            int height;
            const wadi_window window = wadi_cuts_window(streamed->domain, cuts, 1, &height);
            const int cut = window.y + window.own0 + 96,
                      row = (i / 4 % 2 == 0 ? cut - cuts->margin : cut + cuts->margin - 1) % 96;
            pour(whole, row);
            pour(streamed, row);
            OK(wadi_sim_step(whole, substeps));
            OK(wadi_sim_step(streamed, substeps));
            assert_same_state(whole, streamed, model_id(m));
            wadi_sim_destroy(whole);
            wadi_sim_destroy(streamed);
            scene_free(&scene);
        }
}

/* --- changes on the way --- */

static void edits_reach_every_slab(void **state) {
    (void)state;
    for (int i = 0; i < 3 * MODELS; i++) {
        scene scene = draw_scene(model_id(i % MODELS), (wadi_boundary)(i / MODELS), 23, 90, i % 3, 900 + (uint32_t)i);
        scene.sources = 0;
        if (!isnan(scene_field(&scene, "height")[25 * 23 + 8])) add_source(&scene, 8.5, 25.5, 3, 1);
        wadi_sim *whole = run(&scene, 3), *streamed = run_streamed(&scene, rows_for(&scene.def, 2, i), 2, 3);
        for (int turn = 0; turn < 12; turn++) {
            edit(whole, &scene, turn + i);
            edit(streamed, &scene, turn + i);
            if (turn % 3 == 0) continue; /* several edits at once */
            OK(wadi_sim_step(whole, 2));
            OK(wadi_sim_step(streamed, 2));
            assert_same_state(whole, streamed, model_id(i % MODELS));
        }
        wadi_sim_destroy(whole);
        wadi_sim_destroy(streamed);
        scene_free(&scene);
    }
}

static wadi_status fail_once(wadi_domain *slab, const wadi_stage *stage) {
    (void)slab, (void)stage;
    return wadi_fail(WADI_ERROR_MEMORY, "no memory");
}

/* Old rows that the next slab would have needed are not taken for those of the next pass. */
static void it_goes_on_after_a_stage_that_failed(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 23, 90, 1);
    make_hills(&scene, 20, 3);
    wadi_sim *whole = run(&scene, 3), *streamed = run_streamed(&scene, rows_for(&scene.def, 2, 5), 2, 3);
    wadi_domain *slab = ((wadi_stream *)streamed->domain->engine_state)->slab;
    const wadi_engine_calls *engine = slab->engine;
    wadi_engine_calls broken = *engine;
    float *values = field_of(whole, "water");
    broken.once = fail_once;
    slab->engine = &broken;
    REFUSED(wadi_sim_get(streamed, "velocity", values, cells_of(&scene.def)), WADI_ERROR_MEMORY, "no memory");
    slab->engine = engine;
    edit(whole, &scene, 0);
    edit(streamed, &scene, 0);
    OK(wadi_sim_step(whole, 2));
    OK(wadi_sim_step(streamed, 2));
    assert_same_state(whole, streamed, "after a stage that failed");
    free(values);
    wadi_sim_destroy(whole);
    wadi_sim_destroy(streamed);
    scene_free(&scene);
}

static void set_all(wadi_sim *sim, const wadi_def *to) {
    size_t count;
    const wadi_parameter *parameters = wadi_model_parameters(to->model, &count);
    for (size_t i = 0; i < count; i++)
        if (wadi_sim_def(sim)->values[i] != to->values[i])
            OK(wadi_sim_set_parameter(sim, parameters[i].name, to->values[i]));
}

/* Slabs whose margins suffice for jako2011 without water, or with four pipes, go on with it, or with eight, and those
 * of one form with another. */
static void processes_are_switched_on(void **state) {
    (void)state;
    for (int i = 0; i < 4 * MODELS; i++) {
        scene before = scene_of(model_id(i % MODELS), 23, 90, 1), after = before;
        choose_form(&before, i / MODELS);
        choose_form(&after, i / MODELS + 1);
        const int tracks = wadi_model_parameter_index(after.def.model, "track_sliding"); /* is for a whole run */
        if (tracks >= 0) after.def.values[tracks] = before.def.values[tracks];
        set_if(&before, i / MODELS % 2 ? "pipes" : "hydraulic", 0);
        make_hills(&before, 60, 3);
        fill_random(scene_field(&before, "water"), &before.def, 0, 1, 6);
        wadi_sim *whole = run(&before, 5), *streamed = run_streamed(&before, rows_for(&before.def, 2, 5), 2, 5);
        OK(wadi_sim_step(whole, 1));
        OK(wadi_sim_step(streamed, 1)); /* after the first call, slabs are chosen anew anyway */
        set_all(whole, &after.def);
        set_all(streamed, &after.def);
        OK(wadi_sim_step(whole, 7));
        OK(wadi_sim_step(streamed, 7));
        assert_same_state(whole, streamed, before.def.model->id);
        wadi_sim_destroy(whole);
        wadi_sim_destroy(streamed);
        scene_free(&before);
    }
}

/* Each takes the state of the other model in turns. */
static void models_take_turns(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        scene one = scene_of(model_id(m), 23, 80, 2), two = scene_of(model_id((m + 1) % MODELS), 23, 80, 2);
        make_hills(&one, 20, 3);
        memcpy(scene_field(&two, "height"), scene_field(&one, "height"), cells_of(&one.def) * sizeof(float));
        wadi_sim *whole[] = {run(&one, 4), start(&two)},
                 *streamed[] = {run_streamed(&one, rows_for(&one.def, 2, 3), 2, 4),
                                run_streamed(&two, rows_for(&two.def, 1, 0), 1, 0)};
        for (int turn = 0; turn < 4; turn++) {
            const int to = (turn + 1) % 2;
            OK(wadi_sim_take(whole[to], whole[1 - to]));
            OK(wadi_sim_take(streamed[to], streamed[1 - to]));
            OK(wadi_sim_step(whole[to], 3));
            OK(wadi_sim_step(streamed[to], 3));
            assert_same_state(whole[to], streamed[to], model_id(m));
        }
        for (int i = 0; i < 2; i++) {
            wadi_sim_destroy(whole[i]);
            wadi_sim_destroy(streamed[i]);
        }
        scene_free(&one);
        scene_free(&two);
    }
}

/* --- checkpoints --- */

/* The bytes do not say that the grid was streamed, and either goes on with the other's. */
static void checkpoints_are_those_of_memory(void **state) {
    (void)state;
    for (int i = 0; i < 2 * MODELS; i++) {
        scene scene = draw_scene(model_id(i % MODELS), (wadi_boundary)(i % 3), 23, 90, i % 4, 300 + (uint32_t)i);
        const int rows = rows_for(&scene.def, 2, i);
        wadi_sim *whole = run(&scene, 9), *streamed = run_streamed(&scene, rows, 2, 9), *restored = NULL;
        tape expected = {0}, made = {0};
        void *note = NULL;
        size_t note_bytes = 0;
        OK(wadi_sim_save(whole, "note", 4, record, &expected));
        OK(wadi_sim_save(streamed, "note", 4, record, &made));
        assert_int_equal(made.size, expected.size);
        assert_memory_equal(made.bytes, expected.bytes, made.size);
        const wadi_def how = {
            .threads = 2, .device = -1, .memory_limit = (uint64_t)i % 2, .slab_rows = rows, .substeps_per_exchange = 1};
        OK(wadi_sim_restore(play, &made, &how, &restored, &note, &note_bytes));
        assert_int_equal(is_streamed(restored), i % 2);
        OK(wadi_sim_step(whole, 8));
        OK(wadi_sim_step(restored, 8));
        assert_same_state(whole, restored, "gone on with");
        free(note);
        free(expected.bytes);
        free(made.bytes);
        wadi_sim_destroy(whole);
        wadi_sim_destroy(streamed);
        wadi_sim_destroy(restored);
        scene_free(&scene);
    }
}

/* --- what is not there, and what is refused --- */

static void a_value_that_is_not_finite_is_found(void **state) {
    (void)state;
    static const int rows[] = {0, 24, 45, 89};
    for (int i = 0; i < COUNT(rows) * MODELS; i++) {
        scene scene = scene_of(model_id(i % MODELS), 23, 90, 1);
        make_hills(&scene, 20, 7);
        wadi_sim *sim = run_streamed(&scene, rows_for(&scene.def, 2, 0), 2, 3);
        const int field = wadi_field_of(scene.def.model, WADI_FIELD_DISCHARGE);
        char words[64];
        snprintf(words, sizeof words, "Q is not a finite number at cell (9, %d)", rows[i / MODELS]);
        wadi_block_row(&sim->domain->block, sim->domain->block.field[field], rows[i / MODELS])[9] = NAN;
        sim->domain->edits++;
        REFUSED(wadi_sim_step(sim, 5), WADI_ERROR_NUMERIC, words);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void slabs_are_as_large_as_the_limit_allows(void **state) {
    (void)state;
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), 2000, 2000, 1, 1);
    def.threads = 1;
    const uint64_t all = wadi_def_memory(&def);
    wadi_sim *sim;
    def.memory_limit = all;
    assert_true(wadi_def_memory(&def) == all);
    OK(wadi_sim_create(&def, &sim));
    assert_false(is_streamed(sim)); /* it fits */
    wadi_sim_destroy(sim);
    int before = 1;
    for (int part = 2; part <= 8; part *= 2) {
        def.memory_limit = all / (uint64_t)part;
        assert_true(wadi_def_memory(&def) == def.memory_limit);
        OK(wadi_sim_create(&def, &sim));
        assert_true(is_streamed(sim));
        const int count = cuts_of(sim)->count;
        assert_true(count > before);
        assert_true(cuts_of(sim)->good_for > 1);
        before = count;
        wadi_sim_destroy(sim);
    }
}

/* A higher margin than for the sub-steps between two looks at the state would be computed for nothing. */
static void a_pass_is_no_longer_than_a_call(void **state) {
    (void)state;
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), 2000, 2000, 1, 1);
    wadi_sim *sim;
    def.threads = 1;
    def.memory_limit = wadi_def_memory(&def) / 2;
    for (int every = 2; every <= 6; every += 4) {
        def.check_every = every;
        OK(wadi_sim_create(&def, &sim));
        assert_int_equal(cuts_of(sim)->good_for, every * sim->domain->substeps);
        OK(wadi_sim_set_parameter(sim, "dt", 3 * wadi_def_safety(&def).longest_dt_s));
        OK(wadi_sim_step(sim, 1));
        assert_true(sim->domain->substeps > 1);
        assert_int_equal(cuts_of(sim)->good_for, every * sim->domain->substeps);
        wadi_sim_destroy(sim);
    }
}

static uint64_t bytes_of_slab(const wadi_sim *sim) {
    const wadi_domain *slab = ((const wadi_stream *)sim->domain->engine_state)->slab;
    uint64_t count = 0;
    for (int f = 0; f < WADI_MAX_FIELDS; f++) count += slab->block.field[f] != NULL;
    for (int m = 0; m < WADI_MAX_MAPS; m++) count += slab->block.map[m] != NULL;
    return count * wadi_block_field_bytes(slab->def.width, slab->def.height);
}

/* Maps of constants, and scratch of tiles that may be idle where a map of rain leaves cells out. */
static void maps_count_in_the_limit(void **state) {
    (void)state;
    static const char *const names[] = {"mask", "rain"};
    for (int m = 0; m < MODELS; m++) {
        scene scene = scene_of(model_id(m), 300, 500, 1);
        make_hills(&scene, 20, 3);
        scene.def.memory_limit = wadi_def_memory(&scene.def) * 9 / 10;
        wadi_sim *sim = run(&scene, 1);
        assert_true(is_streamed(sim));
        float *values = field_of(sim, "water");
        for (int i = 0; i < COUNT(names); i++) {
            const int rain = wadi_model_parameter_index(scene.def.model, names[i]);
            if (rain >= 0 && !scene.def.model->parameters[rain].per_cell) continue;
            fill_random(values, &scene.def, 0, rain < 0 ? 1 : 1e-4f, 4);
            OK(wadi_sim_set(sim, names[i], values, cells_of(&scene.def)));
            OK(wadi_sim_step(sim, 1));
            if (bytes_of_slab(sim) > scene.def.memory_limit / 4 * 3) /* the rest is for the program */
                fail_msg("%s with a map of %s: %.0f bytes", model_id(m), names[i], (double)bytes_of_slab(sim));
        }
        free(values);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void impossible_limits_are_refused(void **state) {
    (void)state;
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), 200, 200, 1, 1);
    wadi_sim *sim;
    def.memory_limit = 1000;
    REFUSED(wadi_sim_create(&def, &sim), WADI_ERROR_MEMORY, "a memory limit of");
    def.slab_rows = -1;
    REFUSED(wadi_sim_create(&def, &sim), WADI_ERROR_ARGUMENT, "slab_rows");
    def.slab_rows = 50;
    def.scratch = "/nowhere at all";
    REFUSED(wadi_sim_create(&def, &sim), WADI_ERROR_IO, "/nowhere at all");
    def.parts = 2;
    REFUSED(wadi_sim_create(&def, &sim), WADI_ERROR_ARGUMENT, "2 parts with a memory limit");
}

/* --- slabs on GPUs --- */

static const wadi_device *gpu;
static bool brief; /* a device that is no GPU takes long to compile a fused sweep */

/* The balance's sums are those of a device, so their last digits may differ. */
static void slabs_on_a_device(void **state) {
    (void)state;
    for (int i = 0; i < 3 * MODELS; i += brief ? 2 * MODELS + 1 : 1) {
        if (i % SHARE != 0) continue;
        scene scene = scene_of(model_id(i % MODELS), 37, 90, 1);
        scene.def.boundary = (wadi_boundary)(i / MODELS);
        choose_form(&scene, i);
        make_hills(&scene, 20, (uint32_t)i);
        fill_random(scene_field(&scene, "water"), &scene.def, 0, 1, (uint32_t)i + 1);
        scene.def.drops = (wadi_drops){1.7, 4, 0.1};
        scene.def.tune = false;
        wadi_sim *whole = run(&scene, 13);
        scene.def.engine = gpu->engine;
        scene.def.device = gpu->number;
        wadi_sim *streamed = run_streamed(&scene, rows_for(&scene.def, 2, i), 2, 13);
        assert_same_fields(whole, streamed, model_id(i % MODELS));
        const wadi_mass mine = mass_of(streamed), one = mass_of(whole);
        assert_true(fabs(mine.rained - one.rained) <= 1e-6 * one.rained);
        assert_true(fabs(mine.water.residual) <= 1e-5 * (one.water.in + one.water.before));
        wadi_sim_destroy(whole);
        wadi_sim_destroy(streamed);
        scene_free(&scene);
    }
}

static int test_path(const char *shape, bool few) {
    brief = few;
    const struct CMUnitTest tests[] = {cmocka_unit_test(slabs_on_a_device)};
    print_message("%s, %s\n", gpu->name, shape != NULL ? shape : "as it goes by itself");
    put_environment("WADI_GPU_SHAPE", shape);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    put_environment("WADI_GPU_SHAPE", NULL);
    return failed;
}

static int test_device(const wadi_device *device) {
    gpu = device;
    if (gpu->gpu) return test_path("0", false) + test_path(NULL, false);
    return test_path(NULL, false) + test_path("2,32,1,1,0,64,1", true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_and_border),
        cmocka_unit_test(random_scenes),
        cmocka_unit_test(what_happens_at_the_rim_is_seen),
        cmocka_unit_test(edits_reach_every_slab),
        cmocka_unit_test(it_goes_on_after_a_stage_that_failed),
        cmocka_unit_test(processes_are_switched_on),
        cmocka_unit_test(models_take_turns),
        cmocka_unit_test(checkpoints_are_those_of_memory),
        cmocka_unit_test(a_value_that_is_not_finite_is_found),
        cmocka_unit_test(slabs_are_as_large_as_the_limit_allows),
        cmocka_unit_test(a_pass_is_no_longer_than_a_call),
        cmocka_unit_test(maps_count_in_the_limit),
        cmocka_unit_test(impossible_limits_are_refused),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    const int on_devices = each_device(failed, test_device);
    return on_devices == SKIPPED ? 0 : on_devices;
}
