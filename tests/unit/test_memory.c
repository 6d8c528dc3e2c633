/* Out of memory: the n-th allocation of a call fails, for every n. The call reports it and leaks nothing. The
 * simulation is unchanged: it continues with the bits of a simulation without that call. The linker replaces the
 * library's allocation functions by those below (tests/CMakeLists.txt). */
#define _GNU_SOURCE
#include "scene.h"

#include "core/rasters.h"
#include "platform/platform.h"
#include "unit/failing_memory.h"
#include "unit/gpu_devices.h"
#include "wadi/derive.h"
#include "wadi/paint.h"
#include "wadi/realism.h"
#include "wadi/terrain.h"

/* --- allocations that fail --- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void __real_free(void *memory);
void *__real_platform_pages(size_t bytes);
void __real_platform_pages_free(void *pages, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void __wrap_free(void *memory);
void *__wrap_platform_pages(size_t bytes);
void __wrap_platform_pages_free(void *pages, size_t bytes);

void *__wrap_malloc(size_t bytes) { return fails() ? NULL : counted(__real_malloc(bytes)); }
void *__wrap_calloc(size_t count, size_t bytes) { return fails() ? NULL : counted(__real_calloc(count, bytes)); }
void *__wrap_realloc(void *memory, size_t bytes) {
    if (fails()) return NULL;
    return memory == NULL ? counted(__real_realloc(memory, bytes)) : __real_realloc(memory, bytes);
}
void __wrap_free(void *memory) { __real_free(gone(memory)); }
void *__wrap_platform_pages(size_t bytes) { return fails() ? NULL : counted(__real_platform_pages(bytes)); }
void __wrap_platform_pages_free(void *pages, size_t bytes) { __real_platform_pages_free(gone(pages), bytes); }

/* --- calls --- */

typedef struct asked {
    wadi_def def;
    const float *fields[3];  /* random, 0 to 1; a terrain; another terrain, with holes */
    const wadi_sim *from[2]; /* of the same terrain, and of another */
    int parameter, choice;   /* of the model's choices */
} asked;

typedef wadi_status call(wadi_sim *sim, const asked *asked);

static wadi_status set_map(wadi_sim *sim, const asked *asked, const char *name, int field) {
    return wadi_sim_set(sim, name, asked->fields[field], cells_of(&asked->def));
}
static wadi_status set_terrain(wadi_sim *sim, const asked *asked) { return set_map(sim, asked, "height", 2); }
static wadi_status set_water(wadi_sim *sim, const asked *asked) { return set_map(sim, asked, "water", 0); }
static wadi_status set_sediment(wadi_sim *sim, const asked *asked) { return set_map(sim, asked, "sediment", 0); }
static wadi_status set_hardness(wadi_sim *sim, const asked *asked) { return set_map(sim, asked, "hardness", 0); }
static wadi_status set_mask(wadi_sim *sim, const asked *asked) { return set_map(sim, asked, "mask", 0); }

/* The first parameter that may differ between cells, with any value in its range. */
static int per_cell(const wadi_model *model) {
    int p = 0;
    while (!model->parameters[p].per_cell) p++;
    return p;
}
static void near_value(const asked *asked, float *values) {
    double low, high;
    const int p = per_cell(asked->def.model);
    wadi_def_bounds(&asked->def, p, &low, &high);
    for (size_t i = 0; i < cells_of(&asked->def); i++)
        values[i] = (float)(asked->def.values[p] + 0.01 * (high - asked->def.values[p]) * (double)asked->fields[0][i]);
}
static wadi_status set_raster(wadi_sim *sim, const asked *asked) {
    float values[2048];
    near_value(asked, values);
    return wadi_sim_set(sim, asked->def.model->parameters[per_cell(asked->def.model)].name, values,
                        cells_of(&asked->def));
}
/* The mask and that parameter together. */
typedef struct two_maps {
    const asked *asked;
    int begun;
    float values[2048];
} two_maps;

