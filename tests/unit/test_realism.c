/* The measures of realism, on terrain with known answers. labels: bits threads */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "platform/openmp.h"
#include "wadi/realism.h"
#include "wadi/terrain.h"

static void close_to(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance)) print_message("%.12g is not %.12g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance);
}

typedef double height_function(double x, double y);

static float *allocate(int width, int height) {
    float *heights = malloc((size_t)width * (size_t)height * sizeof *heights);
    assert_non_null(heights);
    return heights;
}

static float *make(int width, int height, double lx, double ly, height_function *function) {
    float *heights = allocate(width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) heights[y * width + x] = (float)function(x * lx, y * ly);
    return heights;
}

static wadi_realism measure(const float *heights, int width, int height, double lx, double ly, double sea_m) {
    wadi_realism realism;
    assert_int_equal(wadi_realism_of(heights, width, height, lx, ly, sea_m, 0, &realism), WADI_OK);
    return realism;
}

#define VALUE(realism, name) ((realism).values[WADI_MEASURE_##name])
#define NO_SEA (-(double)INFINITY)

/* --- planes and cones --- */

/* Every row is a stream of its own: equally steep all along, and as long as its area. */
static double plane(double x, double y) { return 0 * y + 0.25 * x; }

static void a_plane_has_parallel_streams(void **state) {
    (void)state;
    float *heights = make(600, 40, 2, 2, plane);
    wadi_realism r;
    /* a channel of two cells: the octaves of a stream end at 4, 8, ... 512 cells */
    assert_int_equal(wadi_realism_of(heights, 600, 40, 2, 2, NO_SEA, 8, &r), WADI_OK);
    close_to(VALUE(r, CONCAVITY), 0, 1e-9);
    close_to(VALUE(r, HACK), 1, 0.06); /* the length is one step less than the area */
    close_to(VALUE(r, HYPSOMETRY), 0.5, 1e-6);
    close_to(VALUE(r, DRAINING), 100, 0);
    close_to(VALUE(r, PITS), 0, 0);
    close_to(VALUE(r, PEAKS), 0, 0);
    close_to(VALUE(r, DENSITY), r.drainage.density, 0);
    close_to(VALUE(r, NETWORK), r.drainage.density * sqrt(8e-6), 1e-12);
    assert_true(isnan(VALUE(r, AXIS_POWER)));
    free(heights);
}

static double cone(double x, double y) { return 100 - 0.5 * hypot(x - 100, y - 100); }
static double funnel(double x, double y) { return -cone(x, y); }

static void a_cone_is_a_peak_and_a_funnel_a_pit(void **state) {
    (void)state;
    const double one = 1e4 / (201 * 201);
    float *heights = make(201, 201, 1, 1, cone);
    wadi_realism r = measure(heights, 201, 201, 1, 1, NO_SEA);
    close_to(VALUE(r, PEAKS), one, 1e-12);
    close_to(VALUE(r, HIGH_PEAKS), one, 1e-12);
    close_to(VALUE(r, PITS), 0, 0);
    close_to(VALUE(r, DRAINING), 100, 0);
    free(heights);
    heights = make(201, 201, 1, 1, funnel);
    r = measure(heights, 201, 201, 1, 1, NO_SEA);
    close_to(VALUE(r, PITS), one, 1e-12);
    close_to(VALUE(r, DEEP_PITS), one, 1e-12);
    close_to(VALUE(r, PEAKS), 0, 0);
    assert_true(VALUE(r, DRAINING) < 30); /* all but the corners */
    heights[100 * 201 + 100] = NAN;       /* and so all water finds a cell without data */
    r = measure(heights, 201, 201, 1, 1, NO_SEA);
    close_to(VALUE(r, DRAINING), 100, 0);
    close_to(VALUE(r, PITS), 0, 0);
    free(heights);
}

/* --- pits --- */

