/* Derived maps: surfaces with known slopes and curvatures, small terrains by hand, and figures of GRASS GIS.
 * labels: bits threads */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/series.h"
#include "platform/openmp.h"
#include "render/palette.h"
#include "wadi/analysis.h"
#include "wadi/derive.h"
#include "wadi/terrain.h"

enum { MOST = 128 * 128 };
static float ground[MOST], map[MOST], other[MOST];

static void close_to(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) print_message("%.12g is not %.12g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance);
}

typedef double height_function(double x, double y);

/* x to the east, y to the north, 0 in the middle cell. */
static wadi_derive_def make(int width, int height, double lx, double ly, height_function *function) {
    assert_true(width * height <= MOST);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            ground[y * width + x] = (float)function((x - width / 2) * lx, (height / 2 - y) * ly);
    return wadi_default_derive(width, height, lx, ly, ground);
}

static void derive(const wadi_derive_def *def, const char *name, float *values) {
    wadi_derivation *derivation;
    assert_int_equal(wadi_derive_create(def, &derivation), WADI_OK);
    assert_int_equal(wadi_derive_map(derivation, name, values, (size_t)def->width * (size_t)def->height), WADI_OK);
    wadi_derive_destroy(derivation);
}

static wadi_derive_def rows(int width, int height, const float *heights) {
    return wadi_default_derive(width, height, 10, 10, heights);
}

static void expect_map(const wadi_derive_def *def, const char *name, const float *expected, double tolerance) {
    derive(def, name, map);
    for (int i = 0; i < def->width * def->height; i++) {
        if (isnan(expected[i]) && isnan(map[i])) continue;
        if (!(fabs((double)map[i] - (double)expected[i]) <= tolerance))
            fail_msg("%s: cell %d is %.9g, not %.9g", name, i, (double)map[i], (double)expected[i]);
    }
}

/* --- the ground's surface ----------------------------------------------------------------------------------------- */

static void degrees_are_those_of_atan2(void **state) {
    (void)state;
    const double degree = acos(-1.0) / 180;
    for (int i = -179; i < 180; i++) close_to(wadi_degrees(3 * sin(i * degree), 3 * cos(i * degree)), i, 1e-13 * 180);
    close_to(wadi_degrees(0, -1), 180, 0);
    close_to(wadi_degrees(0, 0), 0, 0);
    close_to(wadi_degrees(1e300, 1e-300), 90, 0);
}

/* Falls to the south-west. */
static double plane(double x, double y) { return 0.5 * x + 0.25 * y; }
static double level(double x, double y) { return 7 + 0 * (x + y); }

static void expect_plane(const wadi_derive_def *def) {
    const double degree = acos(-1.0) / 180, normal = sqrt(1 + 0.3125);
    const float slope = (float)(atan(sqrt(0.3125)) / degree), aspect = (float)(180 + atan2(0.5, 0.25) / degree);
    const double light[3] = {sin(315 * degree) * cos(45 * degree), cos(315 * degree) * cos(45 * degree),
                             sin(45 * degree)};
    const double shade = (light[2] - 0.5 * light[0] - 0.25 * light[1]) / normal;
    const struct {
        const char *name;
        double value, tolerance;
    } expected[] = {{"slope", (double)slope, 2e-6},
                    {"aspect", (double)aspect, 2e-5},
                    {"profile_curvature", 0, 1e-7},
                    {"plan_curvature", 0, 1e-7},
                    {"hillshade", shade, 1e-7}};
    for (size_t m = 0; m < sizeof expected / sizeof *expected; m++) {
        derive(def, expected[m].name, map);
        for (int i = 0; i < def->width * def->height; i++) {
            if (isnan(ground[i]))
                assert_true(isnan(map[i]));
            else
                close_to((double)map[i], expected[m].value, expected[m].tolerance);
        }
    }
}

/* To the border, in the corners, and beside missing cells: the heights are exact in float32. */
static void a_plane_has_one_slope(void **state) {
    (void)state;
    wadi_derive_def def = make(9, 7, 4, 2, plane);
    expect_plane(&def);
    ground[3 * 9 + 4] = ground[3 * 9 + 5] = ground[8] = NAN;
    expect_plane(&def);
}

