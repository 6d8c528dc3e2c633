/* Octaves, feature size, warp and lines of generated terrain: functions of the place in the world, not of the grid.
 * labels: bits */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "wadi/analysis.h"
#include "wadi/terrain.h"

static float *generate(const wadi_terrain *terrain) {
    float *heights = malloc((size_t)terrain->width * (size_t)terrain->height * sizeof *heights);
    assert_non_null(heights);
    assert_int_equal(wadi_terrain_generate(terrain, heights), WADI_OK);
    return heights;
}

/* A square world of `side` m, in n x n cells. */
static wadi_terrain world(const char *kind, double side, int n) {
    wadi_terrain terrain = wadi_default_terrain(kind, n, n);
    terrain.lx = terrain.ly = side / n;
    terrain.seed = 5;
    terrain.relief_m = 1000;
    return terrain;
}

/* The mean of the fine cells within each coarse one. */
static float *averaged(const float *fine, int n, int coarse) {
    float *means = calloc((size_t)coarse * (size_t)coarse, sizeof *means);
    assert_non_null(means);
    const int side = n / coarse;
    for (int y = 0; y < coarse * side; y++)
        for (int x = 0; x < coarse * side; x++)
            means[y / side * coarse + x / side] += fine[y * n + x] / (float)(side * side);
    return means;
}

static double correlation(const float *a, const float *b, int count) {
    double mean_a = 0, mean_b = 0, ab = 0, aa = 0, bb = 0;
    for (int i = 0; i < count; i++) {
        mean_a += (double)a[i] / count;
        mean_b += (double)b[i] / count;
    }
    for (int i = 0; i < count; i++) {
        const double x = (double)a[i] - mean_a, y = (double)b[i] - mean_b;
        ab += x * y;
        aa += x * x;
        bb += y * y;
    }
    return ab / sqrt(aa * bb);
}

/* Sizes of one world, compared cell by cell at the coarsest. */
static void a_world_is_the_same_at_every_size(void **state) {
    (void)state;
    static const char *const kinds[] = {"noise", "ridged", "billowed", "warped", "random", "island", "range"};
    enum { COARSE = 128 };
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        wadi_terrain terrain = world(kinds[k], 20000, COARSE);
        terrain.feature_m = 5000;
        terrain.warp_m = 600;
        float *here = generate(&terrain);
        for (int n = 256; n <= 512; n *= 2) {
            wadi_terrain finer = terrain;
            finer.width = finer.height = n;
            finer.lx = finer.ly = 20000.0 / n;
            float *fine = generate(&finer), *there = averaged(fine, n, COARSE);
            const double alike = correlation(here, there, COARSE * COARSE);
            if (!(alike > 0.99)) print_message("%s at %d: %g\n", kinds[k], n, alike);
            assert_true(alike > 0.99);
            free(there);
            free(fine);
        }
        free(here);
    }
}

/* Twice the world at twice the cells: its first quarter is the smaller world, up to the stretch to the relief. */
static void a_larger_world_continues_the_smaller(void **state) {
    (void)state;
    static const char *const kinds[] = {"noise", "ridged", "billowed", "random"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        wadi_terrain small = world(kinds[k], 4000, 64), large = world(kinds[k], 8000, 128);
        small.feature_m = large.feature_m = 1500;
        small.warp_m = large.warp_m = 200;
        float *here = generate(&small), *there = generate(&large), quarter[64 * 64];
        for (int y = 0; y < 64; y++) memcpy(quarter + y * 64, there + y * 128, 64 * sizeof *quarter);
        assert_true(correlation(here, quarter, 64 * 64) > 0.999999);
        free(here);
        free(there);
    }
}

/* The mean square of the difference of heights that are (x, y) cells apart. */
static double apart(const float *heights, int n, int x, int y) {
    double sum = 0;
    int count = 0;
    for (int v = 8; v < n - 8; v++)
        for (int u = 8; u < n - 8; u++, count++) {
            const double d = (double)heights[(v + y) * n + u + x] - (double)heights[v * n + u];
            sum += d * d;
        }
    return sum / count;
}

