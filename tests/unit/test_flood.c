/* The flood, pits and peaks of small maps with flats and holes, beside the slowest way to find them.
 * labels: bits threads */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wadi/derive.h"
#include "wadi/realism.h"

enum { W = 31, H = 23, CELLS = W * H, MAPS = 60, NOBODY = -1, OUT = 8 };
static const int X[8] = {1, 1, 0, -1, -1, -1, 0, 1}, Y[8] = {0, 1, 1, 1, 0, -1, -1, -1};
static const double LX = 2, LY = 3;
static float ground[CELLS];

/* Whole steps, so that many neighbours are equal; zeros of both signs; on two maps of three, cells without data. */
static void make_ground(int map) {
    uint32_t seed = (uint32_t)map;
    for (int i = 0; i < CELLS; i++) {
        seed = seed * 1664525u + 1013904223u;
        const int slope = map % 4 == 0 ? i % W : 0, step = (int)(seed >> 16) % (2 + map % 7) - 1 + slope;
        ground[i] = step == 0 && seed >> 31 ? -0.0f : (float)step;
        if (map % 3 == 1 && (seed >> 8) % 41 == 0) ground[i] = NAN;
        if (map % 3 == 2 && (seed >> 8) % 97 == 0) ground[i] = -INFINITY;
    }
}

/* The neighbour of a cell, or NOBODY beyond the border. */
static int next_to(int cell, int k) {
    const int x = cell % W + X[k], y = cell / W + Y[k];
    return x >= 0 && y >= 0 && x < W && y < H ? y * W + x : NOBODY;
}

static bool has_data(int cell) { return cell != NOBODY && isfinite(ground[cell]); }

static bool is_outlet(int cell) {
    for (int k = 0; k < 8; k++)
        if (!has_data(next_to(cell, k))) return true;
    return false;
}

/* --- the flood ---------------------------------------------------------------------------------------------------- */

typedef struct flood {
    float level[CELLS];
    int way[CELLS], dam[CELLS], order[CELLS], queue[CELLS], count, from, to;
    bool reached[CELLS], waits[CELLS];
    float accumulation[CELLS];
} flood;

static void reach(flood *f, int cell, int way, float level, int dam) {
    f->reached[cell] = true;
    f->way[cell] = way;
    f->level[cell] = level;
    f->dam[cell] = dam;
    if (dam == cell)
        f->waits[cell] = true;
    else
        f->queue[f->to++] = cell;
}

/* Cells under water are first, then the lowest dry cell. */
static int next_cell(flood *f) {
    int lowest = NOBODY;
    if (f->from < f->to) return f->queue[f->from++];
    for (int i = 0; i < CELLS; i++)
        if (f->waits[i] && (lowest == NOBODY || ground[i] < ground[lowest])) lowest = i;
    if (lowest != NOBODY) f->waits[lowest] = false;
    return lowest;
}

static void spread(flood *f, int cell) {
    for (int k = 0; k < 8; k++) {
        const int there = next_to(cell, k), back = (k + 4) % 8;
        if (!has_data(there) || f->reached[there]) continue;
        if (ground[there] > f->level[cell])
            reach(f, there, back, ground[there], there);
        else
            reach(f, there, back, f->level[cell], f->dam[cell]);
    }
}

static void drain_steepest(flood *f, int cell) {
    double steepest = 0;
    for (int k = 0; k < 8 && f->level[cell] == ground[cell]; k++) {
        const int there = next_to(cell, k);
        const double length = sqrt(X[k] * LX * X[k] * LX + Y[k] * LY * Y[k] * LY);
        if (!has_data(there) || !((double)(f->level[cell] - f->level[there]) / length > steepest)) continue;
        steepest = (double)(f->level[cell] - f->level[there]) / length;
        f->way[cell] = k;
    }
}

static void run_flood(flood *f) {
    memset(f, 0, sizeof *f);
    for (int i = 0; i < CELLS; i++)
        if (has_data(i) && is_outlet(i)) reach(f, i, OUT, ground[i], i);
    for (int cell = next_cell(f); cell != NOBODY; cell = next_cell(f)) {
        f->order[f->count++] = cell;
        spread(f, cell);
    }
    for (int i = f->count - 1; i >= 0; i--) {
        const int cell = f->order[i];
        drain_steepest(f, cell);
        f->accumulation[cell] += 1;
        if (f->way[cell] < OUT) f->accumulation[next_to(cell, f->way[cell])] += f->accumulation[cell];
    }
}