static void level_ground_has_no_aspect(void **state) {
    (void)state;
    const wadi_derive_def def = make(5, 4, 3, 3, level);
    derive(&def, "aspect", map);
    for (int i = 0; i < 20; i++) assert_true(isnan(map[i]));
    derive(&def, "slope", map);
    for (int i = 0; i < 20; i++) assert_true(map[i] == 0);
    derive(&def, "plan_curvature", map);
    for (int i = 0; i < 20; i++) assert_true(map[i] == 0);
}

static double north(double x, double y) { return 0 * x - y; }
static double east(double x, double y) { return 0 * y - x; }
static double south(double x, double y) { return 0 * x + y; }
static double west(double x, double y) { return 0 * y + x; }

static void aspect_is_clockwise_from_north(void **state) {
    (void)state;
    height_function *const falls[] = {north, east, south, west};
    for (int k = 0; k < 4; k++) {
        const wadi_derive_def def = make(5, 5, 2, 2, falls[k]);
        derive(&def, "aspect", map);
        for (int i = 0; i < 25; i++) close_to((double)map[i], 90 * k, 0);
        derive(&def, "slope", map);
        for (int i = 0; i < 25; i++) close_to((double)map[i], 45, 0);
    }
}

/* Zevenbergen and Thorne's quartic is exact for a quadratic surface. */
static double dome(double x, double y) { return 0 - (x * x + y * y) / 64; }
static double bowl(double x, double y) { return (x * x + y * y) / 64; }
static double ridge(double x, double y) { return 0 - x * x / 64 - y * y / 256; }

static void paraboloids_have_one_curvature(void **state) {
    (void)state;
    enum { N = 17 };
    height_function *const shapes[] = {dome, bowl};
    for (int s = 0; s < 2; s++) {
        const wadi_derive_def def = make(N, N, 2, 4, shapes[s]);
        for (int k = 0; k < 2; k++) {
            derive(&def, k == 0 ? "profile_curvature" : "plan_curvature", map);
            for (int y = 1; y < N - 1; y++)
                for (int x = 1; x < N - 1; x++)
                    if (x != N / 2 || y != N / 2) close_to((double)map[y * N + x], s == 0 ? 1.0 / 32 : -1.0 / 32, 1e-9);
        }
    }
    const wadi_derive_def def = make(N, N, 2, 2, ridge); /* on its axes, the principal curvatures */
    derive(&def, "profile_curvature", map);
    derive(&def, "plan_curvature", other);
    for (int i = 1; i < N - 1; i++) {
        if (i == N / 2) continue;
        close_to((double)map[N / 2 * N + i], 1.0 / 32, 1e-9);
        close_to((double)other[N / 2 * N + i], 1.0 / 128, 1e-9);
        close_to((double)map[i * N + N / 2], 1.0 / 128, 1e-9);
        close_to((double)other[i * N + N / 2], 1.0 / 32, 1e-9);
    }
    derive(&def, "slope", map); /* Horn's differences are exact for it too */
    close_to((double)map[N / 2 * N + 12], atan(8.0 / 32) * 180 / acos(-1.0), 1e-6);
}

static double gentle_dome(double x, double y) { return 100 - (x * x + y * y) / 400; }
static double gentle_bowl(double x, double y) { return (x * x + y * y) / 400; }

/* Soil stays in a bowl. On a dome its depth balances the curvature, and a sharp one is bare. */
static void soil_balances_slope_and_curvature(void **state) {
    (void)state;
    enum { N = 33 };
    static const struct {
        height_function *shape;
        double convex;
    } cases[] = {{gentle_bowl, -0.01}, {gentle_dome, 0.01}, {dome, 1.0 / 16}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const wadi_derive_def def = make(N, N, 2, 4, cases[c].shape);
        derive(&def, "slope", other);
        derive(&def, "soil_depth", map);
        for (int y = 8; y < N - 8; y++) /* farther out the mean has other curvatures in it */
            for (int x = 8; x < N - 8; x++) {
                const double tangent = tan((double)other[y * N + x] * acos(-1.0) / 180);
                const double room = 1 - tangent * tangent / 1.5625;
                const double depth = cases[c].convex > 0 ? 0.43 * log(0.031 * fmax(room, 1e-9) / cases[c].convex) : 2;
                close_to((double)map[y * N + x], fmin(fmax(depth, 0), 2), 1e-4);
            }
    }
}

static double cone(double x, double y) { return 200 - 0.5 * hypot(x, y); }

