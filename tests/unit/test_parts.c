/* A grid that is cut into parts has the bits of one that is not. This holds for all models, forms and borders, for
 * rain, sources, maps, edits, checkpoints and idle tiles, and for parts on different engines. labels: threads */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "edits.h"
#include "thread_team.h"

#include "core/inside.h"
#include "engine/parts/parts.h"
#include "engine/schedule/schedule.h"
#include "gpu_devices.h"
#include "wadi/paint.h"

enum { SHARE = !SANITIZED ? 1 : RACES_ALONE ? 13 : 29 }; /* one scene in so many */

static const wadi_part mixed[WADI_MOST_PARTS] = {{true, WADI_ENGINE_CPU, -1},
                                                 {true, WADI_ENGINE_REFERENCE, -1},
                                                 {true, WADI_ENGINE_CPU, -1},
                                                 {true, WADI_ENGINE_REFERENCE, -1},
                                                 {true, WADI_ENGINE_CPU, -1}};
static const int cuts[] = {2, 3, 5};
static const wadi_team *team; /* NULL: one process has all parts */

static wadi_def cut_def(const wadi_def *whole, int parts, int substeps_per_exchange, const wadi_part *part) {
    wadi_def def = *whole;
    def.parts = parts;
    def.team = team;
    if (part != NULL) memcpy(def.part, part, sizeof def.part);
    def.substeps_per_exchange = substeps_per_exchange;
    return def;
}

static wadi_sim *run_cut(const scene *whole, int parts, int substeps_per_exchange, const wadi_part *part, int steps) {
    scene cut = *whole;
    cut.def = cut_def(&whole->def, parts, substeps_per_exchange, part);
    wadi_sim *sim = run(&cut, steps);
    /* a model that reaches far has fewer parts on so low a grid */
    assert_in_range(wadi_sim_parts(sim), 2, team != NULL && team->processes > parts ? team->processes : parts);
    return sim;
}

static void assert_cut_agrees(const scene *scene, int steps, uint32_t seed) {
    char what[120];
    const int parts = cuts[seed % 3], every = 1 + (int)(seed / 3 % 5);
    snprintf(what, sizeof what, "%s, %s, %d x %d, %d parts, %d sub-steps each, seed %u",
             wadi_model_id(scene->def.model), scene_boundaries[scene->def.boundary], scene->def.width,
             scene->def.height, parts, every, seed);
    wadi_sim *whole = run(scene, steps), *cut = run_cut(scene, parts, every, seed % 2 ? mixed : NULL, steps);
    assert_same_state(whole, cut, what);
    const int at_once = ((const struct parts *)cut->domain->engine_state)->cuts.good_for / cut->domain->substeps;
    assert_int_equal(wadi_sim_steps_at_once(cut), at_once > 1 ? at_once : 1);
    wadi_sim_destroy(whole);
    wadi_sim_destroy(cut);
}

static void every_form_and_border(void **state) {
    (void)state;
    uint32_t seed = 0;
    for (int m = 0; m < MODELS; m++)
        for (int form = 0; form < forms(wadi_model_at((size_t)m)); form++)
            for (int border = 0; border < 3; border++) {
                if (++seed % SHARE != 0) continue;
                scene scene = scene_of(model_id(m), 37, 61, 1);
                scene.def.boundary = (wadi_boundary)border;
                scene.def.threads = 1 + (int)(seed % 4);
                choose_form(&scene, form);
                make_hills(&scene, 20, seed);
                fill_random(scene_field(&scene, "water"), &scene.def, 0, 1, seed + 1);
                fill_random(scene_field(&scene, "sediment"), &scene.def, 0, 0.01f, seed + 2);
                scene.def.drops = (wadi_drops){0.7, 4, 0.1};
                add_source(&scene, 12.5, 30.2, 6, 3); /* on a cut */
                assert_cut_agrees(&scene, 19, seed);
                scene_free(&scene);
            }
}

static void random_scenes(void **state) {
    (void)state;
    for (uint32_t seed = 1; seed <= 240; seed++) {
        if (seed % SHARE != 0) continue;
        scene scene = draw_scene(model_id((int)seed % MODELS), (wadi_boundary)(seed / 6 % 3), 21, 47,
                                 (int)(seed / 18 % 4), 70000 + seed);
        scene.def.threads = 1 + (int)(seed % 3);
        scene.def.substeps_per_pass = (int)(seed / 5 % 4);
        assert_cut_agrees(&scene, 17, seed);
        scene_free(&scene);
    }
}

