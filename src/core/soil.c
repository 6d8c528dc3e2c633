/* soil.c: soil in steady state, after Pelletier and Rasmussen 2009. Bedrock becomes soil at the rate P0 exp(-h / h0).
 * Soil leaves convex ground at the rate D C / (1 - (S / S_c)^2), with the curvature C and the slope S. P0 / D and h0
 * are those of Heimsath and others 1997, S_c that of Roering and others 1999. */
#include "core/soil.h"
#include "core/series.h"
#include "core/strict.h"

#include <math.h>
#include <stdlib.h>

#define P0_BY_D 0.031 /* 1/m */
#define H0 0.43       /* m */
#define S_C2 1.5625   /* 1.25^2 */
#define DEEPEST 2.0   /* m: of hollows, which have no steady state */

/* The curvature is that of hillslopes: its mean over some cells, with weights that fall to 0 at this distance. */
#define LEAST_REACH 4 /* cells */
#define REACH_M 12.0
enum { MOST_REACH = 64 };

static int reach_of(double cell_m) {
    const double cells = ceil(REACH_M / cell_m);
    return cells < LEAST_REACH ? LEAST_REACH : cells < MOST_REACH ? (int)cells : MOST_REACH;
}

/* The weighted mean of `count` values, `step` apart, around the one at `at`. NaN does not count. */
static float mean_around(const float *values, size_t step, int count, int at, int reach) {
    double sum = 0, weights = 0;
    for (int i = at - reach + 1 > 0 ? at - reach + 1 : 0; i < at + reach && i < count; i++) {
        const float value = values[(size_t)i * step];
        const double weight = reach - abs(i - at);
        sum += isnan(value) ? 0 : weight * (double)value;
        weights += isnan(value) ? 0 : weight;
    }
    return weights > 0 ? (float)(sum / weights) : NAN;
}

/* Along x from one map to the other, then along y back. */
static void smooth(const wadi_surface *s, float *values, float *other) {
    const int reach_x = reach_of(s->lx), reach_y = reach_of(s->ly);
    const size_t width = (size_t)s->width;
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < s->height; y++)
            for (int x = 0; x < s->width; x++)
                other[(size_t)y * width + (size_t)x] = mean_around(values + (size_t)y * width, 1, s->width, x, reach_x);
#pragma omp for schedule(static)
        for (int y = 0; y < s->height; y++)
            for (int x = 0; x < s->width; x++)
                values[(size_t)y * width + (size_t)x] = mean_around(other + x, width, s->height, y, reach_y);
    }
}

static double depth_of(double convex, double tangent) {
    const double room = 1 - tangent * tangent / S_C2;
    if (!(room > 0)) return 0;
    if (!(convex > 0)) return DEEPEST;
    const double depth = H0 * wadi_log(P0_BY_D * room / convex);
    return depth > 0 ? fmin(depth, DEEPEST) : 0;
}

wadi_status wadi_soil_map(const wadi_surface *surface, float *values) {
    const size_t count = (size_t)surface->width * (size_t)surface->height;
    float *other = malloc(count * sizeof *other);
    if (other == NULL)
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for maps of %dx%d cells", surface->width,
                         surface->height);
    wadi_surface_map(surface, wadi_surface_curvature, values);
    smooth(surface, values, other);
    wadi_surface_map(surface, wadi_surface_tangent, other);
    for (size_t i = 0; i < count; i++)
        values[i] = isnan(other[i]) ? NAN : (float)depth_of((double)values[i], (double)other[i]);
    free(other);
    return WADI_OK;
}
