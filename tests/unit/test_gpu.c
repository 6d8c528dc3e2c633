/* test_gpu.c: the GPU engine gives the CPU's bits, for all models, forms and borders. It also tests changes during a
 * run, checkpoints, wadi_sim_take between engines, and failures. It runs on every strict OpenCL and CUDA device (see
 * gpu_devices.h).
 *
 * With a slow compiler a program takes seconds to build. A program depends on the model, its switches, its processes
 * and its maps. So the scenes have few combinations of these, and many of all else.
 *
 * Each device runs all tests on the plain path. With fused sweeps of two sub-steps it runs a part (only jako2011), or
 * all with WADI_TEST_SWEEPS=all. A GPU also runs all tests on its automatic path. */
#define _POSIX_C_SOURCE 200809L
#include "scene.h"
#include "wadi/paint.h"

#include "core/inside.h"
#include "engine/gpu/sweep_launch.h"
#include "gpu_devices.h"
#include "gpu_scenes.h"

/* --- the same bits --- */

static void every_form_and_border(void **state) {
    (void)state;
    for (int m = 0; m < model_count(); m++)
        for (int form = 0; form < (brief ? 1 : forms(wadi_model_at((size_t)m))); form++)
            for (int border = 0; border < 3; border++) {
                const int i = form + border;
                if (form > 1 && i % 3 != m % 3) continue; /* programs take long to build */
                scene scene = rainy_scene(m, form, border, i % 2 ? 43 : 131, i % 3 ? 29 : 18, i % HOLE_PATTERNS);
                assert_engines_agree(&scene, 11, form_of(&scene, form)->name);
            }
}

/* The last value of every choice. */
static void the_largest_value_of_every_choice(void **state) {
    (void)state;
    for (int m = 0; m < model_count() && !brief; m++)
        for (int border = 0; border < 3; border++) {
            scene scene = rainy_scene(m, 0, border, 37, 21, border);
            for (size_t p = 0; p < scene.def.model->parameter_count; p++)
                if (scene.def.model->parameters[p].choices != NULL)
                    scene.def.values[p] = scene.def.model->parameters[p].maximum;
            set_substeps(&scene, 3);
            assert_engines_agree(&scene, 9, "last choices");
        }
}

static void every_map(void **state) {
    (void)state;
    for (int m = 0; m < model_count() && !brief; m++)
        for (int border = 0; border < 3; border++) {
            scene scene = map_scene(m, border, 61 + 40 * border, 23);
            assert_engines_agree(&scene, 9, "maps");
        }
}

/* Uniform rain, so that there is no map of it. */
static void uniform_rain(void **state) {
    (void)state;
    for (int m = 0; m < model_count() && !brief; m++)
        for (int border = 0; border < 3; border++) {
            scene scene = scene_of(model_name(m), 37, 40, 1);
            scene.def.boundary = (wadi_boundary)border;
            make_hills(&scene, 20, 8);
            if (border == 2) set_long_step(&scene);
            assert_engines_agree(&scene, 10, "even rain");
        }
}

static void every_size(void **state) {
    (void)state;
    static const int sizes[][2] = {{2, 2},    {2, 3},   {3, 2},     {16, 15},  {17, 33}, {33, 5},
                                   {127, 64}, {128, 9}, {127, 131}, {321, 17}, {129, 2}, {2, 129}};
    for (int m = 0; m < model_count(); m++)
        for (int size = 0; size < COUNT(sizes); size++) {
            const int border = (size + m) % 3, holes = (size + 2 * m) % HOLE_PATTERNS;
            scene scene = rainy_scene(m, 0, border, sizes[size][0], sizes[size][1], holes);
            assert_engines_agree(&scene, 5 + size % 3, "sizes");
        }
}

/* On a device without float64 the host computes totals and maps of rain. */
static void without_float64(void **state) {
    (void)state;
    for (int m = 0; m < model_count(); m++) {
        scene scene = rainy_scene(m, 0, m % 3, 41, 23, 1);
        on_cpu(&scene);
        wadi_sim *cpu = run(&scene, 12);
        on_gpu(&scene);
        wadi_sim *gpu = start(&scene);
        wadi_gpu_engine *engine = gpu->domain->engine_state;
        engine->about.float64 = false;
        OK(wadi_sim_step(gpu, 12));
        assert_true(engine->fall == NULL);
        assert_same(cpu, gpu, "without float64");
        wadi_sim_destroy(cpu);
        wadi_sim_destroy(gpu);
        scene_free(&scene);
    }
}