/* --- the margin is as high as it must be, and no higher --- */

/* Rows around the cut whose state matters after so many sub-steps. */
static int margin_of(const wadi_sim *sim, int substeps) {
    wadi_schedule schedule;
    assert_true(wadi_schedule_make(&schedule, sim->domain, substeps, true));
    const int margin = schedule.halo[substeps];
    wadi_schedule_free(&schedule);
    return margin;
}

/* Whether any bit of the state differs in the row. */
static bool row_differs(const wadi_sim *a, const wadi_sim *b, int y) {
    const wadi_domain *one = a->domain, *two = b->domain;
    bool differs = false;
    for (int f = 0; f < one->model->field_count; f++)
        if (one->model->fields[f].kind == WADI_STATE)
            differs = differs || memcmp(wadi_block_row(&one->block, one->block.field[f], y),
                                        wadi_block_row(&two->block, two->block.field[f], y),
                                        (size_t)one->def.width * sizeof(float)) != 0;
    return differs;
}

static void what_happens_at_the_rim_is_seen(void **state) {
    (void)state;
    enum { WIDTH = 23, HEIGHT = 80, CUT = HEIGHT / 2 };
    int seen = 0;
    for (int m = 0; m < MODELS; m++)
        for (int substeps = 1; substeps <= 4; substeps++)
            for (int side = 0; side < 2; side++) {
                scene scene = scene_of(model_id(m), WIDTH, HEIGHT, 1);
                set_substeps(&scene, 1);
                make_hills(&scene, 20, 5);
                fill_random(scene_field(&scene, "water"), &scene.def, 0, 1, 6);
                wadi_sim *dry = run(&scene, 10), *whole = run(&scene, 10),
                         *cut = run_cut(&scene, 2, substeps, NULL, 10);
                const int margin = margin_of(dry, substeps);
                pour(whole, side == 0 ? CUT - margin : CUT + margin - 1);
                pour(cut, side == 0 ? CUT - margin : CUT + margin - 1);
                OK(wadi_sim_step(dry, substeps));
                OK(wadi_sim_step(whole, substeps));
                OK(wadi_sim_step(cut, substeps));
                assert_same_state(whole, cut, model_id(m));
                seen += substeps == 1 && row_differs(dry, whole, side == 0 ? CUT : CUT - 1);
                wadi_sim_destroy(dry);
                wadi_sim_destroy(whole);
                wadi_sim_destroy(cut);
                scene_free(&scene);
            }
    /* with more sub-steps, and in some models, it comes to the cut as less than a rounding error */
    assert_true(seen >= MODELS);
}

static int cut_margin(const wadi_sim *sim) { return ((const parts *)sim->domain->engine_state)->cuts.margin; }

/* Rows are exchanged at the end of each step, so a margin for more sub-steps is higher than it need be. */
static void a_higher_margin_changes_nothing(void **state) {
    (void)state;
    enum { MORE = 7, STEPS = 9 };
    for (int m = 0; m < MODELS; m++)
        for (int border = 0; border < 3; border++) {
            scene scene = scene_of(model_id(m), 23, 150, 1);
            scene.def.boundary = (wadi_boundary)border;
            set_substeps(&scene, 1);
            make_hills(&scene, 20, 5 + (uint32_t)border);
            fill_random(scene_field(&scene, "water"), &scene.def, 0, 1, 6);
            wadi_sim *tight = run_cut(&scene, 3, 1, NULL, 1), *high = NULL;
            int substeps = 1;
            for (int margin = 0; margin < cut_margin(tight) + MORE; margin = cut_margin(high)) {
                wadi_sim_destroy(high);
                assert_true(++substeps <= 16);
                high = run_cut(&scene, 3, substeps, NULL, 1);
            }
            wadi_sim *whole = run(&scene, 1 + STEPS);
            for (int i = 0; i < STEPS; i++) {
                OK(wadi_sim_step(tight, 1));
                OK(wadi_sim_step(high, 1));
            }
            assert_same_state(whole, tight, model_id(m));
            assert_same_state(whole, high, model_id(m));
            wadi_sim_destroy(tight);
            wadi_sim_destroy(high);
            wadi_sim_destroy(whole);
            scene_free(&scene);
        }
}