/* Pits of 0.5 and 2 m in turns, five cells apart, on a slope. Pairs of equal cells are one pit. */
static void a_checkerboard_of_pits_is_counted(void **state) {
    (void)state;
    enum { W = 101, H = 51, ACROSS = 19, DOWN = 9 };
    float *heights = allocate(W, H);
    for (int i = 0; i < W * H; i++) heights[i] = 100 + 0.0625f * (float)(i % W);
    for (int j = 1; j <= DOWN; j++) {
        for (int i = 1; i <= ACROSS; i++) {
            float *pit = &heights[5 * j * W + 5 * i];
            /* water leaves a pit in the column before it, a step below */
            pit[0] = pit[1] = pit[0] - 0.0625f - ((i + j) % 2 == 0 ? 0.5f : 2.0f);
        }
    }
    const wadi_realism r = measure(heights, W, H, 1, 1, NO_SEA);
    close_to(VALUE(r, PITS), 1e4 * ACROSS * DOWN / (W * H), 1e-9);
    close_to(VALUE(r, DEEP_PITS), 1e4 * (ACROSS * DOWN / 2) / (W * H), 1e-9);
    for (int i = 0; i < W * H; i++) heights[i] = -heights[i];
    const wadi_realism turned = measure(heights, W, H, 1, 1, NO_SEA);
    close_to(VALUE(turned, PEAKS), VALUE(r, PITS), 0);
    close_to(VALUE(turned, HIGH_PEAKS), VALUE(r, DEEP_PITS), 0);
    close_to(VALUE(turned, PITS), VALUE(r, PEAKS), 0);
    free(heights);
}

/* Two pits share a basin: the shallower one is as deep as the saddle between them. */
static void a_pit_in_a_basin_ends_at_its_saddle(void **state) {
    (void)state;
    const float row[] = {9, 9, 1, 4, 3.5f, 9, 9};
    float heights[7 * 3];
    for (int i = 0; i < 7; i++) heights[i] = heights[14 + i] = 9, heights[7 + i] = row[i];
    const wadi_realism r = measure(heights, 7, 3, 1, 1, NO_SEA);
    close_to(VALUE(r, PITS), 1e4 * 2 / 21, 1e-9);
    close_to(VALUE(r, DEEP_PITS), 1e4 * 1 / 21, 1e-9);
}

/* A valley of 2600 cells with a hollow of nine cells near its end. 100 mm of rain fill it up to 29 m. */
static void a_hollow_that_rain_fills_is_open(void **state) {
    (void)state;
    enum { W = 200, H = 13 };
    float *heights = allocate(W, H);
    for (int depth = 1; depth <= 41; depth += 10) {
        for (int i = 0; i < W * H; i++) heights[i] = (float)(abs(i / W - 6) * 4) + 0.25f * (float)(W - i % W);
        for (int y = 5; y < 8; y++)
            for (int x = W - 6; x < W - 3; x++) heights[y * W + x] = 0.75f - (float)depth;
        const wadi_realism r = measure(heights, W, H, 1, 1, NO_SEA);
        close_to(VALUE(r, DEEP_PITS), depth > 1 ? 1e4 / (W * H) : 0, 1e-9);
        if (depth < 29) close_to(VALUE(r, DRAINING), 100, 0);
        if (depth > 29) assert_true(VALUE(r, DRAINING) < 5);
    }
    free(heights);
}

/* --- rivers --- */

/* The steady state of stream power: the fall to the next cell is distance * area^-theta. It is found in turns: heights
 * from areas, and areas from heights, as in Braun, Willett 2013. */
enum { SIDE = 128 };

typedef struct steady {
    double heights[SIDE * SIDE];
    int receivers[SIDE * SIDE], order[SIDE * SIDE];
    double areas[SIDE * SIDE];
} steady;

static const double *ordered_by;
static int by_height(const void *a, const void *b) {
    const int i = *(const int *)a, j = *(const int *)b;
    const double x = ordered_by[i], y = ordered_by[j];
    return x != y ? (x > y) - (x < y) : i - j;
}

