/* Slopes, hypsometric curve and drainage of planes, cones and valleys with known figures. labels: bits threads */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "platform/openmp.h"
#include "wadi/analysis.h"
#include "wadi/terrain.h"

static void close_to(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) print_message("%.12g is not %.12g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance);
}

typedef double height_function(double x, double y);

static float *make(int width, int height, double lx, double ly, height_function *function) {
    float *heights = malloc((size_t)width * (size_t)height * sizeof *heights);
    assert_non_null(heights);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) heights[y * width + x] = (float)function(x * lx, y * ly);
    }
    return heights;
}

static double plane_x(double x, double y) { return 0 * y + x; }
static double plane_both(double x, double y) { return 0.5 * x - 0.25 * y; }
static double cone(double x, double y) { return 200 - 0.5 * hypot(x - 100, y - 100); }
static double valley(double x, double y) { return fabs(x - 40) + 0.125 * y; }
static double flat(double x, double y) { return 7 + 0 * (x + y); }

static void slopes_of_planes(void **state) {
    (void)state;
    wadi_slopes slopes;
    float *heights = make(20, 15, 3, 2, plane_x);
    assert_int_equal(wadi_slope_histogram(heights, 20, 15, 3, 2, &slopes), WADI_OK);
    assert_int_equal(slopes.cells, 300);
    assert_int_equal(slopes.bins[45], 300);
    close_to(slopes.mean, 45, 1e-12);
    close_to(slopes.steepest, 45, 1e-12);
    free(heights);
    heights = make(20, 15, 4, 2, plane_both); /* all heights are exact */
    assert_int_equal(wadi_slope_histogram(heights, 20, 15, 4, 2, &slopes), WADI_OK);
    const double expected = atan(hypot(0.5, 0.25)) * 180 / acos(-1);
    close_to(slopes.mean, expected, 1e-10);
    close_to(slopes.steepest, expected, 1e-10);
    assert_int_equal(slopes.bins[(int)expected], 300);
    free(heights);
    heights = make(7, 1, 1, 1, flat);
    assert_int_equal(wadi_slope_histogram(heights, 7, 1, 1, 1, &slopes), WADI_OK);
    assert_true(slopes.bins[0] == 7 && slopes.mean == 0 && slopes.median == 0 && slopes.steepest == 0);
    free(heights);
}

/* All angles, compared with the platform's arc tangent. */
static void slope_angles_match_atan(void **state) {
    (void)state;
    for (int i = 1; i < 900; i++) {
        const double degrees = 0.1 * i;
        const float step[] = {0, (float)tan(degrees * acos(-1) / 180)};
        wadi_slopes slopes;
        assert_int_equal(wadi_slope_histogram(step, 2, 1, 1, 1, &slopes), WADI_OK);
        close_to(slopes.mean, atan((double)step[1]) * 180 / acos(-1), 1e-11);
    }
    const float wall[] = {0, 1e30f};
    wadi_slopes slopes;
    assert_int_equal(wadi_slope_histogram(wall, 2, 1, 1, 1, &slopes), WADI_OK);
    assert_true(slopes.bins[89] == 2);
    close_to(slopes.mean, 90, 1e-9);
}

static void a_cone_is_equally_steep(void **state) {
    (void)state;
    wadi_slopes slopes;
    float *heights = make(201, 201, 1, 1, cone);
    assert_int_equal(wadi_slope_histogram(heights, 201, 201, 1, 1, &slopes), WADI_OK);
    close_to(slopes.median, 26.57, 0.5); /* atan 0.5, interpolated within its bin */
    assert_true(slopes.bins[26] > 40000);
    free(heights);
}

static void hypsometry_of_plane_and_cone(void **state) {
    (void)state;
    wadi_hypsometric_curve curve;
    float *heights = make(101, 3, 1, 1, plane_x);
    assert_int_equal(wadi_hypsometry(heights, 101, 3, &curve), WADI_OK);
    for (int i = 0; i <= 100; i++) close_to(curve.above[i], (101 - i) / 101.0, 1e-12);
    close_to(curve.integral, 0.5, 1e-12);
    assert_true(curve.lowest == 0 && curve.highest == 100);
    free(heights);
    /* The part of a cone above height h covers (1 - h)^2 of its base disc. */
    heights = make(201, 201, 1, 1, cone);
    for (int i = 0; i < 201 * 201; i++)
        if (heights[i] < 150) heights[i] = NAN;
    assert_int_equal(wadi_hypsometry(heights, 201, 201, &curve), WADI_OK);
    for (int i = 0; i <= 100; i++) close_to(curve.above[i], (1 - 0.01 * i) * (1 - 0.01 * i), 0.01);
    close_to(curve.integral, 1.0 / 3, 0.005);
    free(heights);
    heights = make(5, 5, 1, 1, flat);
    assert_int_equal(wadi_hypsometry(heights, 5, 5, &curve), WADI_OK);
    assert_true(curve.above[0] == 1 && curve.above[1] == 0 && curve.integral == 0);
    free(heights);
}

/* On a plane every column is a stream of its own. It is a channel from its n-th cell on. */
static void drainage_of_a_plane(void **state) {
    (void)state;
    wadi_drainage drainage;
    float *heights = make(50, 30, 2, 2, plane_x);
    assert_int_equal(wadi_drainage_density(heights, 50, 30, 2, 2, 10 * 4, &drainage), WADI_OK);
    close_to(drainage.area_km2, 50 * 30 * 4e-6, 1e-15);
    assert_int_equal(drainage.channel_cells, 30 * 41);
    close_to(drainage.length_km, 30 * 40 * 2e-3, 1e-12); /* the last cell of each is the outlet */
    close_to(drainage.largest_km2, 50 * 4e-6, 1e-15);
    close_to(drainage.density, drainage.length_km / drainage.area_km2, 1e-9);
    free(heights);
}