/* --- changes on the way --- */

static void edits_reach_every_part(void **state) {
    (void)state;
    for (int i = 0; i < 3 * MODELS; i++) {
        scene scene = draw_scene(model_id(i % MODELS), (wadi_boundary)(i / MODELS), 23, 50, i % 3, 900 + (uint32_t)i);
        scene.sources = 0;
        if (!isnan(scene_field(&scene, "height")[25 * 23 + 8])) add_source(&scene, 8.5, 25.5, 3, 1);
        wadi_sim *whole = run(&scene, 3), *cut = run_cut(&scene, cuts[i % 3], 2, i % 2 ? mixed : NULL, 3);
        for (int turn = 0; turn < 12; turn++) {
            edit(whole, &scene, turn + i);
            edit(cut, &scene, turn + i);
            if (turn % 3 == 0) continue; /* several edits at once */
            OK(wadi_sim_step(whole, 2));
            OK(wadi_sim_step(cut, 2));
            assert_same_state(whole, cut, model_id(i % MODELS));
        }
        wadi_sim_destroy(whole);
        wadi_sim_destroy(cut);
        scene_free(&scene);
    }
}

/* Both take the other's state in turns. */
static void models_take_turns(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        scene one = scene_of(model_id(m), 23, 41, 2), two = scene_of(model_id((m + 1) % MODELS), 23, 41, 2);
        make_hills(&one, 20, 3);
        memcpy(scene_field(&two, "height"), scene_field(&one, "height"), cells_of(&one.def) * sizeof(float));
        wadi_sim *whole[] = {run(&one, 4), start(&two)},
                 *cut[] = {run_cut(&one, 2, 2, NULL, 4), run_cut(&two, 3, 1, NULL, 0)};
        for (int turn = 0; turn < 4; turn++) {
            const int to = (turn + 1) % 2;
            OK(wadi_sim_take(whole[to], whole[1 - to]));
            OK(wadi_sim_take(cut[to], cut[1 - to]));
            OK(wadi_sim_step(whole[to], 3));
            OK(wadi_sim_step(cut[to], 3));
            assert_same_state(whole[to], cut[to], model_id(m));
        }
        for (int i = 0; i < 2; i++) {
            wadi_sim_destroy(whole[i]);
            wadi_sim_destroy(cut[i]);
        }
        scene_free(&one);
        scene_free(&two);
    }
}

/* --- checkpoints --- */

/* The bytes do not say how the grid was cut, and any number of parts reads them. */
static void checkpoints_are_those_of_one_part(void **state) {
    (void)state;
    for (int i = 0; i < 2 * MODELS; i++) {
        scene scene = draw_scene(model_id(i % MODELS), (wadi_boundary)(i % 3), 23, 50, i % 4, 300 + (uint32_t)i);
        wadi_sim *whole = run(&scene, 9), *cut = run_cut(&scene, cuts[i % 3], 2, NULL, 9), *restored = NULL;
        tape expected = {0}, made = {0};
        void *note = NULL;
        size_t note_bytes = 0;
        OK(wadi_sim_save(whole, "note", 4, record, &expected));
        OK(wadi_sim_save(cut, "note", 4, record, &made));
        assert_int_equal(made.size, expected.size);
        assert_memory_equal(made.bytes, expected.bytes, made.size);
        wadi_def how = {.threads = 2, .device = -1, .parts = cuts[(i + 1) % 3], .team = team};
        if (i % 2) memcpy(how.part, mixed, sizeof how.part);
        OK(wadi_sim_restore(play, &made, &how, &restored, &note, &note_bytes));
        assert_true(wadi_sim_parts(restored) > 1);
        OK(wadi_sim_step(whole, 8));
        OK(wadi_sim_step(restored, 8));
        assert_same_state(whole, restored, "taken up by other parts");
        free(note);
        free(expected.bytes);
        free(made.bytes);
        wadi_sim_destroy(whole);
        wadi_sim_destroy(cut);
        wadi_sim_destroy(restored);
        scene_free(&scene);
    }
}