static void a_cone_is_straight_down_and_round(void **state) {
    (void)state;
    enum { N = 101 };
    const wadi_derive_def def = make(N, N, 2, 2, cone);
    for (int k = 0; k < 4; k++) {
        static const char *const names[] = {"slope", "aspect", "profile_curvature", "plan_curvature"};
        derive(&def, names[k], map);
        for (int y = 1; y < N - 1; y++)
            for (int x = 1; x < N - 1; x++) {
                const double dx = 2 * (x - N / 2), dy = 2 * (N / 2 - y), r = hypot(dx, dy);
                const double aspect = fmod(atan2(dx, dy) * 180 / acos(-1.0) + 360, 360);
                const double expected[] = {atan(0.5) * 180 / acos(-1.0), aspect, 0, 0.5 / r};
                const double tolerance[] = {0.05, 0.1, 1e-4, 0.01 * 0.5 / r + 2e-5};
                if (r > 30) close_to((double)map[y * N + x], expected[k], tolerance[k]);
            }
    }
}

/* --- water -------------------------------------------------------------------------------------------------------- */

static void water_of_a_plane_flows_west(void **state) {
    (void)state;
    const wadi_derive_def def = make(12, 7, 3, 2, west);
    derive(&def, "direction", map);
    derive(&def, "accumulation", other);
    for (int i = 0; i < 84; i++) {
        assert_true(map[i] == (i % 12 == 0 ? 0 : 16));
        assert_true(other[i] == (float)(12 - i % 12));
    }
    derive(&def, "area", map);
    for (int i = 0; i < 84; i++) assert_true(map[i] == 6 * other[i]);
    /* MFD gives to the diagonals too; in each column the whole of what lies above arrives */
    derive(&def, "mfd_accumulation", map);
    for (int x = 0; x < 12; x++) {
        double sum = 0;
        for (int y = 0; y < 7; y++) sum += (double)map[y * 12 + x];
        close_to(sum, 7 * (12 - x), 1e-4);
    }
    const double straight = 1 / 3.0, slant = 1 / hypot(3, 2), p = 1.1;
    const double part = pow(straight * 3, p) / (pow(straight * 3, p) + 2 * pow(slant * 3, p));
    const double border = pow(straight * 3, p) / (pow(straight * 3, p) + pow(slant * 3, p));
    close_to((double)map[3 * 12 + 10], 1 + part + 2 * (1 - part) / 2, 1e-6);
    close_to((double)map[0 * 12 + 10], 1 + border + (1 - part) / 2, 1e-6);
}

/* Whatever the way, all water arrives at the outlets. */
static void all_cells_drain_out(void **state) {
    (void)state;
    enum { N = 90 };
    wadi_terrain terrain = wadi_default_terrain("diamond-square", N, N);
    assert_int_equal(wadi_terrain_generate(&terrain, ground), WADI_OK);
    for (int i = 0; i < 60; i++) ground[40 * N + i] = NAN;
    for (int breach = 0; breach < 2; breach++) {
        wadi_derive_def def = wadi_default_derive(N, N, 3, 3, ground);
        def.breach = breach;
        derive(&def, "direction", map);
        static const char *const names[] = {"accumulation", "mfd_accumulation"};
        for (int k = 0; k < 2; k++) {
            derive(&def, names[k], other);
            double out = 0;
            for (int i = 0; i < N * N; i++) out += map[i] == 0 ? (double)other[i] : 0;
            close_to(out, N * N - 60, 0.01);
        }
    }
}

static void a_cone_sheds_water_evenly(void **state) {
    (void)state;
    enum { N = 41 };
    const wadi_derive_def def = make(N, N, 1, 1, cone);
    derive(&def, "mfd_accumulation", map);
    for (int y = 0; y < N; y++)
        for (int x = 0; x < N; x++) close_to((double)map[y * N + x], (double)map[x * N + N - 1 - y], 1e-5 * N);
    assert_true(map[N / 2 * N + N / 2] == 1);
}