static double distance(int a, int b) { return a % SIDE != b % SIDE && a / SIDE != b / SIDE ? sqrt(2) : 1; }

static int steepest(const steady *s, int cell) {
    const int x = cell % SIDE, y = cell / SIDE;
    if (x == 0 || y == 0 || x == SIDE - 1 || y == SIDE - 1) return cell;
    int best = cell;
    double slope = 0;
    for (int j = y - 1; j <= y + 1; j++) {
        for (int i = x - 1; i <= x + 1; i++) {
            const int there = j * SIDE + i;
            if (there == cell) continue;
            const double fall = (s->heights[cell] - s->heights[there]) / distance(cell, there);
            if (fall > slope) slope = fall, best = there;
        }
    }
    return best;
}

static void settle(steady *s, double theta) {
    for (int i = 0; i < SIDE * SIDE; i++) {
        s->receivers[i] = steepest(s, i);
        s->order[i] = i;
        s->areas[i] = 1;
    }
    ordered_by = s->heights;
    qsort(s->order, SIDE * SIDE, sizeof *s->order, by_height);
    for (int i = SIDE * SIDE - 1; i >= 0; i--) {
        const int cell = s->order[i];
        if (s->receivers[cell] != cell) s->areas[s->receivers[cell]] += s->areas[cell];
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        const int cell = s->order[i], to = s->receivers[cell];
        if (to == cell)
            s->heights[cell] = 0;
        else
            s->heights[cell] = s->heights[to] + 10 * distance(cell, to) * pow(s->areas[cell], -theta);
    }
}

static int octave(double area) { return area < 16 ? -1 : (int)floor(log2(area / 16)); }

/* Hack's exponent of the network, as realism.h defines it, from a threshold of 16 cells. */
static double hack_of(const steady *s) {
    static double lengths[SIDE * SIDE];
    double count[20] = {0}, x[20] = {0}, y[20] = {0}, n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    memset(lengths, 0, sizeof lengths);
    for (int i = SIDE * SIDE - 1; i >= 0; i--) {
        const int cell = s->order[i], to = s->receivers[cell], bin = octave(s->areas[cell]);
        if (to != cell) lengths[to] = fmax(lengths[to], lengths[cell] + distance(cell, to));
        if (bin < 0 || (to != cell && octave(s->areas[to]) == bin)) continue;
        count[bin] += 1, x[bin] += log(s->areas[cell]), y[bin] += log(lengths[cell]);
    }
    for (int i = 0; i < 20; i++) {
        if (count[i] < 8) continue;
        n += 1, x[i] /= count[i], y[i] /= count[i];
        sx += x[i], sy += y[i], sxx += x[i] * x[i], sxy += x[i] * y[i];
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* From a pyramid with a little noise. hack: NULL, or gets the exponent of its network. */
static float *make_steady(double theta, double *hack) {
    steady *s = malloc(sizeof *s);
    float *heights = allocate(SIDE, SIDE), *noise = allocate(SIDE, SIDE);
    assert_non_null(s);
    wadi_terrain terrain = wadi_default_terrain("random", SIDE, SIDE);
    terrain.relief_m = 0.3;
    assert_int_equal(wadi_terrain_generate(&terrain, noise), WADI_OK);
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double x = fmin(i % SIDE, SIDE - 1 - i % SIDE), y = fmin((int)(i / SIDE), SIDE - 1 - (int)(i / SIDE));
        s->heights[i] = fmin(x, y) + (double)noise[i];
    }
    for (int turn = 0; turn < 60; turn++) settle(s, theta);
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] = (float)s->heights[i];
    if (hack != NULL) *hack = hack_of(s);
    free(noise);
    free(s);
    return heights;
}