/* --- idle tiles --- */

/* A dry slope with springs far from the cut. Their water comes to tiles of the other part that were idle, at different
 * times: every eighth sub-step samples the discharge, and wakes all wet tiles anyway. */
static void water_wakes_idle_tiles_of_another_part(void **state) {
    (void)state;
    enum { WIDTH = 160, HEIGHT = 96 };
    for (int i = 0; i < 3 * MODELS; i++) {
        scene scene = scene_of(model_id(i % MODELS), WIDTH, HEIGHT, 2);
        scene.def.boundary = (wadi_boundary)(i / MODELS);
        set_substeps(&scene, 1);
        set_rain(&scene, 0);
        set_if(&scene, "uplift", 0);
        float *height = scene_field(&scene, "height");
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++)
                height[y * WIDTH + x] = 0.3f * (float)(HEIGHT - y) + 0.01f * (float)((7 * x + 3 * y) % 5);
        for (int j = 0; j < 4; j++) add_source(&scene, 20 + 35 * j, 16 + j, 3, 40);
        wadi_sim *whole = run(&scene, 100), *cut = run_cut(&scene, 2, 1, NULL, 100);
        assert_same_state(whole, cut, model_id(i % MODELS));
        if (wadi_sim_idle_share(whole) > 0.3) assert_true(wadi_sim_idle_share(cut) > 0.2);
        assert_true(wadi_sim_idle_share(cut) <= 1);
        wadi_sim_destroy(whole);
        wadi_sim_destroy(cut);
        scene_free(&scene);
    }
}

/* --- failures --- */

static void a_value_that_is_not_finite_is_found_in_its_part(void **state) {
    (void)state;
    static const int rows[] = {0, 24, 25, 26, 49};
    for (int i = 0; i < COUNT(rows) * MODELS; i++) {
        scene scene = scene_of(model_id(i % MODELS), 23, 50, 1);
        make_hills(&scene, 20, 7);
        scene.def.keep_good_state = i % 2;
        wadi_sim *cut = run_cut(&scene, 2, 2, NULL, 3);
        const int field = wadi_field_of(scene.def.model, WADI_FIELD_DISCHARGE);
        float *flow = field_of(cut, scene.def.model->fields[field].name);
        char words[64];
        snprintf(words, sizeof words, "Q is not a finite number at cell (9, %d)", rows[i / MODELS]);
        tape tape = {0};
        OK(wadi_sim_save(cut, NULL, 0, record, &tape));
        free(flow);
        free(tape.bytes);
        OK(wadi_sim_step(cut, 0));
        assert_true(cut->domain->where[field] != WADI_NOWHERE);
        cut->domain->where[field] = WADI_HERE; /* the core's copy has been read, and is now changed */
        wadi_block_row(&cut->domain->block, cut->domain->block.field[field], rows[i / MODELS])[9] = NAN;
        cut->domain->edits++;
        REFUSED(wadi_sim_step(cut, 5), WADI_ERROR_NUMERIC, words);
        wadi_sim_destroy(cut);
        scene_free(&scene);
    }
}

static void a_low_grid_has_fewer_parts(void **state) {
    (void)state;
    static const int heights[] = {2, 3, 4, 7, 16};
    for (int i = 0; i < COUNT(heights) * MODELS * 3; i++) {
        scene scene = scene_of(model_id(i % MODELS), 9, heights[i / MODELS % COUNT(heights)], 1);
        scene.def.boundary = (wadi_boundary)(i / MODELS / COUNT(heights));
        make_hills(&scene, 20, 7);
        wadi_sim *whole = run(&scene, 9);
        scene.def.parts = WADI_MOST_PARTS;
        scene.def.team = team;
        wadi_sim *cut = run(&scene, 9);
        assert_true(wadi_sim_parts(cut) < heights[i / MODELS % COUNT(heights)]);
        assert_same_state(whole, cut, "fewer parts");
        wadi_sim_destroy(whole);
        wadi_sim_destroy(cut);
        scene_free(&scene);
    }
}