static void expect(const char *name, const float *expected) {
    static float values[CELLS];
    const wadi_derive_def def = wadi_default_derive(W, H, LX, LY, ground);
    wadi_derivation *derivation;
    assert_int_equal(wadi_derive_create(&def, &derivation), WADI_OK);
    assert_int_equal(wadi_derive_map(derivation, name, values, CELLS), WADI_OK);
    wadi_derive_destroy(derivation);
    for (int i = 0; i < CELLS; i++)
        if (has_data(i) && values[i] != expected[i])
            fail_msg("%s: cell %d has %g, not %g", name, i, (double)values[i], (double)expected[i]);
}

/* What drains out in percent, after 100 mm of rain. */
static double draining(const flood *f) {
    static double water[CELLS];
    static bool open[CELLS];
    int count = 0;
    memset(water, 0, sizeof water);
    for (int i = 0; i < f->count; i++)
        water[f->dam[f->order[i]]] += (double)(f->level[f->order[i]] - ground[f->order[i]]);
    for (int i = 0; i < f->count; i++) {
        const int cell = f->order[i], dam = f->dam[cell];
        const bool closed = dam != cell && water[dam] > WADI_FILLING_RAIN_M * (double)f->accumulation[dam];
        open[cell] = !closed && (f->way[cell] == OUT || open[next_to(cell, f->way[cell])]);
        count += open[cell];
    }
    return 100.0 * count / f->count;
}

static void the_flood_goes_up_cell_by_cell(void **state) {
    (void)state;
    static flood f;
    static float directions[CELLS];
    for (int map = 0; map < MAPS; map++) {
        wadi_realism realism;
        make_ground(map);
        run_flood(&f);
        for (int i = 0; i < CELLS; i++) directions[i] = f.way[i] < OUT ? (float)(1 << f.way[i]) : 0;
        expect("filled", f.level);
        expect("direction", directions);
        expect("accumulation", f.accumulation);
        assert_int_equal(wadi_realism_of(ground, W, H, LX, LY, -(double)INFINITY, 0, &realism), WADI_OK);
        assert_true(fabs(realism.values[WADI_MEASURE_DRAINING] - draining(&f)) < 1e-9);
    }
}

/* --- pits and peaks ----------------------------------------------------------------------------------------------- */

static bool is_lower(float sign, int a, int b) {
    return sign * ground[a] < sign * ground[b] || (ground[a] == ground[b] && a < b);
}

/* How far water must rise at a cell until it finds a lower cell, or a way out. */
static double depth_of(float sign, int cell) {
    static bool wet[CELLS], edge[CELLS];
    memset(wet, 0, sizeof wet);
    memset(edge, 0, sizeof edge);
    edge[cell] = true;
    float level = sign * ground[cell];
    for (;;) {
        int lowest = NOBODY;
        for (int i = 0; i < CELLS; i++)
            if (edge[i] && !wet[i] && (lowest == NOBODY || is_lower(sign, i, lowest))) lowest = i;
        level = fmaxf(level, sign * ground[lowest]);
        if (is_lower(sign, lowest, cell) || is_outlet(lowest)) return (double)level - (double)(sign * ground[cell]);
        wet[lowest] = true;
        for (int k = 0; k < 8; k++)
            if (has_data(next_to(lowest, k))) edge[next_to(lowest, k)] = true;
    }
}

static void expect_parts(const wadi_realism *realism, float sign, wadi_measure all, wadi_measure deep) {
    int cells = 0, found = 0, found_deep = 0;
    for (int i = 0; i < CELLS; i++) {
        if (!has_data(i)) continue;
        const double depth = depth_of(sign, i);
        cells++;
        found += depth > 0;
        found_deep += depth > WADI_DEEP_M;
    }
    assert_true(fabs(realism->values[all] - 1e4 * found / cells) < 1e-9);
    assert_true(fabs(realism->values[deep] - 1e4 * found_deep / cells) < 1e-9);
}

static void pits_and_peaks_persist(void **state) {
    (void)state;
    for (int map = 0; map < MAPS; map++) {
        wadi_realism realism;
        make_ground(map);
        assert_int_equal(wadi_realism_of(ground, W, H, LX, LY, -(double)INFINITY, 0, &realism), WADI_OK);
        expect_parts(&realism, 1, WADI_MEASURE_PITS, WADI_MEASURE_DEEP_PITS);
        expect_parts(&realism, -1, WADI_MEASURE_PEAKS, WADI_MEASURE_HIGH_PEAKS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_flood_goes_up_cell_by_cell),
        cmocka_unit_test(pits_and_peaks_persist),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
