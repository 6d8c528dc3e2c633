/* The reference and the CPU engine give the same bits for any vector width, number of threads and scene. So do runs in
 * several calls, and runs that continue from a checkpoint. labels: threads */
#include "random_scene.h"

#include "core/inside.h"
#include "engine/cpu/rows.h"

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/* One scene in so many, and in three times as many where threads are not what is looked at. */
static bool is_left_out(int index, int share) {
    return SANITIZED && index % (RACES_ALONE ? share : 3 * share + 1) != 0;
}
/* Of the random scenes the thread sanitizer takes its own part, see assert_engines_agree. */
static bool is_random_left_out(uint32_t seed) { return !RACES_ALONE && is_left_out((int)seed, 9); }

static const char *const isas[] = {"baseline", "avx2", "avx512"};
/* It was compiled, and this CPU has it. */
static bool runs_here(const scene *scene, const char *isa) {
    return wadi_row_table_find(scene->def.model->id, isa) != NULL;
}

static void assert_engines_agree(scene *scene, int steps, uint32_t seed, const char *what) {
    char name[160];
    if (RACES_ALONE && seed % 12 != 1 && seed % 12 != 8) return;
    scene->def.engine = WADI_ENGINE_REFERENCE;
    wadi_sim *reference = run(scene, steps);
    scene->def.engine = WADI_ENGINE_CPU;
    /* Threads wait for each other longer than they work on so small grids. */
    scene->def.threads = seed % 3 == 0 || RACES_ALONE ? 1 + (int)(seed / 3 % 3) : 1;
    scene->def.isa = isas[seed / 5 % 3];
    if (!runs_here(scene, scene->def.isa)) scene->def.isa = NULL;
    scene->def.substeps_per_pass = seed % 4 == 0 ? 0 : 1 + (int)(seed / 9 % 16);
    scene->def.tile_columns = (int)(seed / 7 % 3) * 16;
    wadi_sim *cpu = run(scene, steps);
    snprintf(name, sizeof name, "%s, %s %d x %d, threads %d, %d steps per pass, column tiles of %d, isa %s, seed %u",
             what, wadi_model_id(scene->def.model), scene->def.width, scene->def.height, scene->def.threads,
             scene->def.substeps_per_pass, scene->def.tile_columns, scene->def.isa ? scene->def.isa : "widest", seed);
    assert_same_state(reference, cpu, name);
    wadi_sim_destroy(reference);
    wadi_sim_destroy(cpu);
    scene->def.threads = 1;
    scene->def.isa = NULL;
    scene->def.substeps_per_pass = scene->def.tile_columns = 0;
}

static void every_size_border_and_hole(void **state) {
    (void)state;
    static const int sizes[][2] = {{2, 2},   {2, 3},  {3, 2},  {3, 3},  {15, 17}, {16, 16},
                                   {17, 33}, {33, 5}, {48, 4}, {49, 6}, {127, 65}};
    uint32_t seed = 1;
    for (int m = 0; m < MODELS; m++)
        for (int border = 0; border < 3; border++)
            for (int size = 0; size < COUNT(sizes); size++)
                for (int holes = 0; holes < HOLE_PATTERNS; holes++) {
                    const int width = sizes[size][0], height = sizes[size][1], large = width * height > 2000;
                    if ((large && holes % 2 == 1) || is_random_left_out(++seed)) continue;
                    scene scene = draw_scene(model_id(m), (wadi_boundary)border, width, height, holes, seed);
                    assert_engines_agree(&scene, large ? 5 : 12, seed, scene_boundaries[border]);
                    scene_free(&scene);
                }
}

/* Every choice of every parameter with every border. Forms take turns, and the other choices are random. */
static void every_choice_of_every_parameter(void **state) {
    (void)state;
    uint32_t seed = 10000;
    for (int m = 0; m < MODELS; m++) {
        const wadi_model *model = wadi_model_at((size_t)m);
        for (size_t p = 0; p < model->parameter_count; p++)
            for (int run = 0; model->parameters[p].choices != NULL && run < 6 * ((int)model->parameters[p].maximum + 1);
                 run++) {
                if (is_random_left_out(++seed)) continue;
                scene scene = draw_scene(model_id(m), (wadi_boundary)(run % 3), 19, 9, run % 5 == 0, seed);
                if (run / 3 % 2) choose_form(&scene, run / 3);
                scene.def.values[p] = run / 6;
                assert_engines_agree(&scene, 12, seed, model->parameters[p].name);
                scene_free(&scene);
            }
    }
}

