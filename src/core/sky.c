/* sky.c: ambient occlusion by horizons: the share of light from an even sky that reaches level ground. In each of 16
 * directions the horizon is sought at growing distances, between the cells by bilinear interpolation. */
#include "core/sky.h"
#include "core/series.h"
#include "core/strict.h"

#include <math.h>

enum { DIRECTIONS = 16 };
#define GROWTH 1.2 /* from one distance to the next, but by half a cell at least */

static double height_at(const wadi_derive_def *d, int x, int y) {
    return (double)d->heights[(size_t)y * (size_t)d->width + (size_t)x];
}

/* NaN beyond the border, and next to cells without data. */
static double height_between(const wadi_derive_def *d, double x, double y) {
    if (!(x >= 0 && y >= 0 && x <= d->width - 1 && y <= d->height - 1)) return (double)NAN;
    const int i = (int)x, j = (int)y, right = i + 1 < d->width ? i + 1 : i, below = j + 1 < d->height ? j + 1 : j;
    const double u = x - i, v = y - j;
    const double upper = height_at(d, i, j) + u * (height_at(d, right, j) - height_at(d, i, j));
    const double lower = height_at(d, i, below) + u * (height_at(d, right, below) - height_at(d, i, below));
    return upper + v * (lower - upper);
}

/* The tangent of the horizon's angle in a direction, in cells for each cell of way; 0 or more. */
static double horizon(const wadi_derive_def *d, int x, int y, double east, double south, int reach) {
    const double ground = height_at(d, x, y),
                 metres = sqrt(east * east * d->lx * d->lx + south * south * d->ly * d->ly);
    double tangent = 0;
    for (double far = 1; far <= reach; far += far * (GROWTH - 1) > 0.5 ? far * (GROWTH - 1) : 0.5) {
        const double there = height_between(d, x + far * east, y + far * south);
        if (isnan(there)) break;
        const double rise = (there - ground) / (far * metres);
        if (rise > tangent) tangent = rise;
    }
    return tangent;
}

/* Level ground under an even sky gets, from each direction, the cosine squared of the horizon's angle. */
static double light_at(const wadi_derive_def *d, const double (*ways)[2], int x, int y, int reach) {
    double sum = 0;
    for (int i = 0; i < DIRECTIONS; i++) {
        const double t = horizon(d, x, y, ways[i][0], ways[i][1], reach);
        sum += 1 / (1 + t * t);
    }
    return sum / DIRECTIONS;
}

void wadi_sky_map(const wadi_derive_def *d, int reach, float *values) {
    double ways[DIRECTIONS][2];
    for (int i = 0; i < DIRECTIONS; i++) wadi_turn((double)i / DIRECTIONS, &ways[i][0], &ways[i][1]);
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(dynamic, 8)
        for (int y = 0; y < d->height; y++)
            for (int x = 0; x < d->width; x++) {
                float *value = values + (size_t)y * (size_t)d->width + (size_t)x;
                *value = isfinite(height_at(d, x, y)) ? (float)light_at(d, (const double(*)[2])ways, x, y, reach) : NAN;
            }
    }
}