/* More drops than a group has work items, in more sub-steps of a call than are sent at once. */
static void many_drops(void **state) {
    (void)state;
    for (int boundary = 0; boundary < 3; boundary++) {
        scene scene = rainy_scene(0, 0, boundary, 41, 23, 0);
        scene.def.drops = (wadi_drops){300, 2.5, 1e-3};
        assert_engines_agree(&scene, 5, "drops");
        scene_free(&scene);
        scene = rainy_scene(0, 0, boundary, 33, 19, 1);
        scene.def.check_every = 1000;
        assert_engines_agree(&scene, WADI_GPU_FORECAST * 5 / 4, "drops for long");
        scene_free(&scene);
    }
}

/* CUDA takes 65535 groups in y. */
static void a_tall_grid(void **state) {
    (void)state;
    scene scene = rainy_scene(0, 0, 2, 3, 66001, 0);
    assert_engines_agree(&scene, 2, "tall");
}

/* Interleaved fields are transferred by several ranges of rows. */
static void several_transfers_per_field(void **state) {
    (void)state;
    scene scene = rainy_scene(jako2011(), 0, 0, 1200, 900, 0);
    assert_engines_agree(&scene, 2, "bands of rows");
}

static void a_larger_grid(void **state) {
    (void)state;
    for (int m = 0; m < model_count(); m++) {
        scene scene = rainy_scene(m, 0, m % 3, m % 2 ? 127 : 1025, m % 2 ? 1025 : 127, m % 3);
        assert_engines_agree(&scene, 3, "large");
    }
}

/* Operands so small that the fast division is not exact: a flat plain under a film of water, without a minimum slope.
 */
static void extreme_operands_are_exact(void **state) {
    (void)state;
    for (int m = 0; m < model_count(); m++) {
        scene scene = scene_of(model_name(m), 700, 330, 2);
        float *height = scene_field(&scene, "height"), *water = scene_field(&scene, "water");
        for (size_t i = 0; i < cells_of(&scene.def); i++) {
            height[i] = 1e-6f * (float)(i * 7 % 11);
            water[i] = i % 3 == 0 ? 1e-6f : 1e-8f;
        }
        wadi_def_set_text(&scene.def, "sin_min", "0"); /* if the model has the parameter */
        wadi_def_set_text(&scene.def, "rain", "0");
        assert_engines_agree(&scene, 12, "extremes");
    }
}

/* --- invariance and changes --- */

static void splitting_a_run_changes_no_bit(void **state) {
    (void)state;
    for (int m = 0; m < model_count(); m++) {
        scene scene = rainy_scene(m, 0, m % 3, 33, 19, 1);
        on_cpu(&scene);
        wadi_sim *cpu = run(&scene, 40);
        on_gpu(&scene);
        wadi_sim *pieces = run(&scene, 1);
        OK(wadi_sim_step(pieces, 7));
        OK(wadi_sim_step(pieces, 0));
        mass_of(pieces);
        wadi_sim_trim(pieces);
        OK(wadi_sim_step(pieces, 11));
        wadi_sim_trim(pieces);
        mass_of(pieces);
        OK(wadi_sim_step(pieces, 21));
        assert_same(cpu, pieces, "40 = 1 + 7 + 0 + 11 + 21");
        wadi_sim_trim(pieces);
        assert_same(cpu, pieces, "after trim");
        scene.def.keep_good_state = false;
        scene.def.check_every = 7;
        wadi_sim *checked = run(&scene, 40);
        assert_same(cpu, checked, "checked every 7 steps");
        wadi_sim_destroy(cpu);
        wadi_sim_destroy(pieces);
        wadi_sim_destroy(checked);
        scene_free(&scene);
    }
}

/* Paints ground, water and rain. */
static void paint(wadi_sim *sim) {
    const wadi_dab dabs[] = {{WADI_BRUSH_RAISE, 20, 8, 6, 2, 0.5, 0},
                             {WADI_BRUSH_WATER, 9, 9, 4, 0.5, 1, 0},
                             {WADI_BRUSH_SMOOTH, 25, 7, 5, 0.7, 1, 0},
                             {WADI_BRUSH_RAIN, 15, 9, 6, 0.005, 1, 0}};
    OK(wadi_sim_paint(sim, dabs, COUNT(dabs)));
}