/* A hollow of 5 and 3 behind a rim with one gap at 8. */
static void a_hollow_is_filled_or_breached(void **state) {
    (void)state;
    static const float heights[] = {9, 9, 9, 9, 9, 9, 9, 5, 5, 9, 7, 8, 5, 3, 9, 9, 9, 5, 5, 9, 9, 9, 9, 9, 9};
    static const float filled[] = {9, 9, 9, 9, 9, 9, 9, 8, 8, 9, 7, 8, 8, 8, 9, 9, 9, 8, 8, 9, 9, 9, 9, 9, 9};
    const wadi_derive_def def = rows(5, 5, heights);
    expect_map(&def, "filled", filled, 0);
    wadi_derive_def breached = def;
    breached.breach = true;
    expect_map(&breached, "filled", filled, 0);
    derive(&breached, "breached", other);
    for (int i = 0; i < 25; i++) assert_true(other[i] <= heights[i]);
    assert_true(other[13] == 3 && other[11] < 3 && other[10] < other[11]);
    const wadi_derive_def again = rows(5, 5, other);
    expect_map(&again, "filled", other, 0); /* it has no hollow */
    static float direction[25];
    derive(&again, "direction", direction);
    expect_map(&breached, "direction", direction, 0);
    derive(&def, "direction", map);
    assert_memory_not_equal(map, direction, sizeof direction);
    derive(&breached, "accumulation", map); /* the hollow's six cells go out by the gap */
    assert_true(map[11] >= 7 && map[10] > map[11]);
}

/* Two valleys that meet: by hand. */
static const float fork[] = {
    9, 5, 9, 9, 9, 5, 9, /**/
    9, 9, 4, 9, 4, 9, 9, /**/
    9, 9, 9, 3, 9, 9, 9, /**/
    9, 9, 9, 2, 9, 9, 9, /**/
    9, 9, 9, 1, 9, 9, 9,
};

static void streams_of_a_fork(void **state) {
    (void)state;
    wadi_derive_def def = rows(7, 5, fork);
    def.channel_m2 = 250; /* three cells */
    wadi_derivation *derivation;
    wadi_streams *streams;
    assert_int_equal(wadi_derive_create(&def, &derivation), WADI_OK);
    assert_int_equal(wadi_derive_map(derivation, "strahler", map, 35), WADI_OK);
    assert_int_equal(wadi_derive_map(derivation, "accumulation", other, 35), WADI_OK);
    assert_int_equal(wadi_derive_streams(derivation, &streams), WADI_OK);
    const int channel[][2] = {{9, 1}, {11, 1}, {17, 2}, {24, 2}, {31, 2}};
    for (size_t i = 0; i < 5; i++) assert_true(map[channel[i][0]] == (float)channel[i][1]);
    assert_int_equal(streams->count, 3);
    close_to(streams->threshold_m2, 250, 0);
    const wadi_stream *trunk = &streams->streams[0];
    assert_true(trunk->order == 2 && trunk->next == WADI_NO_STREAM && trunk->points == 3);
    assert_int_equal(streams->cells[trunk->first], 17);
    assert_int_equal(streams->cells[trunk->first + 2], 31);
    close_to(trunk->length_m, 20, 0);
    close_to(trunk->area_m2, 100.0 * (double)other[31], 0);
    for (int i = 1; i < 3; i++) {
        const wadi_stream *branch = &streams->streams[i];
        assert_true(branch->order == 1 && branch->next == 0);
        assert_int_equal(streams->cells[branch->first + branch->points - 1], 17);
        const uint32_t mouth = streams->cells[branch->first + branch->points - 2];
        assert_true(mouth == 9 || mouth == 11);
        close_to(branch->area_m2, 100.0 * (double)other[mouth], 0);
        close_to(branch->length_m, ((double)branch->points - 1) * 10 * sqrt(2), 1e-9);
    }
    wadi_streams_destroy(streams);
    wadi_derive_destroy(derivation);
}