static wadi_status next_of_two(void *context, const char **field, const float **values) {
    two_maps *maps = context;
    const wadi_model *model = maps->asked->def.model;
    if (maps->begun == 2) return WADI_OK;
    *field = maps->begun++ == 0 ? "mask" : model->parameters[per_cell(model)].name;
    *values = maps->begun == 1 ? maps->asked->fields[0] : maps->values;
    return WADI_OK;
}
static wadi_status set_maps(wadi_sim *sim, const asked *asked) {
    static two_maps maps;
    maps.asked = asked, maps.begun = 0;
    near_value(asked, maps.values);
    return wadi_sim_set_maps(sim, next_of_two, &maps);
}
static wadi_status set_even(wadi_sim *sim, const asked *asked) {
    const int p = per_cell(asked->def.model);
    return wadi_sim_set_parameter(sim, asked->def.model->parameters[p].name, asked->def.values[p]);
}
static wadi_status set_step(wadi_sim *sim, const asked *asked) {
    return wadi_sim_set_parameter(sim, "dt", 0.5 * asked->def.values[time_step_of(asked->def.model)]);
}
static wadi_status set_choice(wadi_sim *sim, const asked *asked) {
    return wadi_sim_set_parameter(sim, asked->def.model->parameters[asked->parameter].name, asked->choice);
}
static wadi_status set_sources(wadi_sim *sim, const asked *asked) {
    static wadi_source sources[40];
    for (int i = 0; i < COUNT(sources); i++)
        sources[i] = (wadi_source){0.5 * i + 1, 4, 2 * asked->def.lx, 0.01, 0, INFINITY};
    return wadi_sim_set_sources(sim, sources, COUNT(sources));
}
static wadi_status set_no_sources(wadi_sim *sim, const asked *asked) {
    (void)asked;
    return wadi_sim_set_sources(sim, NULL, 0);
}
static wadi_status set_drops(wadi_sim *sim, const asked *asked) {
    const wadi_drops drops = {50.5, 1.5 * asked->def.lx, 0.001};
    return wadi_sim_set_drops(sim, &drops);
}
static wadi_status paint(wadi_sim *sim, const asked *asked) {
    const double r = 4 * asked->def.lx;
    const wadi_dab dabs[] = {{WADI_BRUSH_RAISE, 3, 3, r, 1, 0.5, 0},      {WADI_BRUSH_WATER, 8, 9, r, 0.1, 0.5, 0},
                             {WADI_BRUSH_SMOOTH, 12, 20, r, 0.5, 0.5, 0}, {WADI_BRUSH_PROTECT, 6, 6, r, 0.5, 0.5, 0},
                             {WADI_BRUSH_RAIN, 6, 6, r, 1e-6, 0.5, 0},    {WADI_BRUSH_HARDEN, 6, 6, r, 0.1, 0.5, 0}};
    return wadi_sim_paint(sim, dabs, wadi_model_has_hardness(asked->def.model) ? 6 : 5);
}
static wadi_status take(wadi_sim *sim, const asked *asked) { return wadi_sim_take(sim, asked->from[0]); }
static wadi_status take_terrain(wadi_sim *sim, const asked *asked) { return wadi_sim_take(sim, asked->from[1]); }
static wadi_status step(wadi_sim *sim, const asked *asked) {
    (void)asked;
    return wadi_sim_step(sim, 3);
}
static wadi_status discard(void *context, const void *bytes, size_t count) {
    (void)context, (void)bytes, (void)count;
    return WADI_OK;
}
static wadi_status save(wadi_sim *sim, const asked *asked) {
    (void)asked;
    return wadi_sim_save(sim, "note", 4, discard, NULL);
}
static wadi_status get(wadi_sim *sim, const asked *asked) {
    static float values[2048];
    const bool speed = wadi_field_of(asked->def.model, WADI_FIELD_SPEED) >= 0;
    return wadi_sim_get(sim, speed ? "velocity" : "flow", values, cells_of(&asked->def));
}
static wadi_status figures(wadi_sim *sim, const asked *asked) {
    wadi_mass mass;
    wadi_slopes slopes;
    wadi_realism realism;
    const int width = asked->def.width, height = asked->def.height;
    const double score = wadi_erosion_score(asked->fields[1], width, height, false);
    if (!(score >= 0)) fail_msg("a score of %g", score);
    wadi_status status = wadi_sim_mass(sim, &mass);
    if (status == WADI_OK) status = wadi_slope_histogram(asked->fields[1], width, height, 1, 1, &slopes);
    return status == WADI_OK ? wadi_realism_of(asked->fields[1], width, height, 1, 1, 0, 0, &realism) : status;
}