/* Makes the same changes on each engine, from its own random numbers. */
static void edit(wadi_sim *sim, const scene *scene, int which) {
    const size_t count = cells_of(&scene->def);
    const wadi_model *model = scene->def.model;
    float *values = field_of(sim, which == 0 ? "water" : which == 1 ? "sediment" : "mask");
    for (size_t i = 0; i < count; i += 3) values[i] = isnan(values[i]) ? NAN : 0.25f;
    switch (which) {
    case 0:
        OK(wadi_sim_set(sim, "water", values, count));
        break;
    case 1:
        OK(wadi_sim_set(sim, "sediment", values, count));
        break;
    case 2:
        if (wadi_model_has_hardness(model)) OK(wadi_sim_set(sim, "hardness", values, count));
        OK(wadi_sim_set_sources(sim, scene->source, 1));
        break;
    case 3:
        OK(wadi_sim_set_parameter(sim, "time-step", 0.5 * scene->def.values[time_step_of(scene->def.model)]));
        break;
    case 4: /* the first maps: needs another program */
        if (!brief && wadi_model_has_hardness(model)) OK(wadi_sim_set(sim, "mask", values, count));
        OK(wadi_sim_set_drops(sim, &(wadi_drops){1.5, 2 * scene->def.lx, 0.01}));
        break;
    case 5:
        OK(wadi_sim_set_sources(sim, NULL, 0));
        OK(wadi_sim_set_drops(sim, &(wadi_drops){0, 0, 0}));
        REFUSED(wadi_sim_set_parameter(sim, "time-step", NAN), WADI_ERROR_ARGUMENT, "finite");
        break;
    default: /* starts again */
        OK(wadi_sim_set(sim, "height", scene->field[0], count));
        if (has(scene, "R")) OK(wadi_sim_set_parameter(sim, "R", 0.75));
        break;
    }
    free(values);
}

static void edits_are_seen(void **state) {
    (void)state;
    for (int m = 0; m < model_count(); m++) {
        scene scene = rainy_scene(m, 0, (m + 1) % 3, 40, 17, 1);
        on_cpu(&scene);
        wadi_sim *cpu = run(&scene, 3);
        on_gpu(&scene);
        wadi_sim *gpu = run(&scene, 3);
        for (int which = 0; which < 7; which++) {
            edit(cpu, &scene, which);
            edit(gpu, &scene, which);
            paint(cpu);
            paint(gpu);
            if (which % 2) assert_same(cpu, gpu, "edited");
            OK(wadi_sim_step(cpu, 3 + which % 2));
            OK(wadi_sim_step(gpu, 3 + which % 2));
            char what[40];
            snprintf(what, sizeof what, "after edit %d", which);
            assert_same(cpu, gpu, what);
        }
        wadi_sim_destroy(cpu);
        wadi_sim_destroy(gpu);
        scene_free(&scene);
    }
}

/* Sources are added after the first steps: rain differs by place from then on. */
static void sources_added_during_a_run(void **state) {
    (void)state;
    scene scene = rainy_scene(0, 0, 1, 33, 20, 1);
    scene.def.drops.count = 0;
    const size_t sources = scene.sources;
    scene.sources = 0;
    on_cpu(&scene);
    wadi_sim *cpu = run(&scene, 3);
    on_gpu(&scene);
    wadi_sim *gpu = run(&scene, 3);
    for (int i = 0; i < 2; i++) {
        OK(wadi_sim_set_sources(i ? gpu : cpu, scene.source, sources));
        OK(wadi_sim_step(i ? gpu : cpu, 4));
    }
    assert_same(cpu, gpu, "late sources");
    wadi_sim_destroy(cpu);
    wadi_sim_destroy(gpu);
    scene_free(&scene);
}

static void assert_tuned_agrees(scene *scene, int steps, const char *what) {
    on_cpu(scene);
    wadi_sim *cpu = run(scene, steps);
    on_gpu(scene);
    scene->def.tune = true;
    wadi_sim *gpu = run(scene, steps);
    assert_same(cpu, gpu, what);
    wadi_sim_destroy(cpu);
    wadi_sim_destroy(gpu);
    scene_free(scene);
}

/* Autotuning tries shapes on the state and its rain, and changes nothing. */
static void autotuning_changes_no_bit(void **state) {
    (void)state;
    scene scene = rainy_scene(jako2011(), 0, 1, 90, 70, 1);
    assert_tuned_agrees(&scene, 9, "tuned");
}

/* The active processes may change, and with them the interleaved fields on a device. They change before the first step,
 * after a field was read that the device had to compute, and during a run. */