static void stream_power_has_its_exponents(void **state) {
    (void)state;
    for (int i = 0; i < 3; i++) {
        const double theta = 0.35 + 0.1 * i;
        double hack = 0;
        float *heights = make_steady(theta, &hack);
        const wadi_realism r = measure(heights, SIDE, SIDE, 1, 1, NO_SEA);
        close_to(VALUE(r, CONCAVITY), theta, 0.02 * theta);
        close_to(VALUE(r, HACK), hack, 0.01); /* border cells may drain along the border there */
        assert_true(hack > 0.6 && hack < 0.75);
        close_to(VALUE(r, DRAINING), 100, 0);
        close_to(VALUE(r, DEEP_PITS), 0, 0);
        free(heights);
    }
}

/* Cells of another size: lengths, areas and heights grow alike, and the measures without a unit stay. */
static void measures_have_no_scale(void **state) {
    (void)state;
    float *heights = make_steady(0.45, NULL);
    const wadi_realism r = measure(heights, SIDE, SIDE, 1, 1, NO_SEA);
    for (int i = 0; i < SIDE * SIDE; i++) heights[i] *= 32;
    const wadi_realism large = measure(heights, SIDE, SIDE, 32, 32, NO_SEA);
    static const wadi_measure same[] = {WADI_MEASURE_CONCAVITY, WADI_MEASURE_HACK, WADI_MEASURE_HYPSOMETRY,
                                        WADI_MEASURE_NETWORK, WADI_MEASURE_AXIS_POWER};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) close_to(large.values[same[i]], r.values[same[i]], 1e-6);
    close_to(VALUE(large, DENSITY), VALUE(r, DENSITY) / 32, 1e-6);
    free(heights);
}

/* --- the sea --- */

/* A cone of 100 m is an island. Beyond the coast all is sea, but for a hollow that does not reach it. */
static void the_sea_is_left_out(void **state) {
    (void)state;
    enum { N = 201 };
    float *heights = make(N, N, 1, 1, cone);
    heights[100 * N + 100] = -5;
    uint64_t land = 0;
    for (int i = 0; i < N * N; i++) land += heights[i] > 60 || i == 100 * N + 100;
    const wadi_realism r = measure(heights, N, N, 1, 1, 60);
    close_to(r.drainage.area_km2, (double)land * 1e-6, 1e-15);
    close_to(VALUE(r, PITS), 1e4 / (double)land, 1e-9);
    /* the crater's rim is a ring; the pit takes only the water of its eight neighbours */
    assert_true(VALUE(r, DRAINING) > 99 && VALUE(r, DRAINING) < 100);
    heights[10 * N + 10] = NAN; /* beyond the coast */
    const wadi_realism holed = measure(heights, N, N, 1, 1, 60);
    assert_memory_equal(&holed, &r, sizeof r);
    heights[100 * N + 101] = NAN; /* beside the hollow, which so becomes sea */
    const wadi_realism crater = measure(heights, N, N, 1, 1, 60);
    close_to(crater.drainage.area_km2, (double)(land - 2) * 1e-6, 1e-15);
    close_to(VALUE(crater, PITS), 0, 0);
    close_to(VALUE(crater, DRAINING), 100, 0);
    const wadi_realism drowned = measure(heights, N, N, 1, 1, 1000);
    assert_true(drowned.drainage.area_km2 == 0 && isnan(VALUE(drowned, DRAINING)) && isnan(VALUE(drowned, PITS)));
    free(heights);
}

/* --- directions --- */

/* A sum of waves of 3 to 30 cells. Of `folds` directions in a turn, those at 0 turned have `ratio` times the power of
 * those between them. */
static float *make_waves(int width, int height, int folds, double ratio, double turn) {
    float *heights = allocate(width, height);
    memset(heights, 0, (size_t)width * (size_t)height * sizeof *heights);
    enum { WAVES = 1500 };
    uint64_t seed = 7;
    for (int wave = 0; wave < WAVES; wave++) {
        double random[3];
        for (int i = 0; i < 3; i++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            random[i] = (double)(seed >> 11) * 0x1p-53;
        }
        const double angle = 2 * acos(-1) * (wave + random[0]) / WAVES, length = 3 * pow(10, random[1]);
        const double k = 2 * acos(-1) / length, phase = 2 * acos(-1) * random[2];
        const double amplitude = length * pow(ratio, 0.25 * cos(folds * (angle - turn)));
        const double turn_c = cos(k * cos(angle)), turn_s = sin(k * cos(angle));
        for (int y = 0; y < height; y++) {
            double c = amplitude * cos(k * sin(angle) * y + phase), s = amplitude * sin(k * sin(angle) * y + phase);
            for (int x = 0; x < width; x++) {
                heights[y * width + x] += (float)c;
                const double next = c * turn_c - s * turn_s;
                s = s * turn_c + c * turn_s;
                c = next;
            }
        }
    }
    return heights;
}