static wadi_status derive(wadi_sim *sim, const asked *asked) {
    (void)sim;
    static float values[2048];
    static const char *const maps[] = {"filled", "breached", "mfd_area", "strahler"}; /* those that take memory */
    wadi_derivation *derivation = NULL;
    wadi_streams *streams = NULL;
    wadi_derive_def def = wadi_default_derive(asked->def.width, asked->def.height, 1, 1, asked->fields[1]);
    def.breach = true;
    wadi_status status = wadi_derive_create(&def, &derivation);
    for (int i = 0; i < COUNT(maps) && status == WADI_OK; i++)
        status = wadi_derive_map(derivation, maps[i], values, cells_of(&asked->def));
    if (status == WADI_OK) status = wadi_derive_streams(derivation, &streams);
    wadi_streams_destroy(streams);
    wadi_derive_destroy(derivation);
    return status;
}

static const struct {
    const char *name;
    call *call;
    bool begun, not_begun; /* whether it can be called after the first step, and before */
} calls[] = {{"set height", set_terrain, true, true},
             {"set water", set_water, true, false},
             {"set sediment", set_sediment, true, false},
             {"set hardness", set_hardness, true, false},
             {"set mask", set_mask, true, true},
             {"set raster", set_raster, true, true},
             {"set maps", set_maps, true, true},
             {"set one value", set_even, true, false},
             {"set dt", set_step, true, false},
             {"set sources", set_sources, true, true},
             {"set no sources", set_no_sources, true, false},
             {"set drops", set_drops, true, false},
             {"paint", paint, true, true},
             {"take", take, true, true},
             {"take terrain", take_terrain, false, true},
             {"step", step, true, false},
             {"save", save, true, false},
             {"get", get, true, false},
             {"figures", figures, true, false},
             {"derive", derive, true, false}};

/* --- twins --- */

static wadi_sim *make(const scene *scene, const asked *asked, bool mapped, int64_t steps) {
    wadi_sim *sim = start(scene);
    if (mapped) {
        OK(set_mask(sim, asked));
        OK(set_raster(sim, asked));
    }
    OK(wadi_sim_step(sim, steps));
    return sim;
}

static void assert_same_tapes(const wadi_sim *a, const wadi_sim *b, const char *name, long n) {
    tape one = {0}, two = {0};
    OK(wadi_sim_save(a, NULL, 0, record, &one));
    OK(wadi_sim_save(b, NULL, 0, record, &two));
    if (one.size != two.size || memcmp(one.bytes, two.bytes, one.size) != 0)
        fail_msg("%s, allocation %ld: the simulation is not as it was", name, n);
    free(one.bytes);
    free(two.bytes);
}

/* false: the call has no n-th allocation. */
static bool ask(const scene *scene, const asked *asked, call *call, const char *name, bool mapped, bool begun, long n,
                bool all_further) {
    const long lived = atomic_load(&living);
    wadi_sim *sim = make(scene, asked, mapped, begun ? 3 : 0), *twin = make(scene, asked, mapped, begun ? 3 : 0);
    arm(n, all_further);
    const wadi_status status = call(sim, asked);
    const bool met = disarm();
    if (status != WADI_OK && !(met && status == WADI_ERROR_MEMORY))
        fail_msg("%s, allocation %ld: %s", name, n, wadi_error_message());
    if (status == WADI_OK) OK(call(twin, asked)); /* it succeeded without that memory */
    assert_same_tapes(sim, twin, name, n);
    OK(wadi_sim_step(sim, 4));
    OK(wadi_sim_step(twin, 4));
    assert_same_tapes(sim, twin, name, n);
    wadi_sim_destroy(sim);
    wadi_sim_destroy(twin);
    if (atomic_load(&living) != lived) fail_msg("%s, allocation %ld: something leaks", name, n);
    return met;
}