static void processes_switched_on_during_a_run(void **state) {
    (void)state;
    for (int first = 0; first < 2; first++) {
        static const char *const names[] = {"hydraulic", "thermal"};
        scene scene = rainy_scene(jako2011(), 0, 2, 45, 31, 1);
        OK(wadi_def_set_text(&scene.def, names[first], "off"));
        wadi_sim *sims[2];
        for (int i = 0; i < 2; i++) {
            if (i == 0)
                on_cpu(&scene);
            else
                on_gpu(&scene);
            sims[i] = run(&scene, 0);
            float *water = field_of(sims[i], "water");
            /* a non-finite value stays non-finite */
            for (size_t c = 0; c < cells_of(&scene.def); c++) water[c] += 0.5f;
            OK(wadi_sim_set(sims[i], "water", water, cells_of(&scene.def)));
            free(water);
            free(field_of(sims[i], "velocity"));
            OK(wadi_sim_set_parameter(sims[i], names[first], 1));
            OK(wadi_sim_step(sims[i], 5));
            OK(wadi_sim_set_parameter(sims[i], names[1 - first], 0));
            OK(wadi_sim_step(sims[i], 3));
            OK(wadi_sim_set_parameter(sims[i], names[1 - first], 1));
            OK(wadi_sim_set_parameter(sims[i], "advection", 1));
            OK(wadi_sim_step(sims[i], 4));
        }
        assert_same(sims[0], sims[1], names[first]);
        wadi_sim_destroy(sims[0]);
        wadi_sim_destroy(sims[1]);
        scene_free(&scene);
    }
}

/* --- from one simulation to another --- */

static wadi_sim *taken_up_again(const wadi_sim *sim, const wadi_def *how) {
    tape tape = {0};
    void *note = NULL;
    size_t note_bytes = 0;
    wadi_sim *other = NULL;
    OK(wadi_sim_save(sim, "note", 4, record, &tape));
    OK(wadi_sim_restore(play, &tape, how, &other, &note, &note_bytes));
    free(note);
    free(tape.bytes);
    return other;
}

static void checkpoints_pass_between_cpu_and_gpu(void **state) {
    (void)state;
    for (int m = 0; m < model_count(); m++) {
        scene scene = rainy_scene(m, 0, m % 3, 31, 22, 1);
        on_cpu(&scene);
        const wadi_def how_cpu = scene.def;
        wadi_sim *whole = run(&scene, 20), *cpu = run(&scene, 9);
        on_gpu(&scene);
        const wadi_def how_gpu = scene.def;
        wadi_sim *gpu = run(&scene, 9);
        wadi_sim *from_gpu = taken_up_again(gpu, &how_cpu), *from_cpu = taken_up_again(cpu, &how_gpu);
        wadi_sim *none = start(&scene), *begun = taken_up_again(none, &how_gpu);
        OK(wadi_sim_step(from_gpu, 11));
        OK(wadi_sim_step(from_cpu, 11));
        OK(wadi_sim_step(gpu, 11));
        OK(wadi_sim_step(begun, 20));
        assert_same(whole, from_gpu, "from a GPU");
        assert_same(whole, from_cpu, "from the CPU");
        assert_same(whole, gpu, "saved, and on");
        assert_same(whole, begun, "from a GPU before the first step");
        wadi_sim *const all[] = {whole, cpu, gpu, from_gpu, from_cpu, none, begun};
        for (int i = 0; i < COUNT(all); i++) wadi_sim_destroy(all[i]);
        scene_free(&scene);
    }
}

/* Whether what is suspended settles between them (wadi_sim_take). */
static bool settles(const scene *one, const scene *two) {
    return strcmp(wadi_model_id(one->def.model), "schott2023") == 0 ||
           strcmp(wadi_model_id(two->def.model), "schott2023") == 0;
}

/* One simulation takes the state of another that does nothing, and gives it back. Then a model continues where another
 * stopped. */
static void state_passes_between_cpu_and_gpu(void **state) {
    (void)state;
    for (int m = 0; m < model_count(); m++) {
        scene one = rainy_scene(m, 0, m % 3, 28, 25, 1), two = rainy_scene((m + 1) % model_count(), 0, 1, 28, 25, 1);
        memcpy(two.field[0], one.field[0], cells_of(&one.def) * sizeof(float));
        two.sources = 0;
        wadi_sim *end[2];
        for (int first_on_gpu = 0; first_on_gpu < 2; first_on_gpu++) {
            first_on_gpu ? on_gpu(&one) : on_cpu(&one);
            first_on_gpu ? on_cpu(&two) : on_gpu(&two);
            wadi_sim *a = run(&one, 5), *b = NULL;
            OK(wadi_sim_create(&two.def, &b)); /* takes the terrain too */
            for (int turn = 0; turn < 2; turn++) {
                OK(wadi_sim_take(b, a));
                if (!settles(&one, &two)) assert_same_bits(a, b, "height", "taken");
                assert_same_bits(a, b, "water", "taken");
                OK(wadi_sim_step(b, 4));
                OK(wadi_sim_take(a, b));
                OK(wadi_sim_step(a, 3));
            }
            end[first_on_gpu] = a;
            wadi_sim_destroy(b);
        }
        assert_same(end[0], end[1], "in turns");
        wadi_sim_destroy(end[0]);
        wadi_sim_destroy(end[1]);
        scene_free(&one);
        scene_free(&two);
    }
}