/* All models in all forms with all borders. Some models have fewer forms. */
#define FORM_SCENES (3 * SCENE_FORMS * MODELS)
static bool form_scene(scene *scene, int index, int width, int height) {
    *scene = scene_of(model_id(index / (3 * SCENE_FORMS)), width, height, 1);
    if (index / 3 % SCENE_FORMS >= forms(scene->def.model)) {
        scene_free(scene);
        return false;
    }
    scene->def.boundary = (wadi_boundary)(index % 3);
    choose_form(scene, index / 3 % SCENE_FORMS);
    make_hills(scene, 20, 7);
    return true;
}

/* No maps, so that the specialised kernels do all the work, on every ISA and number of threads. */
static void every_isa_and_thread_count(void **state) {
    (void)state;
    for (int i = 0; i < FORM_SCENES; i++) {
        scene scene;
        if (is_left_out(i, 5) || !form_scene(&scene, i, 83, 29)) continue;
        scene.def.engine = WADI_ENGINE_REFERENCE;
        wadi_sim *reference = run(&scene, 12);
        scene.def.engine = WADI_ENGINE_CPU;
        for (int isa = 0; isa < 3; isa++)
            for (scene.def.threads = RACES_ALONE ? 2 : 1; scene.def.threads <= 3; scene.def.threads++) {
                if (scene.def.threads > 1 && (scene.def.threads + i) % 3 != isa) continue;
                scene.def.isa = isas[isa];
                if (!runs_here(&scene, isas[isa])) continue;
                wadi_sim *cpu = run(&scene, 12);
                assert_int_equal(wadi_sim_threads(cpu), scene.def.threads);
                assert_same_state(reference, cpu, isas[isa]);
                wadi_sim_destroy(cpu);
            }
        wadi_sim_destroy(reference);
        scene_free(&scene);
    }
}

/* For any number of sub-steps per pass, any width of column tiles, and any number of threads. */
static void every_number_of_substeps_per_pass(void **state) {
    (void)state;
    for (int i = 0; i < FORM_SCENES; i++) {
        scene scene;
        if (is_left_out(i, 5) || !form_scene(&scene, i, 75, 41)) continue;
        if (i % 2) scene_field(&scene, "height")[21 * 75 + 40] = NAN;
        scene.def.drops = (wadi_drops){0.5, 4, 0.1};
        scene.def.engine = WADI_ENGINE_REFERENCE;
        wadi_sim *reference = run(&scene, 17);
        scene.def.engine = WADI_ENGINE_CPU;
        for (int k = 2; k <= 16; k += k < 4 ? 1 : 12) {
            scene.def.threads = 1 + (i + k) % 3;
            scene.def.substeps_per_pass = k;
            scene.def.tile_columns = (i + k) % 2 * 32;
            wadi_sim *cpu = run(&scene, 17);
            char what[80];
            snprintf(what, sizeof what, "%s, %d threads, %d steps per pass, column tiles of %d",
                     wadi_model_id(scene.def.model), scene.def.threads, k, scene.def.tile_columns);
            assert_same_state(reference, cpu, what);
            wadi_sim_destroy(cpu);
        }
        wadi_sim_destroy(reference);
        scene_free(&scene);
    }
}

/* Larger than the caches, in sizes without common divisors. */
static void large_odd_sizes(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++)
        for (int i = 0; i < 4; i++) {
            if (is_left_out(m + i, 4)) continue;
            scene scene = scene_of(model_id(m), i % 2 ? 127 : 1025, i % 2 ? 1025 : 127, 1);
            scene.def.boundary = i < 2 ? WADI_OPEN : WADI_WRAP;
            make_hills(&scene, 20, 7);
            assert_engines_agree(&scene, 3, (uint32_t)(m + 30 * i), "large");
            scene_free(&scene);
        }
}

static void substeps_per_pass_and_tile_columns_are_checked(void **state) {
    (void)state;
    static const int bad[][2] = {{-1, 0}, {17, 0}, {0, -16}, {0, 8}, {0, 17}};
    for (int i = 0; i < COUNT(bad); i++) {
        wadi_def def = wadi_default_def(wadi_model_find("jako2011"), 20, 20, 1, 1);
        wadi_sim *sim;
        def.substeps_per_pass = bad[i][0];
        def.tile_columns = bad[i][1];
        REFUSED(wadi_sim_create(&def, &sim), WADI_ERROR_ARGUMENT,
                bad[i][0] != 0 ? "substeps_per_pass" : "tile_columns");
    }
}

