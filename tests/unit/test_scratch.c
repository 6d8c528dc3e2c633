/* What has a value in each cell lies in files, where the fields do. So a simulation that is larger than memory, or one
 * in parts with a scratch folder, never asks for memory of a whole map. The linker replaces the library's allocation
 * functions by those below (tests/CMakeLists.txt). */
#define _GNU_SOURCE
#include "scene.h"

#include <stdatomic.h>

#include "wadi/levels.h"
#include "wadi/paint.h"
#include "wadi/terrain.h"

/* --- the largest allocation --- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);

static atomic_size_t largest;

static size_t seen(size_t bytes) {
    size_t before = atomic_load(&largest);
    while (bytes > before && !atomic_compare_exchange_weak(&largest, &before, bytes)) {
    }
    return bytes;
}

void *__wrap_malloc(size_t bytes) { return __real_malloc(seen(bytes)); }
void *__wrap_calloc(size_t count, size_t bytes) { return __real_calloc(1, seen(count * bytes)); }
void *__wrap_realloc(void *memory, size_t bytes) { return __real_realloc(memory, seen(bytes)); }

/* --- calls --- */

enum { WIDTH = 64, HEIGHT = 1600, CELLS = WIDTH * HEIGHT };
static float heights[CELLS], values[CELLS];
static const wadi_sim *other; /* of the same grid */

static wadi_status set_mask(wadi_sim *sim) { return wadi_sim_set(sim, "mask", values, CELLS); }
static wadi_status set_rain_map(wadi_sim *sim) { return wadi_sim_set(sim, "rain", values, CELLS); }
static wadi_status set_water(wadi_sim *sim) { return wadi_sim_set(sim, "water", values, CELLS); }
static wadi_status set_change(wadi_sim *sim) { return wadi_sim_set(sim, "change", values, CELLS); }
static wadi_status set_one_rain(wadi_sim *sim) { return wadi_sim_set_parameter(sim, "rain", 0.001); }
static wadi_status take(wadi_sim *sim) { return wadi_sim_take(sim, other); }
static wadi_status flood(wadi_sim *sim) { return wadi_sim_set_parameter(sim, "sea_level", 2.5); }
static wadi_status step(wadi_sim *sim) { return wadi_sim_step(sim, 3); }
static wadi_status paint(wadi_sim *sim) {
    const double all_m = HEIGHT * wadi_sim_def(sim)->lx;
    const wadi_dab dabs[] = {{WADI_BRUSH_RAISE, 32, 800, all_m, 0.1, 0.5, 0},
                             {WADI_BRUSH_PROTECT, 32, 800, all_m, 0.1, 0.5, 0},
                             {WADI_BRUSH_RAIN, 32, 800, all_m, 1e-6, 0.5, 0}};
    return wadi_sim_paint(sim, dabs, COUNT(dabs));
}
static wadi_status paint_area(wadi_sim *sim) {
    const wadi_dab corners[] = {{WADI_BRUSH_LOWER, 0, 0, 5, 0.1, 0.5, 0},
                                {WADI_BRUSH_LOWER, WIDTH, 0, 5, 0.1, 0.5, 0},
                                {WADI_BRUSH_LOWER, WIDTH, HEIGHT, 5, 0.1, 0.5, 0},
                                {WADI_BRUSH_LOWER, 0, HEIGHT, 5, 0.1, 0.5, 0}};
    return wadi_sim_paint_area(sim, corners, COUNT(corners));
}

static const struct {
    const char *name;
    wadi_status (*call)(wadi_sim *sim);
} calls[] = {{"take", take},
             {"set mask", set_mask},
             {"set rain", set_rain_map},
             {"flood", flood},
             {"set water", set_water},
             {"set change", set_change},
             {"step", step},
             {"paint", paint},
             {"step", step},
             {"paint area", paint_area},
             {"step", step},
             {"set one rain", set_one_rain}};

/* --- simulations --- */

static wadi_def def_of(void) {
    wadi_def def = wadi_default_def(wadi_model_find("jako2011"), WIDTH, HEIGHT, 10, 10);
    def.boundary = WADI_OPEN;
    def.threads = 1;
    OK(wadi_def_set(&def, "sea", 1));
    OK(wadi_def_set(&def, "sea_level", 1));
    return def;
}