/* --- failures --- */

/* Excessive rain; false: the model stays finite. */
static bool goes_wrong(scene *scene, wadi_sim **sim, char said[400]) {
    *sim = run(scene, 5);
    OK(wadi_sim_set_parameter(*sim, "rain", 1e38));
    const wadi_status status = wadi_sim_step(*sim, 40);
    snprintf(said, 400, "%s", status == WADI_OK ? "" : wadi_error_message());
    if (status != WADI_OK) assert_int_equal(status, WADI_ERROR_NUMERIC);
    return status != WADI_OK;
}

/* Both report the same error, and both restore the same good state. */
static void non_finite_values_are_reported(void **state) {
    (void)state;
    int wrong = 0;
    for (int m = 0; m < model_count(); m++)
        /* with excessive rain neidhold2005 stays finite on a device where it does not on the CPU */
        for (int kept = strcmp(model_name(m), "neidhold2005") == 0 ? -1 : 1; kept >= 0; kept--) {
            scene scene = rainy_scene(m, 0, m % 3, 29, 18, 1);
            char said[2][400];
            wadi_sim *cpu, *gpu;
            scene.def.allow_out_of_range = true;
            scene.def.keep_good_state = kept;
            scene.def.check_every = 16;
            on_cpu(&scene);
            const bool bad = goes_wrong(&scene, &cpu, said[0]);
            on_gpu(&scene);
            if (goes_wrong(&scene, &gpu, said[1]) != bad || strcmp(said[0], said[1]) != 0)
                fail_msg("%s: '%s' and '%s'", model_name(m), said[0], said[1]);
            if (bad) assert_int_equal(wadi_sim_steps(gpu), kept ? 5 : 21);
            assert_same_fields(cpu, gpu, "when it was good");
            for (int i = 0; bad && kept && i < 2; i++) { /* and continues */
                OK(wadi_sim_set_parameter(i ? gpu : cpu, "rain", 0));
                OK(wadi_sim_step(i ? gpu : cpu, 3));
            }
            if (bad && kept) assert_same(cpu, gpu, "gone on");
            wrong += bad;
            wadi_sim_destroy(cpu);
            wadi_sim_destroy(gpu);
            scene_free(&scene);
        }
    assert_true(wrong >= (brief ? 2 : 6));
}

static const wadi_driver *real;
static int allocations_left;

static wadi_status allocate_little(wadi_gpu *gpu, size_t bytes, wadi_gpu_memory **memory) {
    if (allocations_left-- <= 0) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory, says a test");
    return real->allocate(gpu, bytes, memory);
}

/* On a device without room for it, there is no copy of the state, and the run continues. */
static void a_run_needs_no_copy_of_the_state(void **state) {
    (void)state;
    for (int left = 0; left < 3; left++) {
        scene scene = rainy_scene(0, 0, 1, 29, 18, 1);
        if (!has(&scene, "rain")) fail_msg("%s does not take rain", model_name(0));
        scene.def.allow_out_of_range = true;
        scene.def.check_every = 4;
        on_cpu(&scene);
        wadi_sim *cpu = run(&scene, 22);
        on_gpu(&scene);
        wadi_sim *gpu = start(&scene);
        free(field_of(gpu, "velocity"));           /* allocates all scratch that it needs */
        OK(wadi_sim_step(gpu, left == 2 ? 6 : 0)); /* makes a copy of the initial state */
        wadi_gpu_engine *engine = gpu->domain->engine_state;
        real = engine->driver;
        wadi_driver poor = *real;
        poor.allocate = allocate_little;
        engine->driver = &poor;
        allocations_left = left % 2;
        OK(wadi_sim_step(gpu, left == 2 ? 16 : 22));
        assert_true(left == 2 || (engine->kept[1] == NULL && engine->block.kept == NULL));
        assert_same_fields(cpu, gpu, "without a copy");
        OK(wadi_sim_set_parameter(gpu, "rain", 1e38));
        if (left < 2) {
            assert_int_equal(wadi_sim_step(gpu, 40), WADI_ERROR_NUMERIC);
            assert_true(wadi_sim_steps(gpu) > 22);
        }
        engine->driver = real;
        wadi_sim_destroy(cpu);
        wadi_sim_destroy(gpu);
        scene_free(&scene);
    }
}