static void ask_all(const scene *scene, const asked *asked, call *call, const char *name, bool mapped, bool begun) {
    for (int all_further = 0; all_further < (asked->def.threads > 1 ? 2 : 1); all_further++)
        for (long n = 0; ask(scene, asked, call, name, mapped, begun, n, all_further); n++) assert_true(n < 1000);
}

/* --- scenes --- */

static scene scene_with(const char *model, wadi_engine engine, wadi_boundary boundary, uint32_t seed) {
    scene made = scene_of(model, 28, 25, 1);
    made.def.engine = engine;
    made.def.boundary = boundary;
    made.def.threads = strcmp(model, "jako2011") == 0 && engine == WADI_ENGINE_CPU ? 2 : 1;
    make_hills(&made, 8, seed);
    fill_random(scene_field(&made, "water"), &made.def, 0, 0.2f, seed + 5);
    add_source(&made, 7, 7, 2, 0.1);
    return made;
}

static void every_allocation_of(const char *model, wadi_engine engine, wadi_boundary boundary) {
    scene scene = scene_with(model, engine, boundary, 3), other = scene_with(model, engine, boundary, 30);
    struct scene random = scene_with(model, engine, boundary, 3);
    fill_random(scene_field(&random, "water"), &random.def, 0, 1, 9);
    scene_field(&other, "height")[40] = NAN;
    wadi_sim *same = run(&scene, 2), *elsewhere = run(&other, 2);
    asked asked = {
        .def = scene.def,
        .fields = {scene_field(&random, "water"), scene_field(&scene, "height"), scene_field(&other, "height")},
        .from = {same, elsewhere}};
    for (int c = 0; c < COUNT(calls); c++)
        for (int mapped = 0; mapped < 2; mapped++) {
            if (calls[c].call == set_hardness && !wadi_model_has_hardness(scene.def.model)) continue;
            if (calls[c].call == paint && strcmp(model, "olsen2004") == 0) continue; /* its rain cannot be a map */
            if (calls[c].begun) ask_all(&scene, &asked, calls[c].call, calls[c].name, mapped, true);
            if (calls[c].not_begun) ask_all(&scene, &asked, calls[c].call, calls[c].name, mapped, false);
        }
    for (asked.parameter = 0; asked.parameter < (int)scene.def.model->parameter_count; asked.parameter++) {
        const char *const *choices = scene.def.model->parameters[asked.parameter].choices;
        const bool begun = strcmp(scene.def.model->parameters[asked.parameter].name, "track_sliding") != 0;
        for (asked.choice = 0; choices != NULL && choices[asked.choice] != NULL; asked.choice++)
            ask_all(&scene, &asked, set_choice, choices[asked.choice], true, begun); /* or for a whole run */
    }
    wadi_sim_destroy(same);
    wadi_sim_destroy(elsewhere);
    scene_free(&scene);
    scene_free(&other);
    scene_free(&random);
}

static void failing_allocations_in_every_call(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) every_allocation_of(model_id(m), WADI_ENGINE_CPU, (wadi_boundary)(m % 3));
    every_allocation_of("jako2011", WADI_ENGINE_REFERENCE, WADI_WRAP);
}

