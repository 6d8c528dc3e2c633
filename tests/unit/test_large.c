/* A grid of more cells than an int counts, on one CPU engine. Water falls near the last cell, and all other tiles are
 * told to be idle, so that most of the memory is never touched. What comes of it is that of a small grid. Side 46400 is
 * more than 2^31 cells, and takes a minute and 12 GB: `WADI_LARGE_SIDE=46400 tests/test_large`. */
#define _GNU_SOURCE
#include "scene.h"

#include <sys/prctl.h>

#include "core/inside.h"
#include "engine/cpu/sweep.h"

enum { SMALL = 200, SEEN = 160 };

/* Scratch of that many cells would not be allocated; the linker puts this in its place (tests/CMakeLists.txt). */
uint64_t __wrap_platform_memory_bytes(void);
uint64_t __wrap_platform_memory_bytes(void) { return UINT64_C(1) << 45; }

static wadi_sim *with_side(int side) {
    wadi_def def = wadi_default_def(wadi_model_find("mei2007"), side, side, 10, 10);
    const wadi_def small = wadi_default_def(def.model, SMALL, SMALL, 10, 10);
    memcpy(def.values, small.values, sizeof def.values);
    def.allow_out_of_range = true; /* of the larger world's ranges */
    def.engine = WADI_ENGINE_CPU;
    def.threads = 1;
    def.keep_good_state = false;
    OK(wadi_def_set(&def, "rain", 0));
    wadi_sim *sim;
    OK(wadi_sim_create(&def, &sim));
    const wadi_source sources[] = {{side - 99.5, side - 19.5, 0, 2, 0, INFINITY},
                                   {side - 60.5, side - 30.5, 30, 1, 0, INFINITY}};
    OK(wadi_sim_set_sources(sim, sources, COUNT(sources)));
    return sim;
}

/* No tile has changed, as after a sub-step in which nothing happened. */
static void rest(const wadi_sim *sim) {
    wadi_idle *idle = &((wadi_cpu *)sim->domain->engine_state)->idle;
    idle->edits = sim->domain->edits;
    idle->team = 1;
    memset(idle->changed[0], 0, 2 * (size_t)idle->columns * (size_t)idle->rows);
}

static const float *last_cells(const wadi_sim *sim, const char *field, float *values) {
    const int first = wadi_sim_def(sim)->width - SEEN;
    OK(wadi_sim_get_rect(sim, field, &(wadi_rect){first, first, SEEN, SEEN}, values, SEEN));
    return values;
}

static void the_last_cells_are_those_of_a_small_grid(void **state) {
    (void)state;
    static const char *const fields[] = {"water", "height", "sediment"};
    static float one[SEEN * SEEN], two[SEEN * SEEN];
    const char *given = getenv("WADI_LARGE_SIDE");
    wadi_sim *small = with_side(SMALL), *large = with_side(given != NULL ? atoi(given) : 1000);
    wadi_mass mine, other;
    rest(large);
    OK(wadi_sim_step(small, 20));
    OK(wadi_sim_step(large, 20));
    assert_true(wadi_sim_idle_share(large) > 0.9);
    for (int i = 0; i < COUNT(fields); i++)
        assert_memory_equal(last_cells(small, fields[i], one), last_cells(large, fields[i], two), sizeof one);
    OK(wadi_sim_mass(small, &mine));
    OK(wadi_sim_mass(large, &other));
    assert_true(mine.water.after > 0 && fabs(mine.water.after - other.water.after) <= 1e-12 * mine.water.after);
    assert_true(fabs(mine.rained - other.rained) <= 1e-12 * mine.rained);
    wadi_sim_destroy(small);
    wadi_sim_destroy(large);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_last_cells_are_those_of_a_small_grid)};
    prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0); /* a cell at the side of a row would take 2 MB */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