/* Shapes are `stretch` times as long as wide: over a short way, slopes along them are so many times less. The last
 * number is the angle of a way of (x, y) cells, clockwise from up. Noise is
 * smooth over a cell, and less so over five: so the ratio is not just 4 x 4. */
static void noise_is_stretched_in_its_direction(void **state) {
    (void)state;
    static const char *const kinds[] = {"noise", "ridged", "billowed", "random"};
    static const struct {
        int x, y;
        double degrees;
    } ways[] = {
        {0, -1, 0}, {1, 0, 90}, {1, 1, 135}, {1, -1, -315}, {3, -4, 36.869897645844}, {-4, -3, 306.869897645844}};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
            wadi_terrain terrain = world(kinds[k], 25600, 256);
            terrain.feature_m = 3200;
            terrain.octaves = 1;
            terrain.stretch = 4;
            terrain.direction_deg = ways[i].degrees;
            float *here = generate(&terrain);
            const double along = apart(here, 256, ways[i].x, ways[i].y),
                         across = apart(here, 256, -ways[i].y, ways[i].x);
            if (!(across > 7 * along && across < 30 * along))
                print_message("%s at %g: %g\n", kinds[k], ways[i].degrees, across / along);
            assert_true(across > 7 * along && across < 30 * along);
            free(here);
        }
}

/* A ramp is a plane that rises in its direction. */
static void a_ramp_rises_in_its_direction(void **state) {
    (void)state;
    static const double sides[][3] = {
        {0, 0, 1}, {90, 1, 0}, {-135, -0.70710678, -0.70710678}, {30, 0.5, 0.8660254}, {360, 0, 1}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        wadi_terrain terrain = world("ramp", 400, 40);
        terrain.direction_deg = sides[i][0];
        terrain.relief_m = 100;
        float *here = generate(&terrain);
        const double across = fabs(sides[i][1]) + fabs(sides[i][2]), step = 100 / (39 * across);
        float low = INFINITY, high = -INFINITY;
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 40; x++) {
                const double at = sides[i][1] * (x - 19.5) - sides[i][2] * (y - 19.5);
                assert_float_equal(here[40 * y + x], (float)(50 + step * at), 1e-4f);
                low = fminf(low, here[40 * y + x]), high = fmaxf(high, here[40 * y + x]);
            }
        assert_true(low == 0 && high == 100);
        free(here);
    }
}

static void a_stretch_must_be_sound(void **state) {
    (void)state;
    float heights[16];
    wadi_terrain terrain = world("noise", 400, 4);
    static const double stretches[] = {0.5, -1, 101, NAN}, degrees[] = {361, -361, NAN};
    for (size_t i = 0; i < sizeof stretches / sizeof *stretches; i++) {
        terrain.stretch = stretches[i];
        assert_int_equal(wadi_terrain_generate(&terrain, heights), WADI_ERROR_ARGUMENT);
    }
    terrain.stretch = 100;
    terrain.direction_deg = -360;
    assert_int_equal(wadi_terrain_generate(&terrain, heights), WADI_OK);
    for (size_t i = 0; i < sizeof degrees / sizeof *degrees; i++) {
        terrain.direction_deg = degrees[i];
        assert_int_equal(wadi_terrain_generate(&terrain, heights), WADI_ERROR_ARGUMENT);
    }
}

/* Uniform numbers that do not depend on their neighbours. Cells of another size or shape, and other seeds, have others.
 */