static wadi_def in_slabs(wadi_def def) {
    def.memory_limit = 1;
    def.slab_rows = 80;
    def.substeps_per_exchange = 1;
    def.scratch = ".";
    return def;
}

static wadi_def in_parts(wadi_def def) {
    def.parts = 3;
    def.scratch = ".";
    return def;
}

static wadi_sim *start_on(const wadi_def *def) {
    wadi_sim *sim;
    OK(wadi_sim_create(def, &sim));
    OK(wadi_sim_set(sim, "height", heights, CELLS));
    return sim;
}

/* Less than a byte a cell: a mark for each cell would be as much. */
static void assert_little(const char *what) {
    const size_t bytes = atomic_load(&largest);
    if (bytes >= CELLS) fail_msg("%s: %zu bytes of memory at once, for %d cells", what, bytes, CELLS);
}

static wadi_sim *restored(const wadi_sim *sim, const wadi_def *how) {
    tape tape = {0};
    void *note;
    size_t note_bytes;
    wadi_sim *made = NULL;
    OK(wadi_sim_save(sim, NULL, 0, record, &tape));
    atomic_store(&largest, 0);
    OK(wadi_sim_restore(play, &tape, how, &made, &note, &note_bytes));
    assert_little("restore");
    free(note);
    free(tape.bytes);
    return made;
}

static void do_all(const wadi_def *def, const wadi_def *twin_def) {
    wadi_sim *sim = start_on(def), *twin = start_on(twin_def);
    for (int i = 0; i < COUNT(calls); i++) {
        atomic_store(&largest, 0);
        OK(calls[i].call(sim));
        assert_little(calls[i].name);
        OK(calls[i].call(twin));
        if (i % 4 == 3) { /* with the maps of a checkpoint */
            wadi_sim *made = restored(sim, def);
            wadi_sim_destroy(sim);
            sim = made;
        }
        assert_same_state(twin, sim, calls[i].name);
    }
    wadi_sim_destroy(sim);
    wadi_sim_destroy(twin);
}

static void no_whole_map_is_in_memory(void **state) {
    (void)state;
    const wadi_def def = def_of(), slabs = in_slabs(def), parts = in_parts(def);
    for (int i = 0; i < CELLS; i++) {
        heights[i] = (float)(i / WIDTH % 7) + 0.25f * (float)(i % 11);
        values[i] = 0.001f * (float)(i % 13);
    }
    wadi_sim *sim = start_on(&def);
    OK(wadi_sim_step(sim, 2));
    other = sim;
    do_all(&slabs, &def);
    do_all(&parts, &def);
    wadi_sim_destroy(sim);
}

static void nor_on_the_way_to_a_finer_grid(void **state) {
    (void)state;
    atomic_store(&largest, 0);
    OK(wadi_carry_up(values, WIDTH / 2, HEIGHT / 2, false, heights, WIDTH, HEIGHT));
    assert_little("carry up");
    atomic_store(&largest, 0);
    OK(wadi_warp_level(heights, WIDTH, HEIGHT, WIDTH / 2, HEIGHT / 2, false, 0.4, 1, values));
    assert_little("warp");
}

/* On rough land the flood's edge is a large part of all cells. */
static void nor_to_open_basins(void **state) {
    (void)state;
    const wadi_breaching how = {.width = WIDTH, .height = HEIGHT, .lx = 10, .ly = 10, .scratch = "."};
    wadi_breached done;
    for (int i = 0; i < CELLS; i++)
        heights[i] = (float)((uint32_t)i * 2654435761u >> 8) / 16777216.0f + (float)(i % WIDTH) -
                     (i % (5 * WIDTH) == 2 * WIDTH + 32 ? 50.0f : 0.0f);
    atomic_store(&largest, 0);
    OK(wadi_breach(&how, heights, &done));
    assert_little("breach");
    assert_true(done.opened >= HEIGHT / 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(no_whole_map_is_in_memory),
                                       cmocka_unit_test(nor_on_the_way_to_a_finer_grid),
                                       cmocka_unit_test(nor_to_open_basins)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