/* Each channel cell is in one reach, as its beginning or within; each reach flows into one of at least its order. */
static void reaches_cover_all_channels(void **state) {
    (void)state;
    enum { N = 120 };
    wadi_terrain terrain = wadi_default_terrain("ridged", N, N);
    assert_int_equal(wadi_terrain_generate(&terrain, ground), WADI_OK);
    wadi_derive_def def = wadi_default_derive(N, N, 3, 3, ground);
    def.channel_m2 = 20 * 9;
    wadi_derivation *derivation;
    wadi_streams *streams;
    assert_int_equal(wadi_derive_create(&def, &derivation), WADI_OK);
    assert_int_equal(wadi_derive_streams(derivation, &streams), WADI_OK);
    assert_int_equal(wadi_derive_map(derivation, "strahler", map, N * N), WADI_OK);
    assert_int_equal(wadi_derive_map(derivation, "accumulation", other, N * N), WADI_OK);
    static uint8_t covered[N * N];
    double length = 0;
    int highest = 0;
    for (size_t i = 0; i < streams->count; i++) {
        const wadi_stream *stream = &streams->streams[i];
        assert_true(stream->points >= 2 && stream->next < (int64_t)i);
        length += stream->length_m;
        highest = stream->order > highest ? stream->order : highest;
        const uint32_t *cells = streams->cells + stream->first;
        for (size_t p = 0; p + 1 < stream->points; p++) {
            assert_int_equal(covered[cells[p]]++, 0);
            assert_true(map[cells[p]] == (float)stream->order);
        }
        const uint32_t last = cells[stream->points - 1];
        if (stream->next == WADI_NO_STREAM) {
            covered[last] = 1;
        } else {
            const wadi_stream *next = &streams->streams[stream->next];
            assert_int_equal(streams->cells[next->first], last);
            assert_true(next->order >= stream->order && next->area_m2 > stream->area_m2);
        }
    }
    for (int i = 0; i < N * N; i++) {
        assert_true((map[i] > 0) == (other[i] >= 20));
        if (map[i] > 0 && !covered[i]) assert_true(other[i] >= 20); /* a confluence in an outlet */
    }
    assert_true(highest >= 3);
    wadi_drainage drainage; /* the same channels, but for the outlets, which have no length */
    assert_int_equal(wadi_drainage_density(ground, N, N, 3, 3, 20 * 9, &drainage), WADI_OK);
    close_to(length * 1e-3, drainage.length_km, 1e-9);
    wadi_streams_destroy(streams);
    wadi_derive_destroy(derivation);
}

static void the_wetness_index_of_a_plane(void **state) {
    (void)state;
    wadi_derive_def def = make(20, 9, 2, 2, west);
    derive(&def, "mfd_area", other);
    derive(&def, "wetness", map);
    for (int i = 0; i < 180; i++) close_to((double)map[i], log((double)other[i] / 2 / 1), 1e-5);
    def = make(8, 8, 2, 2, level); /* counts as a slope of 0.001 */
    derive(&def, "mfd_area", other);
    derive(&def, "wetness", map);
    for (int i = 0; i < 64; i++) close_to((double)map[i], log((double)other[i] / 2 / 0.001), 1e-5);
}

/* --- GRASS GIS 8.2.1 -----------------------------------------------------------------------------------------------
 */

/* A dome without hollows whose border drains outwards, because r.watershed leaves out what comes from the border. The
 * figures are of r.slope.aspect and of r.watershed -s (D8) and convergence=4 (MFD), cells of 10 m. */