static void grain_differs_from_cell_to_cell(void **state) {
    (void)state;
    enum { N = 128, CELLS = N * N, QUARTER = N / 2 };
    wadi_terrain terrain = world("grain", 1280, N);
    float *here = generate(&terrain), quarter[QUARTER * QUARTER];
    double sum = 0, squares = 0;
    for (int i = 0; i < CELLS; i++) {
        sum += (double)here[i];
        squares += (double)here[i] * (double)here[i];
    }
    const double mean = sum / CELLS, variance = squares / CELLS - mean * mean;
    assert_true(fabs(mean - 500) < 10);
    assert_true(fabs(variance / (1e6 / 12) - 1) < 0.05);
    assert_true(fabs(correlation(here, here + 1, CELLS - 1)) < 0.03);
    assert_true(fabs(correlation(here, here + N, CELLS - N)) < 0.03);

    wadi_terrain smaller = world("grain", 640, QUARTER); /* cells of one size */
    float *same = generate(&smaller);
    for (int y = 0; y < QUARTER; y++)
        memcpy(quarter + (size_t)y * QUARTER, here + (size_t)y * N, QUARTER * sizeof *quarter);
    assert_true(correlation(same, quarter, QUARTER * QUARTER) > 0.999999);
    smaller.lx = smaller.ly = 20;
    float *other = generate(&smaller);
    assert_true(fabs(correlation(same, other, QUARTER * QUARTER)) < 0.06);
    smaller.lx = smaller.ly = 10;
    smaller.seed++;
    float *another = generate(&smaller);
    assert_true(fabs(correlation(same, another, QUARTER * QUARTER)) < 0.06);
    free(another);
    terrain.ly = 14; /* cells of another shape */
    float *oblong = generate(&terrain);
    assert_true(fabs(correlation(here, oblong, CELLS)) < 0.03);
    free(oblong);
    free(other);
    free(same);
    free(here);
}

/* How often the middle row crosses its mean. */
static int crossings(const float *heights, int n) {
    const float *row = heights + (size_t)(n / 2) * (size_t)n;
    double mean = 0;
    for (int x = 0; x < n; x++) mean += (double)row[x] / n;
    int count = 0;
    for (int x = 1; x < n; x++) count += ((double)row[x] > mean) != ((double)row[x - 1] > mean);
    return count;
}

static void features_have_the_given_size(void **state) {
    (void)state;
    static const char *const kinds[] = {"noise", "ridged", "billowed", "random"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        wadi_terrain terrain = world(kinds[k], 512, 512);
        terrain.octaves = 1;
        terrain.feature_m = 256;
        float *large = generate(&terrain);
        terrain.feature_m = 16;
        float *small = generate(&terrain);
        assert_true(crossings(large, 512) < 6);
        assert_true(crossings(small, 512) > 12);
        free(large);
        free(small);
    }
}

static double roughness(const float *heights, int n) {
    double sum = 0;
    for (int i = 1; i < n * n; i++) sum += fabs((double)heights[i] - (double)heights[i - 1]);
    return sum;
}

static void more_octaves_are_rougher(void **state) {
    (void)state;
    wadi_terrain terrain = world("noise", 512, 512);
    double before = 0;
    for (terrain.octaves = 1; terrain.octaves <= 6; terrain.octaves++) {
        float *heights = generate(&terrain);
        const double here = roughness(heights, 512);
        assert_true(here > 1.02 * before);
        before = here;
        free(heights);
    }
}

static void warp_bends_any_kind(void **state) {
    (void)state;
    static const char *const kinds[] = {"cone", "noise", "voronoi"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        wadi_terrain terrain = world(kinds[k], 1000, 100);
        float *straight = generate(&terrain);
        terrain.warp_m = 5;
        float *little = generate(&terrain);
        terrain.warp_m = 150;
        float *much = generate(&terrain);
        assert_true(correlation(straight, little, 100 * 100) > 0.9);
        assert_true(correlation(straight, much, 100 * 100) < 0.95);
        free(straight);
        free(little);
        free(much);
    }
}

static void warping_a_map_is_warping_its_kind(void **state) {
    (void)state;
    wadi_terrain terrain = world("cone", 1000, 100);
    float *here = generate(&terrain);
    terrain.warp_m = 100;
    float *there = generate(&terrain);
    assert_int_equal(wadi_terrain_warp(&terrain, here), WADI_OK);
    assert_true(correlation(here, there, 100 * 100) > 0.99999);
    free(here);
    free(there);
}

/* Ramps across and down: each shows whether places move along it, and how far. */
static void warp_moves_both_ways(void **state) {
    (void)state;
    enum { N = 200 };
    wadi_terrain terrain = world("noise", N, N);
    terrain.warp_m = 4;
    for (int down = 0; down < 2; down++) {
        float *map = malloc(N * N * sizeof *map);
        assert_non_null(map);
        for (int i = 0; i < N * N; i++) map[i] = (float)(down ? i / N : i % N);
        assert_int_equal(wadi_terrain_warp(&terrain, map), WADI_OK);
        double square = 0;
        for (int i = 0; i < N * N; i++) {
            const double moved = (double)map[i] - (down ? i / N : i % N);
            square += moved * moved / (N * N);
        }
        assert_true(sqrt(square) > 2 && sqrt(square) < 6);
        free(map);
    }
}