static void impossible_parts_are_refused(void **state) {
    (void)state;
    static const wadi_part none[WADI_MOST_PARTS] = {{true, WADI_ENGINE_CPU, -1}, {true, (wadi_engine)77, -1}},
                           device[WADI_MOST_PARTS] = {{true, WADI_ENGINE_CPU, -2}};
    const wadi_def good = wadi_default_def(wadi_model_find("jako2011"), 20, 20, 1, 1);
    const struct {
        wadi_def def;
        const char *words;
    } bad[] = {{cut_def(&good, -1, 0, NULL), "-1 parts"},
               {cut_def(&good, WADI_MOST_PARTS + 1, 0, NULL), "17 parts"},
               {cut_def(&good, 2, 17, NULL), "substeps_per_exchange"},
               {cut_def(&good, 2, -1, NULL), "substeps_per_exchange"},
               {cut_def(&good, 2, 0, none), "part 2: there is no engine 77"},
               {cut_def(&good, 1, 0, device), "part 1"}};
    for (int i = 0; i < COUNT(bad); i++) {
        wadi_sim *sim;
        REFUSED(wadi_sim_create(&bad[i].def, &sim), WADI_ERROR_ARGUMENT, bad[i].words);
    }
    assert_int_equal(wadi_sim_parts(NULL), 0);
}

/* --- parts on GPUs --- */

static const wadi_device *gpu;
static bool brief; /* a device that is no GPU takes long to compile a fused sweep */

/* The balance's sums are those of a device, so their last digits may differ. */
static void parts_on_devices(void **state) {
    (void)state;
    const wadi_part on_device = {true, gpu->engine, gpu->number}, here = {true, WADI_ENGINE_CPU, -1};
    const wadi_part part[WADI_MOST_PARTS] = {on_device, here, on_device, on_device, here};
    for (int i = 0; i < 3 * MODELS; i += brief ? 2 * MODELS + 1 : 1) {
        if (i % SHARE != 0) continue;
        scene scene = scene_of(model_id(i % MODELS), 37, 61, 1);
        scene.def.boundary = (wadi_boundary)(i / MODELS);
        choose_form(&scene, i);
        make_hills(&scene, 20, (uint32_t)i);
        fill_random(scene_field(&scene, "water"), &scene.def, 0, 1, (uint32_t)i + 1);
        scene.def.drops = (wadi_drops){1.7, 4, 0.1};
        scene.def.tune = false;
        wadi_sim *whole = run(&scene, 13), *cut = run_cut(&scene, cuts[i % 3], 2, part, 13);
        assert_same_fields(whole, cut, model_id(i % MODELS));
        const wadi_mass mine = mass_of(cut), one = mass_of(whole);
        assert_true(fabs(mine.rained - one.rained) <= 1e-6 * one.rained);
        assert_true(fabs(mine.water.residual) <= 1e-5 * (one.water.in + one.water.before));
        wadi_sim_destroy(whole);
        wadi_sim_destroy(cut);
        scene_free(&scene);
    }
}

static int test_path(const char *shape, bool few) {
    brief = few;
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_on_devices)};
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

/* --- parts in several processes --- */

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_form_and_border),
    cmocka_unit_test(random_scenes),
    cmocka_unit_test(what_happens_at_the_rim_is_seen),
    cmocka_unit_test(a_higher_margin_changes_nothing),
    cmocka_unit_test(edits_reach_every_part),
    cmocka_unit_test(models_take_turns),
    cmocka_unit_test(checkpoints_are_those_of_one_part),
    cmocka_unit_test(water_wakes_idle_tiles_of_another_part),
    cmocka_unit_test(a_value_that_is_not_finite_is_found_in_its_part),
    cmocka_unit_test(a_low_grid_has_fewer_parts),
};

/* The same scenes: some processes have several parts, or none. */
static int test_team(int processes) {
    thread_team *threads = team_start(processes);
    team = &threads->place[0].team;
    print_message("%d processes\n", processes);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    team = NULL;
    team_end(threads, WADI_OK);
    return failed;
}

int main(void) {
    const struct CMUnitTest alone[] = {cmocka_unit_test(impossible_parts_are_refused)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL) + cmocka_run_group_tests(alone, NULL, NULL) +
                       test_team(2) + test_team(3);
    const int on_devices = each_device(failed, test_device);
    return on_devices == SKIPPED ? 0 : on_devices;
}