/* Q is read by no other cell: its error does not spread. */
static void non_finite_values_are_found_anywhere(void **state) {
    (void)state;
    static const int at[][2] = {{0, 0}, {114, 0}, {0, 70}, {114, 70}, {31, 20}, {32, 36}, {57, 35}};
    for (int i = 0; i < COUNT(at) * MODELS; i++) {
        const int x = at[i / MODELS][0], y = at[i / MODELS][1];
        scene scene = scene_of(model_id(i % MODELS), 115, 71, 1);
        make_hills(&scene, 20, 7);
        scene.def.threads = 1 + i % 3;
        scene.def.tile_columns = i % 2 * 32;
        scene.def.substeps_per_pass = 1 + i % 4;
        scene.def.keep_good_state = false;
        wadi_sim *sim = run(&scene, 3);
        char words[64];
        snprintf(words, sizeof words, "Q is not a finite number at cell (%d, %d)", x, y);
        const float bad = i % 2 ? NAN : -INFINITY;
        wadi_block_row(&sim->domain->block,
                       sim->domain->block.field[wadi_field_of(scene.def.model, WADI_FIELD_DISCHARGE)], y)[x] = bad;
        REFUSED(wadi_sim_step(sim, 5), WADI_ERROR_NUMERIC, words);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void sizes_below_two_are_refused(void **state) {
    (void)state;
    static const int sizes[][2] = {{1, 5}, {5, 1}, {1, 1}, {0, 5}, {-3, 5}, {1 << 20, (1 << 20) + 1}};
    for (int i = 0; i < COUNT(sizes); i++) {
        const wadi_def def = wadi_default_def(wadi_model_find("jako2011"), sizes[i][0], sizes[i][1], 1, 1);
        wadi_sim *sim = (wadi_sim *)&i;
        REFUSED(wadi_sim_create(&def, &sim), WADI_ERROR_ARGUMENT, "grid");
        assert_null(sim);
    }
}

/* --- invariance --- */

static void the_callers_float_mode_changes_no_bit(void **state) {
    (void)state;
#if defined(__SSE2__)
    for (int i = 0; i < 4 * MODELS; i++) {
        scene scene = scene_of(model_id(i / 4), 33, 17, 1);
        scene.def.engine = scene_engines[i % 2];
        scene.def.threads = 1 + i / 2 % 2;
        choose_form(&scene, 2 + i % 2);
        make_hills(&scene, 20, 3);
        fill_random(scene_field(&scene, "water"), &scene.def, 0, 1e-7f, 5); /* fluxes fall to denormals */
        fill_random(scene_field(&scene, "sediment"), &scene.def, 0, 1e-38f, 6);
        wadi_sim *usual = run(&scene, 40);
        const unsigned before = _mm_getcsr(), odd = (before | 0x8040u | 0x6000u) & ~0x3fu; /* FTZ, DAZ, toward zero */
        _mm_setcsr(odd);
        wadi_sim *other = NULL;
        const wadi_status made = wadi_sim_create(&scene.def, &other);
        wadi_status status = made;
        for (int f = 0; status == WADI_OK && f < scene.fields; f++)
            status = wadi_sim_set(other, scene.name[f], scene.field[f], cells_of(&scene.def));
        if (status == WADI_OK) status = wadi_sim_step(other, 40);
        const unsigned after = _mm_getcsr() & ~0x3fu;
        _mm_setcsr(before);
        OK(status);
        assert_int_equal(after, odd);
        assert_same_state(usual, other, "with denormals flushed and rounding toward zero");
        wadi_sim_destroy(usual);
        wadi_sim_destroy(other);
        scene_free(&scene);
    }
#endif
}

/* A raster with the same value everywhere gives the bits of the plain value, for every per-cell parameter. */
static void a_constant_raster_equals_the_plain_value(void **state) {
    (void)state;
    if (RACES_ALONE) skip(); /* one thread */
    for (int i = 0; i < 2 * SCENE_FORMS * MODELS; i++) {
        scene scene = scene_of(model_id(i / (2 * SCENE_FORMS)), 35, 9, 1);
        if (i / 2 % SCENE_FORMS >= forms(scene.def.model)) {
            scene_free(&scene);
            continue;
        }
        scene.def.engine = scene_engines[i % 2];
        choose_form(&scene, i / 2 % SCENE_FORMS);
        make_hills(&scene, 20, 3);
        for (size_t p = 0; p < scene.def.model->parameter_count; p++) /* values that a float holds exactly */
            scene.def.values[p] = (double)(float)scene.def.values[p];
        wadi_sim *plain = run(&scene, 20);
        for (size_t p = 0; p < scene.def.model->parameter_count; p++) {
            const wadi_parameter *parameter = &scene.def.model->parameters[p];
            if (!parameter->per_cell) continue;
            wadi_sim *sim = start(&scene);
            float *raster = field_of(sim, "height");
            fill(raster, &scene.def, (float)scene.def.values[p]);
            OK(wadi_sim_set(sim, parameter->alias, raster, cells_of(&scene.def)));
            free(raster);
            OK(wadi_sim_step(sim, 20));
            assert_same_state(plain, sim, parameter->name);
            wadi_sim_destroy(sim);
        }
        wadi_sim_destroy(plain);
        scene_free(&scene);
    }
}

/* The i-th scene: models take turns, then forms. */
static scene busy_scene(int i) {
    scene scene =
        draw_scene(model_id(i % MODELS), (wadi_boundary)(i % 3), 21, 10, i % HOLE_PATTERNS % 4, 500 + (uint32_t)i);
    choose_form(&scene, i / MODELS);
    scene.def.drops = (wadi_drops){1.4, 1.5, 0.3};
    scene.def.engine = scene_engines[i / MODELS % 2];
    return scene;
}
static bool is_form(int i) { return i / MODELS < forms(wadi_model_at((size_t)(i % MODELS))) || i / MODELS < 2; }

static void splitting_a_run_changes_no_bit(void **state) {
    (void)state;
    for (int i = 0; i < SCENE_FORMS * MODELS; i++) {
        if (!is_form(i)) continue;
        scene scene = busy_scene(i);
        set_substeps(&scene, 1);
        scene.def.engine = WADI_ENGINE_CPU;
        const int steps = steps_for(&scene, 1000, 2e5);
        wadi_sim *whole = run(&scene, steps), *pieces = run(&scene, 1);
        OK(wadi_sim_step(pieces, 7));
        OK(wadi_sim_step(pieces, 0));
        OK(wadi_sim_step(pieces, steps - 8));
        assert_same_state(whole, pieces, "all = 1 + 7 + 0 + the rest");
        scene.def.keep_good_state = false;
        scene.def.check_every = 7;
        wadi_sim *checked = run(&scene, steps);
        assert_same_state(whole, checked, "checked every 7 steps");
        wadi_sim_destroy(whole);
        wadi_sim_destroy(pieces);
        wadi_sim_destroy(checked);
        scene_free(&scene);
    }
}

/* Reading fields changes nothing, not even "velocity", which a stage computes. */
static void reading_fields_changes_no_bit(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        scene scene = busy_scene(MODELS + m);
        wadi_sim *one = start(&scene), *two = start(&scene);
        for (int i = 0; i < 20; i++) {
            OK(wadi_sim_step(one, 1));
            OK(wadi_sim_step(two, 1));
            if (has_speed(&scene)) free(field_of(two, "velocity"));
            mass_of(two);
        }
        assert_same_state(one, two, "looked at after every step");
        wadi_sim_destroy(one);
        wadi_sim_destroy(two);
        scene_free(&scene);
    }
}

/* --- checkpoints --- */

static void a_restored_checkpoint_gives_the_same_bits(void **state) {
    (void)state;
    for (int i = 0; i < SCENE_FORMS * MODELS; i++) {
        if (!is_form(i)) continue;
        scene scene = busy_scene(i);
        wadi_sim *whole = run(&scene, 25), *half = run(&scene, 11), *other = NULL;
        tape tape = {0};
        void *note = NULL;
        size_t note_bytes = 0;
        OK(wadi_sim_save(half, "a note", (size_t)(i % 7), record, &tape));
        wadi_sim_destroy(half);
        wadi_def how = {.engine = scene_engines[(i / MODELS + 1 + i / 8) % 2],
                        .threads = 1 + i % 3,
                        .isa = i % 5 ? NULL : "baseline",
                        .substeps_per_pass = i % 4};
        OK(wadi_sim_restore(play, &tape, i == 0 ? NULL : &how, &other, &note, &note_bytes));
        assert_int_equal(tape.at, tape.size);
        assert_int_equal(note_bytes, i % 7);
        assert_memory_equal(note, "a note", note_bytes);
        OK(wadi_sim_step(other, 14));
        assert_same_state(whole, other, "taken up again");
        assert_true(wadi_sim_time(whole) <= wadi_sim_time(other) && wadi_sim_time(whole) >= wadi_sim_time(other));
        free(note);
        free(tape.bytes);
        wadi_sim_destroy(whole);
        wadi_sim_destroy(other);
        scene_free(&scene);
    }
}

static void assert_tape_refused(tape *tape, const char *what, size_t at) {
    wadi_sim *sim = NULL;
    void *note = NULL;
    size_t note_bytes = 0;
    const wadi_def how = {.threads = 1};
    tape->at = 0;
    if (wadi_sim_restore(play, tape, &how, &sim, &note, &note_bytes) == WADI_OK)
        fail_msg("%s at byte %zu: taken", what, at);
    assert_null(sim);
    assert_null(note);
    assert_true(wadi_error_message()[0] != '\0');
}

static void damaged_checkpoints_are_refused(void **state) {
    (void)state;
    if (RACES_ALONE) skip(); /* one thread */
    scene scene = scene_of("jako2011", 5, 4, 1);
    make_hills(&scene, 5, 3);
    fill(scene_field(&scene, "Kc"), &scene.def, 0.25f);
    add_source(&scene, 2, 2, 1, 0.1);
    wadi_sim *sim = run(&scene, 9);
    tape tape = {0};
    OK(wadi_sim_save(sim, "note", 4, record, &tape));
    const size_t size = tape.size;
    for (size_t i = 0; i < size; i++)
        for (int bit = i < 200 ? 0 : (int)(i % 8); bit < 8; bit += i < 200 ? 1 : 8) {
            tape.bytes[i] ^= (uint8_t)(1 << bit);
            assert_tape_refused(&tape, "a bit flipped", i);
            tape.bytes[i] ^= (uint8_t)(1 << bit);
        }
    for (size_t i = 0; i < size; i += i < 300 ? 1 : 37) {
        tape.size = i;
        assert_tape_refused(&tape, "cut off", i);
    }
    free(tape.bytes);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

static wadi_status taken_up_again(const wadi_sim *sim, wadi_sim **other) {
    const wadi_def how = {.threads = 1};
    tape tape = {0};
    void *note = NULL;
    size_t note_bytes = 0;
    wadi_status status = wadi_sim_save(sim, NULL, 0, record, &tape);
    *other = NULL;
    if (status == WADI_OK) status = wadi_sim_restore(play, &tape, &how, other, &note, &note_bytes);
    free(note);
    free(tape.bytes);
    return status;
}

/* A valid checksum does not mean valid content. */
static void inconsistent_checkpoints_are_refused(void **state) {
    (void)state;
    scene scene = scene_of("jako2011", 5, 4, 1);
    make_hills(&scene, 5, 3);
    fill(scene_field(&scene, "A"), &scene.def, 59);
    wadi_sim *sim = run(&scene, 9), *other;
    const int area = wadi_model_parameter_index(scene.def.model, "A"),
              water = wadi_field_of(scene.def.model, WADI_FIELD_WATER);
    float *values[] = {&sim->raster[area][0], &sim->domain->block.field[water][1], &sim->domain->block.field[0][2]};
    static const char *const words[] = {"(0, 0)", "d at cell (1, 0)", "b0 at cell (2, 0)"};
    for (int i = 0; i < COUNT(values); i++) {
        const float good = *values[i];
        *values[i] = NAN;
        const wadi_status status = taken_up_again(sim, &other);
        if (status == WADI_OK || strstr(wadi_error_message(), words[i]) == NULL)
            fail_msg("%s should be refused: %s", words[i], wadi_error_message());
        assert_null(other);
        *values[i] = good;
    }
    int64_t *counts[] = {&sim->domain->steps, &sim->domain->substeps_done, &sim->flow_samples, &sim->domain->base_step};
    for (int i = 0; i < COUNT(counts); i++)
        for (int large = 0; large < 2; large++) {
            const int64_t good = *counts[i];
            *counts[i] = large ? INT64_MAX : -1;
            REFUSED(taken_up_again(sim, &other), WADI_ERROR_FORMAT, "steps");
            *counts[i] = good;
        }
    sim->raster_largest[area] = 1; /* is computed again */
    OK(taken_up_again(sim, &other));
    assert_int_equal(wadi_sim_safety(other).substeps, other->domain->substeps);
    assert_int_equal(other->domain->substeps, sim->domain->substeps);
    wadi_sim_destroy(other);
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

static wadi_status full(void *context, const void *bytes, size_t count) {
    (void)bytes;
    size_t *room = context;
    if (count > *room) return wadi_fail(WADI_ERROR_IO, "no room left");
    *room -= count;
    return WADI_OK;
}

static void a_checkpoint_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    scene scene = scene_of("mei2007", 4, 4, 1);
    wadi_sim *sim = start(&scene);
    for (size_t room = 0; room < 2000; room += 131) {
        size_t left = room;
        REFUSED(wadi_sim_save(sim, NULL, 0, full, &left), WADI_ERROR_IO, "no room left");
    }
    wadi_sim_destroy(sim);
    scene_free(&scene);
}

/* --- processes that are switched during a run --- */

typedef struct change {
    const char *name;
    double value;
} change;

static wadi_sim *run_switching(const scene *scene, const change *changes, int count, bool again) {
    wadi_sim *sim = run(scene, 6);
    for (int i = 0; i < count; i++) {
        OK(wadi_sim_set_parameter(sim, changes[i].name, changes[i].value));
        OK(wadi_sim_step(sim, 5));
        if (!again) continue;
        wadi_sim *restored;
        OK(taken_up_again(sim, &restored));
        wadi_sim_destroy(sim);
        sim = restored;
    }
    return sim;
}

static void processes_change_during_a_run(void **state) {
    (void)state;
    static const change pipes[] = {{"thermal", 0},   {"hydraulic", 0}, {"thermal", 1},
                                   {"advection", 1}, {"hydraulic", 1}, {"advection", 0}};
    static const change others[] = {{"advection", 1}, {"advection", 0}};
    for (int boundary = 0; boundary < 3; boundary++)
        for (int m = 0; m < 2; m++) {
            const change *changes = m == 0 ? pipes : others;
            const int count = m == 0 ? COUNT(pipes) : COUNT(others);
            scene scene = draw_scene(m == 0 ? "jako2011" : "mei2007", (wadi_boundary)boundary, 41, 37, 4,
                                     11u + (uint32_t)boundary);
            if (m == 0) OK(wadi_def_set(&scene.def, "thermal", 1));
            if (m == 0) OK(wadi_def_set(&scene.def, "hydraulic", 1));
            OK(wadi_def_set(&scene.def, "advection", 0));
            scene.def.engine = WADI_ENGINE_REFERENCE;
            wadi_sim *expected = run_switching(&scene, changes, count, false);
            scene.def.engine = WADI_ENGINE_CPU;
            for (int threads = 1; threads <= 3; threads += 2)
                for (int again = 0; again < 2; again++) {
                    scene.def.threads = threads;
                    wadi_sim *sim = run_switching(&scene, changes, count, again);
                    assert_same_state(sim, expected, again ? "switched, with checkpoints" : "switched");
                    const wadi_mass mass = mass_of(sim);
                    assert_true(fabs(mass.solid.residual) <= 1e-6 * (mass.moved + mass.solid.in + 1));
                    wadi_sim_destroy(sim);
                }
            wadi_sim_destroy(expected);
            scene_free(&scene);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_border_and_hole),
        cmocka_unit_test(every_choice_of_every_parameter),
        cmocka_unit_test(every_isa_and_thread_count),
        cmocka_unit_test(every_number_of_substeps_per_pass),
        cmocka_unit_test(large_odd_sizes),
        cmocka_unit_test(substeps_per_pass_and_tile_columns_are_checked),
        cmocka_unit_test(non_finite_values_are_found_anywhere),
        cmocka_unit_test(sizes_below_two_are_refused),
        cmocka_unit_test(the_callers_float_mode_changes_no_bit),
        cmocka_unit_test(a_constant_raster_equals_the_plain_value),
        cmocka_unit_test(splitting_a_run_changes_no_bit),
        cmocka_unit_test(reading_fields_changes_no_bit),
        cmocka_unit_test(a_restored_checkpoint_gives_the_same_bits),
        cmocka_unit_test(damaged_checkpoints_are_refused),
        cmocka_unit_test(inconsistent_checkpoints_are_refused),
        cmocka_unit_test(a_checkpoint_that_cannot_be_written_is_an_error),
        cmocka_unit_test(processes_change_during_a_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