static void failing_allocations_of_create_and_restore(void **state) {
    (void)state;
    for (int e = 0; e < COUNT(scene_engines); e++) {
        scene scene = scene_with("jako2011", scene_engines[e], WADI_WRAP, 3);
        scene.def.drops = (wadi_drops){20, 1, 0.001};
        wadi_sim *sim = run(&scene, 3), *made = NULL;
        tape tape = {0};
        OK(wadi_sim_save(sim, "note", 4, record, &tape));
        const long lived = atomic_load(&living);
        for (int kind = 0; kind < 4; kind++) {
            bool met = true;
            for (long n = 0; met; n++) {
                void *note = NULL;
                size_t note_bytes = 0;
                tape.at = 0;
                arm(n, kind % 2);
                const wadi_status status = kind < 2
                                               ? wadi_sim_create(&scene.def, &made)
                                               : wadi_sim_restore(play, &tape, &scene.def, &made, &note, &note_bytes);
                met = disarm();
                if (met && status != WADI_ERROR_MEMORY) fail_msg("allocation %ld: %s", n, wadi_error_message());
                if (met != (made == NULL)) fail_msg("allocation %ld: %s", n, wadi_error_message());
                if (kind >= 2 && !met) assert_same_tapes(sim, made, "restore", n);
                wadi_sim_destroy(made);
                free(note);
                if (atomic_load(&living) != lived) fail_msg("allocation %ld: something leaks", n);
            }
        }
        wadi_sim_destroy(sim);
        free(tape.bytes);
        scene_free(&scene);
    }
}

static void failing_allocations_of_terrains(void **state) {
    (void)state;
    static float heights[40 * 30], hardness[40 * 30], mask[16] = {0, 1, 1, 0, 0, 1};
    size_t kinds = 0;
    const wadi_terrain_kind *all = wadi_terrain_kinds(&kinds);
    const long lived = atomic_load(&living);
    for (size_t k = 0; k <= kinds; k++) {
        bool met = true;
        for (long n = 0; met; n++) {
            wadi_terrain terrain = wadi_default_terrain(all[k < kinds ? k : 0].name, 40, 30);
            const wadi_hardness how = wadi_default_hardness(40, 30);
            terrain.mask = mask, terrain.mask_width = terrain.mask_height = 4;
            arm(n, false);
            const wadi_status status = k < kinds ? wadi_terrain_generate(&terrain, heights)
                                                 : wadi_hardness_from_height(&how, heights, hardness);
            met = disarm();
            if (status != (met ? WADI_ERROR_MEMORY : WADI_OK)) fail_msg("allocation %ld: %s", n, wadi_error_message());
            if (atomic_load(&living) != lived) fail_msg("allocation %ld: something leaks", n);
        }
    }
}

/* --- on GPUs --- */

/* One simulation for all calls: what fails must leave it as the twin on the CPU is, which does only what succeeded. */
static void ask_gpu(wadi_sim *sim, wadi_sim *twin, const asked *asked, call *call, const char *name) {
    bool met = true;
    char what[80];
    for (long n = 0; met; n++) {
        arm(n, n % 2);
        const wadi_status status = call(sim, asked);
        met = disarm();
        if (status != WADI_OK && !(met && status == WADI_ERROR_MEMORY))
            fail_msg("%s on a GPU, allocation %ld: %s", name, n, wadi_error_message());
        if (status == WADI_OK) OK(call(twin, asked));
        snprintf(what, sizeof what, "%s on a GPU, allocation %ld", name, n);
        assert_same_fields(sim, twin, what);
    }
    OK(wadi_sim_step(sim, 1));
    OK(wadi_sim_step(twin, 1));
    assert_same_fields(sim, twin, what);
}

static wadi_status create_and_step(scene *scene, wadi_sim **sim) {
    wadi_status status = wadi_sim_create(&scene->def, sim);
    if (status == WADI_OK) status = wadi_sim_set(*sim, "height", scene_field(scene, "height"), cells_of(&scene->def));
    return status == WADI_OK ? wadi_sim_step(*sim, 1) : status;
}