enum { GW = 10, GH = 9 };
static const float grass_heights[GW * GH] = {
    80.6f, 83.2f, 87.1f, 86.6f, 89.2f, 90.3f, 87.6f, 87.2f, 84.6f, 81.8f, /**/
    84.2f, 88.8f, 89.6f, 90.2f, 91.9f, 92.7f, 92.8f, 91.0f, 88.6f, 83.2f, /**/
    83.8f, 87.7f, 92.8f, 93.6f, 95.2f, 94.3f, 93.9f, 91.0f, 88.1f, 84.8f, /**/
    86.3f, 90.0f, 94.3f, 94.3f, 99.2f, 97.6f, 97.2f, 94.3f, 91.4f, 85.4f, /**/
    85.1f, 88.3f, 93.2f, 97.9f, 96.3f, 98.4f, 96.9f, 94.6f, 91.2f, 86.4f, /**/
    87.4f, 88.7f, 90.4f, 93.2f, 96.8f, 97.2f, 96.9f, 89.9f, 92.5f, 84.9f, /**/
    84.8f, 87.4f, 91.5f, 93.6f, 93.3f, 91.5f, 92.0f, 90.3f, 87.4f, 83.2f, /**/
    81.8f, 85.4f, 85.7f, 89.5f, 89.9f, 91.1f, 89.6f, 88.3f, 87.3f, 82.7f, /**/
    80.9f, 83.4f, 84.5f, 84.8f, 88.2f, 87.9f, 86.9f, 85.7f, 81.9f, 80.3f,
};
/* A row of the interior cells of row 4, and of row 6 */
static const struct {
    const char *name;
    int row;
    double values[GW - 2], tolerance;
} grass_rows[] = {
    {"slope",
     4,
     {19.11813736, 20.430364609, 13.66835022, 7.421114922, 2.554633617, 13.349505424, 16.062362671, 20.81934166},
     4e-6},
    {"slope",
     6,
     {18.271930695, 18.42102623, 16.515117645, 16.46339035, 18.358470917, 17.72155571, 15.605723381, 19.657762527},
     4e-6},
    {"aspect",
     4,
     {258.771087646, 249.984024048, 244.093475342, 232.800186157, 168.689971924, 106.525787354, 110.323120117,
      95.092132568},
     4e-5},
    {"aspect",
     6,
     {230.222198486, 232.01184082, 216.773300171, 183.394927979, 173.945800781, 150.727752686, 134.637390137,
      119.794586182},
     4e-5},
    {"accumulation", 4, {2, 1, 1, 2, 1, 1, 1, 1}, 0},
    {"accumulation", 6, {6, 1, 1, 1, 3, 1, 1, 6}, 0},
    {"direction", 4, {16, 16, 8, 8, 16, 2, 4, 1}, 0},
    {"direction", 6, {8, 4, 8, 4, 2, 2, 1, 1}, 0},
    {"mfd_accumulation",
     4,
     {3.154351499, 1.595481778, 1.000549013, 1.701560722, 1.000078735, 1.16681983, 1.07280006, 1.265474776},
     2e-5},
    {"mfd_accumulation",
     6,
     {3.946344233, 1.114484031, 1.051022627, 1.339735276, 2.384468134, 1.314161986, 1.252948042, 5.591836512},
     2e-5},
};

static void grass_gives_the_same(void **state) {
    (void)state;
    wadi_derive_def def = wadi_default_derive(GW, GH, 10, 10, grass_heights);
    def.exponent = 4;
    for (size_t r = 0; r < sizeof grass_rows / sizeof *grass_rows; r++) {
        derive(&def, grass_rows[r].name, map);
        for (int x = 1; x < GW - 1; x++)
            close_to((double)map[grass_rows[r].row * GW + x], grass_rows[r].values[x - 1], grass_rows[r].tolerance);
    }
}

/* --- the interface ------------------------------------------------------------------------------------------------ */

static void each_map_is_complete(void **state) {
    (void)state;
    const wadi_map_facts *facts;
    size_t count = 0;
    for (; (facts = wadi_derived_facts_at(count)) != NULL; count++) {
        assert_ptr_equal(wadi_derived_facts_of(facts->name), facts); /* no two of one name */
        assert_true(facts->title[0] >= 'A' && facts->title[0] <= 'Z');
        assert_true(facts->unit[0] != '\0' && strlen(facts->unit) < 8 && facts->meaning[0] != '\0');
        if (render_palette_named(facts->palette) == NULL) fail_msg("%s: no palette '%s'", facts->name, facts->palette);
        const wadi_map_facts *same = wadi_map_facts_of(facts->name); /* of a run, it is the same kind of map */
        assert_true(same == NULL ||
                    (strcmp(same->unit, facts->unit) == 0 && strcmp(same->palette, facts->palette) == 0));
    }
    assert_true(count > 0 && count <= 31); /* a list of them is kept as bits, with one for the streams */
    assert_null(wadi_derived_facts_of("slop"));
    assert_null(wadi_derived_facts_of(NULL));
}

static void wrong_definitions_are_refused(void **state) {
    (void)state;
    const wadi_derive_def good = make(6, 5, 2, 2, plane);
    wadi_derive_def bad[8];
    for (int i = 0; i < 8; i++) bad[i] = good;
    bad[0].width = 0;
    bad[1].lx = -1;
    bad[2].exponent = 0;
    bad[3].channel_m2 = NAN;
    bad[4].altitude = 91;
    bad[5].azimuth = INFINITY;
    bad[6].exaggeration = 0;
    bad[7].heights = NULL;
    wadi_derivation *derivation;
    for (int i = 0; i < 8; i++) {
        assert_int_equal(wadi_derive_create(&bad[i], &derivation), WADI_ERROR_ARGUMENT);
        assert_null(derivation);
    }
    assert_int_equal(wadi_derive_create(&good, &derivation), WADI_OK);
    assert_int_equal(wadi_derive_map(derivation, "slope", map, 29), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_derive_map(derivation, "slop", map, 30), WADI_ERROR_ARGUMENT);
    wadi_derive_destroy(derivation);
}