static void fails_cleanly(wadi_status status) {
    if (status == WADI_OK) fail_msg("a lost device went on");
    assert_int_equal(status, WADI_ERROR_DEVICE);
    assert_true(wadi_error_message()[0] != '\0' && strchr(wadi_error_message(), '\n') == NULL);
}

static void a_device_can_be_lost(void **state) {
    (void)state;
    for (int after = 1; after < 200; after = after * 3 + 5) {
        scene scene = rainy_scene(0, 0, 2, 20, 18, 0);
        on_gpu(&scene);
        char number[16];
        snprintf(number, sizeof number, "%d", after);
        put_environment("WADI_GPU_FAIL", number);
        wadi_sim *sim = NULL;
        wadi_status status = wadi_sim_create(&scene.def, &sim);
        float *values = malloc(cells_of(&scene.def) * sizeof *values);
        for (int f = 0; f < scene.fields && status == WADI_OK; f++)
            status = wadi_sim_set(sim, scene.name[f], scene.field[f], cells_of(&scene.def));
        if (status == WADI_OK) status = wadi_sim_step(sim, 200);
        fails_cleanly(status);
        if (sim != NULL) {
            tape tape = {0};
            fails_cleanly(wadi_sim_step(sim, 1));
            fails_cleanly(wadi_sim_step(sim, 1));
            wadi_mass mass;
            const wadi_status told = wadi_sim_mass(sim, &mass); /* its fields are on the host, so they can be summed */
            if (told != WADI_OK) fails_cleanly(told);
            wadi_sim_trim(sim);
            if (wadi_sim_get(sim, "height", values, cells_of(&scene.def)) != WADI_OK) fails_cleanly(WADI_ERROR_DEVICE);
            fails_cleanly(wadi_sim_get(sim, "velocity", values, cells_of(&scene.def)));
            wadi_sim_set(sim, "water", scene.field[1], cells_of(&scene.def));
            wadi_sim_set(sim, "height", scene.field[0], cells_of(&scene.def));
            wadi_sim_set_sources(sim, scene.source, 1);
            wadi_sim_set_parameter(sim, "time-step", *time_step(&scene.def) / 2);
            fails_cleanly(wadi_sim_step(sim, 1));
            wadi_sim_save(sim, NULL, 0, record, &tape);
            free(tape.bytes);
        }
        put_environment("WADI_GPU_FAIL", NULL);
        wadi_sim_destroy(sim);
        free(values);
        scene_free(&scene);
    }
}

/* --- other --- */

static void relaxed_arithmetic_stays_close(void **state) {
    (void)state;
    scene scene = rainy_scene(0, 0, 0, 45, 30, 0);
    scene.def.arithmetic = WADI_RELAXED;
    on_cpu(&scene);
    wadi_sim *cpu = run(&scene, 10);
    scene.def.arithmetic = WADI_STRICT;
    wadi_sim *strict = run(&scene, 10);
    assert_same_state(strict, cpu, "relaxed on the CPU");
    scene.def.arithmetic = WADI_RELAXED;
    on_gpu(&scene);
    wadi_sim *gpu = run(&scene, 10);
    static const char *const names[] = {"change", "water"};
    for (int f = 0; f < COUNT(names); f++) {
        float *one = field_of(cpu, names[f]), *two = field_of(gpu, names[f]);
        const double size = rms_of(one, cells_of(&scene.def));
        for (size_t i = 0; i < cells_of(&scene.def); i++) two[i] -= one[i];
        const double apart = rms_of(two, cells_of(&scene.def));
        if (!(apart <= 1e-3 * size)) fail_msg("%s: %g apart of %g", names[f], apart, size);
        free(one);
        free(two);
    }
    const wadi_mass mass = mass_of(gpu);
    assert_true(fabs(mass.solid.residual) <= 1e-6 * mass.moved && fabs(mass.water.residual) <= 1e-5 * mass.water.in);
    wadi_sim_destroy(cpu);
    wadi_sim_destroy(strict);
    wadi_sim_destroy(gpu);
    scene_free(&scene);
}