/* The first allocations of all, and then each 13th: each try builds a program. */
static void create_on_gpu(scene *scene) {
    bool met = true;
    for (long n = 0; met; n += n < 20 ? 1 : 13) {
        wadi_sim *sim = NULL;
        const long lived = atomic_load(&living);
        arm(n, n % 2);
        const wadi_status status = create_and_step(scene, &sim);
        met = disarm();
        if (status != WADI_OK && !(met && status == WADI_ERROR_MEMORY))
            fail_msg("a GPU's first step, allocation %ld: %s", n, wadi_error_message());
        wadi_sim_destroy(sim);
        if (atomic_load(&living) != lived)
            fail_msg("a GPU's first step, allocation %ld: %ld leak", n, atomic_load(&living) - lived);
    }
}

/* A value that is not finite is found, or the search for it fails: the step never succeeds. Without memory the search
 * may lose the device's state, so each try begins anew. */
static void never_taken_for_finite(const wadi_device *device) {
    for (long n = 0; n < 8; n++) {
        scene scene = scene_with("jako2011", device->engine, WADI_OPEN, 3);
        scene.def.device = device->number;
        scene.def.tune = false;
        scene.def.allow_out_of_range = true;
        wadi_sim *sim = run(&scene, 1);
        OK(wadi_sim_set_parameter(sim, "Kc", 1e38));
        arm(n, n % 2);
        const wadi_status status = wadi_sim_step(sim, 40);
        const bool met = disarm();
        if (status != WADI_ERROR_NUMERIC && !(met && status == WADI_ERROR_MEMORY))
            fail_msg("not finite on a GPU, allocation %ld: %d, %s", n, (int)status, wadi_error_message());
        wadi_sim_destroy(sim);
        scene_free(&scene);
    }
}

static void every_call_on_gpu(const wadi_device *device, const char *model) {
    scene scene = scene_with(model, device->engine, WADI_OPEN, 3),
          other = scene_with(model, WADI_ENGINE_CPU, WADI_OPEN, 30);
    scene.def.device = device->number;
    scene.def.tune = false;
    struct scene here = scene;
    here.def.engine = WADI_ENGINE_CPU;
    here.def.device = -1;
    wadi_sim *sim = run(&scene, 2), *twin = run(&here, 2), *same = run(&here, 2), *elsewhere = run(&other, 2);
    const asked asked = {
        .def = here.def,
        .fields = {scene_field(&scene, "water"), scene_field(&scene, "height"), scene_field(&other, "height")},
        .from = {same, elsewhere}};
    ask_gpu(sim, twin, &asked, take, "take"); /* before another terrain is set */
    for (int c = 0; c < COUNT(calls); c++) {
        if (!calls[c].begun || calls[c].call == take ||
            (calls[c].call == set_hardness && !wadi_model_has_hardness(scene.def.model)))
            continue;
        ask_gpu(sim, twin, &asked, calls[c].call, calls[c].name);
    }
    create_on_gpu(&scene);
    wadi_sim_destroy(sim);
    wadi_sim_destroy(twin);
    wadi_sim_destroy(same);
    wadi_sim_destroy(elsewhere);
    scene_free(&scene);
    scene_free(&other);
}

static void failing_host_allocations_of_gpus(void **state) {
    (void)state;
    wadi_device devices[8];
    const char *missing = NULL;
    const size_t count = wadi_devices(WADI_ENGINE_OPENCL, devices, COUNT(devices), &missing);
    if (count == 0 && getenv("WADI_NEED_OPENCL") != NULL) fail_msg("no OpenCL: %s", missing);
    if (count == 0) skip();
    put_environment("WADI_CACHE", ""); /* saving a program takes memory that is not counted here */
    for (size_t d = 0; d < count && d < COUNT(devices); d++)
        if (devices[d].strict) {
            never_taken_for_finite(&devices[d]);
            every_call_on_gpu(&devices[d], "jako2011");
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_host_allocations_of_gpus), cmocka_unit_test(failing_allocations_in_every_call),
        cmocka_unit_test(failing_allocations_of_create_and_restore), cmocka_unit_test(failing_allocations_of_terrains)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