/* Both sides fall steeply to the middle, so all water goes there. Cells are not square. */
static void drainage_of_a_valley(void **state) {
    (void)state;
    wadi_drainage drainage;
    const int width = 41, height = 60; /* the middle is column 20 of 2 m */
    float *heights = make(width, height, 2, 3, valley);
    assert_int_equal(wadi_drainage_density(heights, width, height, 2, 3, 6 * 30, &drainage), WADI_OK);
    close_to(drainage.largest_km2, width * height * 6e-6, 1e-3 * 6);
    /* Only the valley floor collects 30 cells (a row of one side has 20). */
    assert_int_equal(drainage.channel_cells, height);
    close_to(drainage.length_km, (height - 1) * 3e-3, 1e-12);
    free(heights);
}

/* A hollow with one low place in its rim: all water leaves there, whatever the depth. */
static void hollows_are_filled(void **state) {
    (void)state;
    enum { N = 31 };
    float heights[N * N];
    for (int y = 0; y < N; y++) {
        for (int x = 0; x < N; x++) {
            const int border = x == 0 || y == 0 || x == N - 1 || y == N - 1;
            heights[y * N + x] = border ? 100.0f : (float)(abs(x - 15) + abs(y - 15));
        }
    }
    heights[15 * N] = 50;
    wadi_drainage drainage;
    assert_int_equal(wadi_drainage_density(heights, N, N, 1, 1, 0, &drainage), WADI_OK);
    assert_true(drainage.threshold_m2 == 16);
    /* and a part of the rim, which drains inwards or along itself */
    assert_true(drainage.largest_km2 >= 29 * 29 * 1e-6);
    assert_true(drainage.density > 0);
    /* A missing cell at the bottom takes all water but that of the rim. */
    heights[15 * N + 15] = NAN;
    assert_int_equal(wadi_drainage_density(heights, N, N, 1, 1, 0, &drainage), WADI_OK);
    assert_true(drainage.largest_km2 < 29 * 29 * 1e-6);
    close_to(drainage.area_km2, (N * N - 1) * 1e-6, 1e-15);
}

static void odd_sizes_and_empty_maps(void **state) {
    (void)state;
    const float none[] = {NAN, NAN, INFINITY, NAN}, one = 3;
    wadi_drainage drainage;
    wadi_slopes slopes;
    wadi_hypsometric_curve curve;
    assert_int_equal(wadi_drainage_density(none, 2, 2, 1, 1, 0, &drainage), WADI_OK);
    assert_int_equal(wadi_slope_histogram(none, 2, 2, 1, 1, &slopes), WADI_OK);
    assert_int_equal(wadi_hypsometry(none, 4, 1, &curve), WADI_OK);
    assert_true(drainage.density == 0 && slopes.cells == 0 && slopes.median == 0 && curve.above[0] == 0);
    assert_int_equal(wadi_drainage_density(&one, 1, 1, 1, 1, 1, &drainage), WADI_OK);
    assert_true(drainage.channel_cells == 1 && drainage.length_km == 0);
    assert_int_equal(wadi_drainage_density(&one, 0, 1, 1, 1, 1, &drainage), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_drainage_density(&one, 1, 1, 0, 1, 1, &drainage), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_drainage_density(&one, 1, 1, 1, 1, NAN, &drainage), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_slope_histogram(NULL, 1, 1, 1, 1, &slopes), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_hypsometry(&one, 1, -1, &curve), WADI_ERROR_ARGUMENT);
}

/* On a random terrain with holes every cell drains out, once. Any number of threads and a second run give the same
 * bits. */
static void all_of_random_terrain_drains(void **state) {
    (void)state;
    wadi_terrain terrain = wadi_default_terrain("diamond-square", 97, 131);
    float *heights = malloc(97 * 131 * sizeof *heights);
    assert_int_equal(wadi_terrain_generate(&terrain, heights), WADI_OK);
    for (int i = 0; i < 97 * 131; i += 701) heights[i] = NAN;
    wadi_slopes first, slopes;
    wadi_drainage first_drainage, drainage;
    const int before = omp_get_max_threads();
    for (int threads = 1; threads < 5; threads++) {
        omp_set_num_threads(threads);
        assert_int_equal(wadi_slope_histogram(heights, 97, 131, 3, 2, &slopes), WADI_OK);
        assert_int_equal(wadi_drainage_density(heights, 97, 131, 3, 2, 0, &drainage), WADI_OK);
        if (threads == 1) first = slopes, first_drainage = drainage;
        assert_memory_equal(&first, &slopes, sizeof slopes);
        assert_memory_equal(&first_drainage, &drainage, sizeof drainage);
    }
    omp_set_num_threads(before);
    /* With a threshold of one cell every cell is channel; with the whole area none. */
    assert_int_equal(wadi_drainage_density(heights, 97, 131, 3, 2, 6, &drainage), WADI_OK);
    assert_int_equal(drainage.channel_cells, slopes.cells);
    assert_int_equal(wadi_drainage_density(heights, 97, 131, 3, 2, 6.0 * 97 * 131, &drainage), WADI_OK);
    assert_int_equal(drainage.channel_cells, 0);
    free(heights);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_of_planes),
        cmocka_unit_test(slope_angles_match_atan),
        cmocka_unit_test(a_cone_is_equally_steep),
        cmocka_unit_test(hypsometry_of_plane_and_cone),
        cmocka_unit_test(drainage_of_a_plane),
        cmocka_unit_test(drainage_of_a_valley),
        cmocka_unit_test(hollows_are_filled),
        cmocka_unit_test(odd_sizes_and_empty_maps),
        cmocka_unit_test(all_of_random_terrain_drains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