/* A bent line: high along it, and the ground beyond its width is level. */
static void a_range_follows_its_line(void **state) {
    (void)state;
    static const double line[][2] = {{1000, 1000}, {5000, 2000}, {7000, 7000}};
    wadi_terrain terrain = world("range", 8000, 400);
    terrain.line = line;
    terrain.line_points = 3;
    terrain.width_m = 800;
    float *heights = generate(&terrain);
    double on = 0, off = 0;
    for (int i = 0; i <= 100; i++) {
        const double share = i / 100.0, x = 5000 + 2000 * share, y = 2000 + 5000 * share;
        on += (double)heights[(int)(y / 20) * 400 + (int)(x / 20)] / 101;
        off += y > 3500 ? (double)heights[(int)(y / 20) * 400 + (int)((x - 3000) / 20)] / 101 : 0;
    }
    assert_true(on > 250);
    assert_true(off == 0);
    free(heights);
}

/* All of the border is sea floor, and the coast is no circle. */
static void an_island_has_a_coast_with_bays(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 8; seed++) {
        wadi_terrain terrain = world("island", 10000, 200);
        terrain.seed = seed;
        float *heights = generate(&terrain);
        for (int i = 0; i < 200; i++)
            assert_true(heights[i] < 1 && heights[199 * 200 + i] < 1 && heights[i * 200] < 1 &&
                        heights[i * 200 + 199] < 1);
        double nearest = 200, farthest = 0;
        for (int ray = 0; ray < 64; ray++) {
            int r = 99;
            const double dx = cos(ray * 0.0981747704), dy = sin(ray * 0.0981747704);
            while (r > 0 && heights[(int)(100 + r * dy) * 200 + (int)(100 + r * dx)] < 100) r--;
            nearest = r < nearest ? r : nearest;
            farthest = r > farthest ? r : farthest;
        }
        assert_true(farthest > 1.25 * nearest && farthest > 40);
        free(heights);
    }
}

static void expect_refused(wadi_terrain terrain, const char *part) {
    float untouched = 5;
    assert_int_equal(wadi_terrain_generate(&terrain, &untouched), WADI_ERROR_ARGUMENT);
    assert_non_null(strstr(wadi_error_message(), part));
    assert_true(untouched == 5);
}

static void bad_options_are_refused(void **state) {
    (void)state;
    static const double line[][2] = {{0, 0}, {NAN, 1}};
    const wadi_terrain good = wadi_default_terrain("range", 8, 8);
    wadi_terrain bad = good;
    bad.octaves = 25;
    expect_refused(bad, "25 octaves");
    bad = good, bad.feature_m = 0.5;
    expect_refused(bad, "features of 0.5 m");
    bad = good, bad.feature_m = NAN;
    expect_refused(bad, "features of nan m");
    bad = good, bad.warp_m = -1;
    expect_refused(bad, "a warp of -1 m");
    bad = good, bad.width_m = -1;
    expect_refused(bad, "-1 m wide");
    bad = good, bad.line = line, bad.line_points = 1;
    expect_refused(bad, "1 points");
    bad.line_points = 2;
    expect_refused(bad, "point 2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_is_the_same_at_every_size),
        cmocka_unit_test(a_larger_world_continues_the_smaller),
        cmocka_unit_test(noise_is_stretched_in_its_direction),
        cmocka_unit_test(a_ramp_rises_in_its_direction),
        cmocka_unit_test(a_stretch_must_be_sound),
        cmocka_unit_test(grain_differs_from_cell_to_cell),
        cmocka_unit_test(features_have_the_given_size),
        cmocka_unit_test(more_octaves_are_rougher),
        cmocka_unit_test(warp_bends_any_kind),
        cmocka_unit_test(warping_a_map_is_warping_its_kind),
        cmocka_unit_test(warp_moves_both_ways),
        cmocka_unit_test(a_range_follows_its_line),
        cmocka_unit_test(an_island_has_a_coast_with_bays),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
