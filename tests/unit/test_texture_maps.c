/* Derived maps for texturing: normals, ambient occlusion, height above drainage, flow direction.
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

enum { N = 41, MIDDLE = N / 2, CELLS = N * N };
static float ground[CELLS], map[CELLS];

static void close_to(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) fail_msg("%.12g is not %.12g", value, expected);
}

typedef double height_function(double x, double y); /* x to the east, y to the north, 0 in the middle cell */

static wadi_derive_def make(double lx, double ly, height_function *function) {
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) ground[y * N + x] = (float)function((x - MIDDLE) * lx, (MIDDLE - y) * ly);
    return wadi_default_derive(N, N, lx, ly, ground);
}

static void derive(const wadi_derive_def *def, const char *name) {
    wadi_derivation *derivation;
    assert_int_equal(wadi_derive_create(def, &derivation), WADI_OK);
    assert_int_equal(wadi_derive_map(derivation, name, map, CELLS), WADI_OK);
    wadi_derive_destroy(derivation);
}

static double plane(double x, double y) { return 0.5 * x + 0.25 * y; }
static double level(double x, double y) { return 3 + 0 * x + 0 * y; }
static double bowl(double x, double y) { return (x * x + y * y) / 64; }

static void the_normal_of_a_plane(void **state) {
    (void)state;
    const wadi_derive_def def = make(4, 2, plane);
    const double size = sqrt(1 + 0.25 + 0.0625);
    static const char *const names[] = {"normal_x", "normal_y", "normal_z"};
    const double expected[] = {-0.5 / size, -0.25 / size, 1 / size};
    for (int k = 0; k < 3; k++) {
        derive(&def, names[k]);
        for (int i = 0; i < CELLS; i++) close_to((double)map[i], expected[k], 1e-6);
    }
}

static void curvature_is_the_sum(void **state) {
    (void)state;
    const wadi_derive_def def = make(2, 2, bowl);
    derive(&def, "curvature");
    for (int y = 1; y < N - 1; y++)
        for (int x = 1; x < N - 1; x++) close_to((double)map[y * N + x], -4.0 / 64, 1e-7); /* the level middle too */
}

static void open_ground_sees_the_whole_sky(void **state) {
    (void)state;
    wadi_derive_def def = make(3, 2, level);
    derive(&def, "occlusion");
    for (int i = 0; i < CELLS; i++) assert_true(map[i] == 1);
    /* a plane hides its half of the sky: the mean of 1 and of cos2 of its apparent slope */
    def = make(3, 3, plane);
    derive(&def, "occlusion");
    double sum = 0;
    for (int k = 0; k < 16; k++) {
        const double angle = k * acos(-1.0) / 8, rise = 0.5 * cos(angle) + 0.25 * sin(angle);
        sum += rise > 0 ? 1 / (1 + rise * rise) : 1;
    }
    close_to((double)map[MIDDLE * N + MIDDLE], sum / 16, 1e-6);
}

/* A wall around the middle: the horizon's angle is the same in all directions, if cells are not square too. */
static double shaft(double x, double y) { return hypot(x, y) < 12 ? 0 : 12; }

static void a_shaft_is_dark(void **state) {
    (void)state;
    const wadi_derive_def def = make(2, 1, shaft);
    derive(&def, "occlusion");
    /* the horizon is sought at distances that grow by a fifth */
    const double seen = (double)map[MIDDLE * N + MIDDLE];
    assert_true(seen > 0.49 && seen < 1 / (1 + 1 / 1.44));
    assert_true(map[MIDDLE * N + 1] > map[MIDDLE * N + MIDDLE]); /* on the rim's top */
}

static double valley(double x, double y) { return fabs(x) - 0.001 * y; }

static void height_above_the_valley(void **state) {
    (void)state;
    wadi_derive_def def = make(2, 2, valley);
    def.channel_m2 = 5 * N * 4;
    derive(&def, "hand");
    for (int y = 8; y < N - 4; y++)
        for (int x = 2; x < N - 2; x++) close_to((double)map[y * N + x], abs(x - MIDDLE) * 2, 0.1);
    ground[5] = NAN;
    derive(&def, "hand");
    assert_true(isnan(map[5]));
}

static void water_flows_along_the_slope(void **state) {
    (void)state;
    const wadi_derive_def def = make(3, 2, plane);
    derive(&def, "flow_x");
    const double east = (double)map[MIDDLE * N + MIDDLE];
    derive(&def, "flow_y");
    const double north = (double)map[MIDDLE * N + MIDDLE];
    close_to(hypot(east, north), 1, 1e-6);
    close_to(atan2(-north, -east), atan2(0.25, 0.5), 0.2); /* eight neighbours know no other angles */
    assert_true(east < 0 && north < 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_normal_of_a_plane),          cmocka_unit_test(curvature_is_the_sum),
        cmocka_unit_test(open_ground_sees_the_whole_sky), cmocka_unit_test(a_shaft_is_dark),
        cmocka_unit_test(height_above_the_valley),        cmocka_unit_test(water_flows_along_the_slope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