/* Host memory: little more than fields that are read. Device memory: at least what is allocated. */
static void little_host_memory_is_used(void **state) {
    (void)state;
    for (int m = 0; m < model_count(); m++) {
        scene scene = rainy_scene(m, 0, 0, 400, 301, 0);
        on_gpu(&scene);
        wadi_sim *sim = run(&scene, 2);
        free(field_of(sim, "height"));
        free(field_of(sim, "water"));
        free(field_of(sim, "sediment"));
        uint64_t here = 0, there = 0;
        const wadi_gpu_engine *engine = sim->domain->engine_state;
        for (int f = 0; f < WADI_MAX_FIELDS; f++) {
            here += sim->domain->block.field[f] != NULL;
            there += (uint64_t)(engine->field[f] != NULL) + (uint64_t)(engine->other[f] != NULL);
        }
        there +=
            (uint64_t)engine->block.fields * (uint64_t)((engine->block.now != NULL) + (engine->block.other != NULL));
        here *= wadi_block_field_bytes(400, 301);
        there *= wadi_gpu_bytes(&engine->grid);
        assert_true(here <= wadi_def_memory(&scene.def));
        assert_true(wadi_def_memory(&scene.def) < here + (12u << 20));
        assert_true(wadi_def_device_memory(&scene.def) <= there + (24u << 20));
        assert_true(wadi_def_device_memory(&scene.def) > there / 3);
        wadi_sim_trim(sim);
        assert_true(sim->domain->block.field[0] != NULL && sim->domain->block.field[1] == NULL);
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

/* --- persistent kernels --- */

/* A small GPU has no room for so many groups. */
static void assert_several_at_once(const wadi_sim *sim, const char *shape) {
    const wadi_gpu_engine *engine = sim->domain->engine_state;
    assert_int_equal(engine->shape.substeps, shape[0] - '0');
    if (wadi_gpu_sweep_most_passes(sim->domain, engine->shape.substeps) < 2 &&
        (engine->about.units >= 40 || !about.gpu))
        fail_msg("%s: %s, no more than one pass at a time", shape, wadi_model_id(sim->domain->model));
}

/* On a device where groups cannot wait for each other, there is one group. */
static void one_launch_runs_several_passes(void **state) {
    (void)state;
    static const char *const any[] = {"1,128,1,1,0,100", "2,128,1,1,0,100", "3,128,1,1,0,100"};
    static const char *const alone[] = {"1,2,2,32,3,100,1", "2,2,2,32,2,100,1", "1,1,4,32,3,100,1"};
    static const char *const many[] = {"1,2,1,32,3,14,12", "1,2,2,32,3,9,6", "2,2,2,32,3,30,3", "1,1,4,32,3,20,3"};
    const bool together = about.gpu && about.engine == WADI_ENGINE_CUDA;
    const char *const *shapes = together ? many : about.gpu ? alone : any;
    for (int m = 0; m < model_count(); m++) {
        if (wadi_model_find(model_name(m))->showers != NULL) continue; /* the host computes showers */
        for (int i = 0; i < (together ? COUNT(many) : COUNT(alone)); i++) {
            scene scene = even_scene(m, i % 2, together ? 331 : 93, together ? 257 : 47);
            assert_passes_agree(&scene, 1, shapes[i], assert_several_at_once);
        }
    }
}

/* Autotuning leaves the state unchanged, with persistent kernels too. */
static void autotuning_changes_no_bit_of_uniform_scenes(void **state) {
    (void)state;
    if (!about.gpu) return; /* other devices are not tuned */
    scene scene = even_scene(jako2011(), 0, 331, 257);
    assert_tuned_agrees(&scene, 21, "tuned, even rain");
}

/* Each row is computed once, whatever the partition of rows. */
static void any_partition_of_rows_gives_the_same_bits(void **state) {
    (void)state;
    scene scene = rainy_scene(jako2011(), 0, 0, 150, 500, 1);
    on_cpu(&scene);
    wadi_sim *cpu = run(&scene, 4);
    on_gpu(&scene);
    for (int i = 0; i < 2 * WADI_GPU_ENDINGS; i++) {
        char shape[64];
        snprintf(shape, sizeof shape, "%s,%d,%d", about.gpu ? "2,2,2,32,3,64,3" : "2,32,1,1,0,64,1", i % 2 ? 17 : 0,
                 i / 2);
        put_environment("WADI_GPU_SHAPE", shape);
        wadi_sim *gpu = run(&scene, 4);
        assert_same(cpu, gpu, shape);
        wadi_sim_destroy(gpu);
    }
    put_environment("WADI_GPU_SHAPE", NULL);
    wadi_sim_destroy(cpu);
    scene_free(&scene);
}

/* Lanes without PTX meet at barriers, unless PoCL has Intel's sub-groups. It takes ten seconds to build such a kernel
 * of the shortest model. */
static void lanes_without_ptx(void **state) {
    (void)state;
    if (about.gpu || SANITIZED) return;
    brief = false;
    scene scene = rainy_scene(model_of("swenson2018"), 0, 1, 90, 70, 1);
    brief = true;
    on_cpu(&scene);
    wadi_sim *cpu = run(&scene, 9);
    on_gpu(&scene);
    put_environment("WADI_GPU_SHAPE", "1,2,1,32,0,16");
    wadi_sim *gpu = run(&scene, 9);
    put_environment("WADI_GPU_SHAPE", NULL);
    const wadi_gpu_sweep *sweep = &((const wadi_gpu_engine *)gpu->domain->engine_state)->sweep[1];
    assert_true(sweep->ready && sweep->plan.shape.lanes == 32);
    assert_same(cpu, gpu, "lanes without PTX");
    wadi_sim_destroy(cpu);
    wadi_sim_destroy(gpu);
    scene_free(&scene);
}

/* --- all tests --- */

static int run_path(const char *name, const char *shape, bool part) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_and_border),
        cmocka_unit_test(the_largest_value_of_every_choice),
        cmocka_unit_test(every_map),
        cmocka_unit_test(uniform_rain),
        cmocka_unit_test(without_float64),
        cmocka_unit_test(many_drops),
        cmocka_unit_test(every_size),
        cmocka_unit_test(a_larger_grid),
        cmocka_unit_test(a_tall_grid),
        cmocka_unit_test(several_transfers_per_field),
        cmocka_unit_test(extreme_operands_are_exact),
        cmocka_unit_test(splitting_a_run_changes_no_bit),
        cmocka_unit_test(edits_are_seen),
        cmocka_unit_test(sources_added_during_a_run),
        cmocka_unit_test(processes_switched_on_during_a_run),
        cmocka_unit_test(autotuning_changes_no_bit),
        cmocka_unit_test(checkpoints_pass_between_cpu_and_gpu),
        cmocka_unit_test(state_passes_between_cpu_and_gpu),
        cmocka_unit_test(non_finite_values_are_reported),
        cmocka_unit_test(a_run_needs_no_copy_of_the_state),
        cmocka_unit_test(little_host_memory_is_used),
        cmocka_unit_test(a_device_can_be_lost),
    };
    char title[200];
    snprintf(title, sizeof title, "%s, %s", about.name, name);
    brief = part;
    put_environment("WADI_GPU_FAIL", NULL); /* left over if a test failed */
    put_environment("WADI_GPU_SHAPE", shape);
    const int failed = cmocka_run_group_tests_name(title, tests, NULL, NULL);
    put_environment("WADI_GPU_SHAPE", NULL);
    return failed;
}