static double axis_power(int width, int height, double ratio, double turn) {
    float *heights = make_waves(width, height, 4, ratio, turn);
    const wadi_realism r = measure(heights, width, height, 3, 3, NO_SEA);
    free(heights);
    return VALUE(r, AXIS_POWER);
}

static void directions_are_found(void **state) {
    (void)state;
    const double eighth = acos(-1) / 4;
    /* 1500 waves alone are no even noise; what they have by chance is in all of these alike */
    const double even = axis_power(300, 260, 1, 0);
    close_to(even, 1, 0.2);
    /* 4 at the middle of the sectors, and so 3.7 in their mean; windows blur it a little */
    close_to(axis_power(300, 260, 4, 0) / even, 3.5, 0.3);
    close_to(even / axis_power(300, 260, 4, eighth), 3.5, 0.3);
    close_to(axis_power(300, 260, 4, eighth / 2) / even, 1, 0.1);
    assert_true(axis_power(131, 67, 4, 0) > 2); /* odd sizes, small tiles */
    /* a wide valley, whose ends at the tile's sides do not match */
    float *heights = make_waves(300, 260, 4, 1, 0);
    for (int i = 0; i < 300 * 260; i++)
        heights[i] =
            0.001f * heights[i] + 1000 * (float)cos(0.04 * (i % 300)) + 1000 * (float)cos(0.04 * (int)(i / 300));
    close_to(VALUE(measure(heights, 300, 260, 3, 3, NO_SEA), AXIS_POWER), even, 0.05);
    free(heights);
}

static double grid_power(double ratio, double turn) {
    float *heights = make_waves(300, 260, 8, ratio, turn);
    const wadi_realism r = measure(heights, 300, 260, 3, 3, NO_SEA);
    free(heights);
    return VALUE(r, GRID_POWER);
}

static void eight_directions_are_found(void **state) {
    (void)state;
    const double sixteenth = acos(-1) / 8, even = grid_power(1, 0);
    close_to(even, 1, 0.1);
    /* the mean of 4^(cos / 2) over the inner half of each sector by that over the outer half: 2.4 */
    close_to(grid_power(4, 0) / even, 2.4, 0.2);
    close_to(even / grid_power(4, sixteenth), 2.4, 0.2);
    close_to(grid_power(4, sixteenth / 2) / even, 1, 0.1);
}

/* White noise has no direction, and a pit in every ninth cell: the lowest of nine. */
static void white_noise(void **state) {
    (void)state;
    enum { N = 512 };
    float *heights = allocate(N, N);
    uint64_t seed = 1;
    for (int i = 0; i < N * N; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        heights[i] = (float)(seed >> 40) * 0x1p-14f;
    }
    const wadi_realism r = measure(heights, N, N, 1, 1, NO_SEA);
    close_to(VALUE(r, PITS), 1e4 / 9, 25); /* the standard error is 4, and border cells are none */
    close_to(VALUE(r, PEAKS), 1e4 / 9, 25);
    close_to(VALUE(r, AXIS_POWER), 1, 0.05);
    close_to(VALUE(r, GRID_POWER), 1, 0.03);
    assert_true(VALUE(r, DRAINING) < 5);
    free(heights);
}

/* --- small, flat and empty maps, threads --- */

