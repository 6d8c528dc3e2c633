/* voronoi.c: Voronoi terrain and the base terrain of Olsen 2004. Each square of a lattice has a random point. The
 * height is c1 d1 + c2 d2, with the distances d1 and d2 to the two nearest points. c1 = -1 and c2 = 1 give a peak at
 * every point. */
#include <math.h>
#include <stdlib.h>

#include "terrain/noise.h"

/* The lattice is infinite. Points are stored for the squares around the map, with a margin for displaced places. */
enum { SQUARES = 12, MARGIN = 6, REACH = 2, STORED = SQUARES + 2 * MARGIN };

typedef struct voronoi {
    double points[STORED][STORED][2]; /* row, column; in squares from the map's top left corner */
} voronoi;

static void place_points(const wadi_terrain *t, voronoi *points) {
    for (int j = 0; j < STORED; j++) {
        for (int i = 0; i < STORED; i++) {
            const int x = i - MARGIN, y = j - MARGIN;
            const wadi_random4 words = wadi_philox((wadi_u32)x, (wadi_u32)y, 0, WADI_STREAM_FEATURES, (wadi_u32)t->seed,
                                                   (wadi_u32)(t->seed >> 32));
            points->points[j][i][0] = x + (double)wadi_unit_float(words.v[0]);
            points->points[j][i][1] = y + (double)wadi_unit_float(words.v[1]);
        }
    }
}

static int square_of(double place) {
    const double square = floor(place) + MARGIN;
    return square < REACH ? REACH : square > STORED - 1 - REACH ? STORED - 1 - REACH : (int)square;
}

/* The second nearest point is in the square of the place or next to it, so less than 2 squares away. Points more than
 * two squares away cannot be nearer. */
static double second_less_nearest(const voronoi *points, double u, double v) {
    const double x = u * SQUARES, y = v * SQUARES;
    const int column = square_of(x), row = square_of(y);
    double nearest = HUGE_VAL, second = HUGE_VAL;
    for (int j = row - REACH; j <= row + REACH; j++) {
        for (int i = column - REACH; i <= column + REACH; i++) {
            const double dx = x - points->points[j][i][0], dy = y - points->points[j][i][1];
            const double square = dx * dx + dy * dy;
            if (square < nearest) {
                second = nearest;
                nearest = square;
            } else if (square < second) {
                second = square;
            }
        }
    }
    return sqrt(second) - sqrt(nearest);
}

static double voronoi_height(const void *context, double u, double v) { return second_less_nearest(context, u, v); }

wadi_status wadi_make_voronoi(const wadi_terrain *t, float *heights) {
    voronoi points;
    place_points(t, &points);
    wadi_fill_places(t, heights, voronoi_height, &points);
    return WADI_OK;
}

typedef struct base {
    voronoi points;
    wadi_noise noise;
    double noise_scale; /* scales the noise to a range of about 1 */
} base;

/* The field is sampled at displaced places (Olsen's perturbation), so that straight ridges bend and break. */
static double base_height(const void *context, double u, double v) {
    const base *b = context;
    const double magnitude = 0.25 * 2 * b->noise_scale; /* of a noise from -1 to 1 */
    const double x = u + magnitude * wadi_noise_sum(&b->noise, 0.6 * u, 0.6 * v, 1);
    const double y = v + magnitude * wadi_noise_sum(&b->noise, 0.6 * u, 0.6 * v, 2);
    const double noise = wadi_noise_sum(&b->noise, x, y, 0) * b->noise_scale;
    return noise * 2 / 3 + second_less_nearest(&b->points, 0.4 * x, 0.4 * y) / 3;
}

wadi_status wadi_make_base(const wadi_terrain *t, float *heights) {
    base *b = malloc(sizeof *b);
    if (b == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to generate a terrain");
    place_points(t, &b->points);
    wadi_noise_prepare(t, &b->noise);
    /* An octave's standard deviation is 0.35; a range is about 6 of the sum's. */
    const double r = t->roughness < 0.95 ? t->roughness : 0.95;
    b->noise_scale = sqrt(1 - r * r) / (6 * 0.35);
    wadi_fill_places(t, heights, base_height, b);
    free(b);
    return WADI_OK;
}