static int run_on_device(const wadi_device *device) {
    const struct CMUnitTest relaxed[] = {cmocka_unit_test(relaxed_arithmetic_stays_close)};
    const struct CMUnitTest passes[] = {
        cmocka_unit_test(one_launch_runs_several_passes), cmocka_unit_test(any_partition_of_rows_gives_the_same_bits),
        cmocka_unit_test(lanes_without_ptx), cmocka_unit_test(autotuning_changes_no_bit_of_uniform_scenes)};
    const char *sweeps = getenv("WADI_TEST_SWEEPS");
    about = *device;
    brief = true;
    int failed = SANITIZED ? 0 : cmocka_run_group_tests_name("relaxed", relaxed, NULL, NULL);
    if (!about.strict) return failed;
    brief = !about.gpu; /* programs take seconds to build */
    failed += cmocka_run_group_tests_name("passes", passes, NULL, NULL);
    failed += run_path("a kernel a stage", "0", SANITIZED);
    if (about.gpu) failed += run_path("as it goes by itself", NULL, false);
    if (about.gpu) failed += run_path("two sub-steps a pass", "2,2,2,32,3,64,3", true);
    if (about.gpu) failed += run_path("three sub-steps a pass", "3,2,2,32,3,64,1", true);
    if (SANITIZED || about.gpu) return failed;
    return failed + run_path("sweeps", "2,32,1,1,0,16", sweeps == NULL || strcmp(sweeps, "all") != 0);
}

int main(void) {
    put_environment("WADI_CACHE", "");
    return each_device(0, run_on_device);
}