static void all_none_or_zero(const wadi_realism *r) {
    for (int i = 0; i < WADI_MEASURES; i++)
        if (i != WADI_MEASURE_DRAINING) assert_true(isnan(r->values[i]) || r->values[i] == 0);
}

static void small_flat_and_empty_maps(void **state) {
    (void)state;
    const float none[] = {NAN, NAN, INFINITY, NAN}, one = 3;
    wadi_realism r = measure(none, 2, 2, 1, 1, NO_SEA);
    all_none_or_zero(&r);
    assert_true(isnan(VALUE(r, DRAINING)) && isnan(VALUE(r, PITS)));
    r = measure(&one, 1, 1, 1, 1, NO_SEA);
    all_none_or_zero(&r);
    close_to(VALUE(r, DRAINING), 100, 0);
    float *heights = allocate(64, 48);
    for (int i = 0; i < 64 * 48; i++) heights[i] = i == 0 ? -0.0f : 0;
    r = measure(heights, 64, 48, 1, 1, NO_SEA);
    assert_true(isnan(VALUE(r, CONCAVITY)) && isnan(VALUE(r, HYPSOMETRY)) && isnan(VALUE(r, AXIS_POWER)));
    assert_true(VALUE(r, PITS) == 0 && VALUE(r, PEAKS) == 0 && VALUE(r, DRAINING) == 100);
    free(heights);
    assert_int_equal(wadi_realism_of(&one, 0, 1, 1, 1, NO_SEA, 0, &r), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_realism_of(&one, 1, 1, 0, 1, NO_SEA, 0, &r), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_realism_of(&one, 1, 1, 1, 1, (double)NAN, 0, &r), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_realism_of(&one, 1, 1, 1, 1, 0, -1, &r), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_realism_of(NULL, 1, 1, 1, 1, 0, 0, &r), WADI_ERROR_ARGUMENT);
    assert_int_equal(wadi_realism_of(&one, 1, 1, 1, 1, 0, 0, NULL), WADI_ERROR_ARGUMENT);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    enum { W = 97, H = 331 };
    wadi_terrain terrain = wadi_default_terrain("diamond-square", W, H);
    float *heights = allocate(W, H);
    assert_int_equal(wadi_terrain_generate(&terrain, heights), WADI_OK);
    for (int i = 0; i < W * H; i += 701) heights[i] = NAN;
    wadi_realism first = {.drainage = {0}};
    const int before = omp_get_max_threads();
    for (int threads = 1; threads < 5; threads++) {
        omp_set_num_threads(threads);
        const wadi_realism r = measure(heights, W, H, 3, 2, 10);
        if (threads == 1) first = r;
        assert_memory_equal(&first, &r, sizeof r);
    }
    omp_set_num_threads(before);
    free(heights);
}

static void the_table_names_each_measure_once(void **state) {
    (void)state;
    assert_null(wadi_measure_about(WADI_MEASURES));
    for (int i = 0; i < WADI_MEASURES; i++) {
        const wadi_measure_info *about = wadi_measure_about((wadi_measure)i);
        assert_true(*about->name && *about->title && *about->meaning && about->real_from <= about->real_to);
        for (int j = 0; j < i; j++) assert_string_not_equal(about->name, wadi_measure_about((wadi_measure)j)->name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plane_has_parallel_streams),
        cmocka_unit_test(a_cone_is_a_peak_and_a_funnel_a_pit),
        cmocka_unit_test(a_checkerboard_of_pits_is_counted),
        cmocka_unit_test(a_pit_in_a_basin_ends_at_its_saddle),
        cmocka_unit_test(a_hollow_that_rain_fills_is_open),
        cmocka_unit_test(stream_power_has_its_exponents),
        cmocka_unit_test(measures_have_no_scale),
        cmocka_unit_test(the_sea_is_left_out),
        cmocka_unit_test(directions_are_found),
        cmocka_unit_test(eight_directions_are_found),
        cmocka_unit_test(white_noise),
        cmocka_unit_test(small_flat_and_empty_maps),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(the_table_names_each_measure_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