/* A map without data, and one of a single row. */
static void odd_terrains(void **state) {
    (void)state;
    static const float none[] = {NAN, NAN, INFINITY, NAN}, one[] = {3, 2, 1};
    const wadi_map_facts *facts;
    const wadi_derive_def empty = rows(2, 2, none), row = rows(3, 1, one);
    for (size_t i = 0; (facts = wadi_derived_facts_at(i)) != NULL; i++) {
        derive(&empty, facts->name, map);
        for (int c = 0; c < 4; c++) assert_true(isnan(map[c]));
        if (strcmp(facts->name, "breached") != 0) derive(&row, facts->name, map); /* breaching wants two rows */
    }
    derive(&row, "accumulation", map);
    assert_true(map[0] == 1 && map[1] == 2 && map[2] == 3);
    derive(&row, "slope", map);
    for (int i = 0; i < 3; i++) close_to((double)map[i], atan(0.1) * 180 / acos(-1.0), 1e-6);
}

/* The same bits for any number of threads, compiler and machine: the first digits of each map's hash. */
static void the_bits_of_each_map(void **state) {
    (void)state;
    static const char *const expected[] = {
        "edef7cce", /* filled */
        "dc8a4f31", /* breached */
        "67bb469f", /* direction */
        "41ee240f", /* accumulation */
        "9ed3f51a", /* area */
        "8bac208a", /* mfd_accumulation */
        "2a9e2677", /* mfd_area */
        "2a1d005d", /* slope */
        "31ce960b", /* aspect */
        "f9b5add8", /* profile_curvature */
        "faa83094", /* plan_curvature */
        "33c50602", /* hillshade */
        "6f099d40", /* wetness */
        "89b6e3ac", /* strahler */
        "f2372b09", /* curvature */
        "b55a0a1e", /* occlusion */
        "95f295b0", /* hand */
        "fff190e4", /* normal_x */
        "881db879", /* normal_y */
        "4828b373", /* normal_z */
        "f825615c", /* flow_x */
        "313ebc67", /* flow_y */
        "1c57e7ff", /* soil_depth */
    };
    enum { N = 100 };
    wadi_terrain terrain = wadi_default_terrain("diamond-square", N, N);
    assert_int_equal(wadi_terrain_generate(&terrain, ground), WADI_OK);
    ground[4321] = NAN;
    const wadi_derive_def def = wadi_default_derive(N, N, 3, 2, ground);
    const wadi_map_facts *facts;
    size_t wrong = 0;
    for (int threads = 1; threads <= 3; threads += 2) {
        omp_set_num_threads(threads);
        for (size_t i = 0; (facts = wadi_derived_facts_at(i)) != NULL; i++) {
            char hash[65];
            derive(&def, facts->name, map);
            wadi_field_sha256(map, N * N, hash);
            const char *wanted = i < sizeof expected / sizeof *expected ? expected[i] : "";
            if (*wanted && strncmp(hash, wanted, 8) == 0) continue;
            print_message("        \"%.8s\", /* %s */\n", hash, facts->name);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(degrees_are_those_of_atan2),
        cmocka_unit_test(a_plane_has_one_slope),
        cmocka_unit_test(level_ground_has_no_aspect),
        cmocka_unit_test(aspect_is_clockwise_from_north),
        cmocka_unit_test(paraboloids_have_one_curvature),
        cmocka_unit_test(soil_balances_slope_and_curvature),
        cmocka_unit_test(a_cone_is_straight_down_and_round),
        cmocka_unit_test(water_of_a_plane_flows_west),
        cmocka_unit_test(all_cells_drain_out),
        cmocka_unit_test(a_cone_sheds_water_evenly),
        cmocka_unit_test(a_hollow_is_filled_or_breached),
        cmocka_unit_test(streams_of_a_fork),
        cmocka_unit_test(reaches_cover_all_channels),
        cmocka_unit_test(the_wetness_index_of_a_plane),
        cmocka_unit_test(grass_gives_the_same),
        cmocka_unit_test(each_map_is_complete),
        cmocka_unit_test(wrong_definitions_are_refused),
        cmocka_unit_test(odd_terrains),
        cmocka_unit_test(the_bits_of_each_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
