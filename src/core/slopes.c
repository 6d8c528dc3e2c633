/* slopes.c: the slope histogram and the hypsometric curve. Counts are integers and sums are added row by row, so that
 * any number of threads gives the same bits. Angles come from the project's own series, because libms differ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/need.h"
#include "core/series.h"
#include "core/slopes.h"
#include "core/strict.h"
#include "wadi/analysis.h"

wadi_status wadi_check_figures(const float *heights, int width, int height, double lx, double ly) {
    WADI_NEED(heights);
    if (width < 1 || height < 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a map of %dx%d cells has no figures", width, height);
    if (!(lx > 0 && lx <= 1e12 && ly > 0 && ly <= 1e12))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a cell of %g x %g m cannot be; use sizes above 0", lx, ly);
    return WADI_OK;
}

typedef struct row_slopes {
    uint64_t bins[WADI_SLOPE_BINS];
    double sum, steepest; /* degrees */
} row_slopes;

typedef struct slope_map {
    const float *heights;
    int width, height;
    double lx, ly;
    double tangents[WADI_SLOPE_BINS]; /* tangents of 0, 1, ... degrees */
} slope_map;

static double height_at(const slope_map *m, int x, int y) {
    if (x < 0 || y < 0 || x >= m->width || y >= m->height) return (double)NAN;
    const float value = m->heights[(size_t)y * (size_t)m->width + (size_t)x];
    return isfinite(value) ? (double)value : (double)NAN;
}

/* From both neighbours, or from the one that exists. */
static double gradient(double before, double here, double after, double cell) {
    const bool has_before = !isnan(before), has_after = !isnan(after);
    if (has_before && has_after) return (after - before) / (2 * cell);
    return has_after ? (after - here) / cell : has_before ? (here - before) / cell : 0;
}

/* The bin of a slope: the last whole degree whose tangent is at most the slope's. */
static int bin_of(const slope_map *m, double tangent) {
    int low = 0, high = WADI_SLOPE_BINS;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (m->tangents[middle] <= tangent) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* In degrees: the whole degree below, plus the remainder (at most 1 degree) by its series. In the last bin: 90 minus
 * the remainder. */
static double degrees_of(const slope_map *m, double tangent, int bin) {
    const double t = m->tangents[bin];
    const double rest = bin < WADI_SLOPE_BINS - 1 ? (tangent - t) / (1 + tangent * t) : 1 / tangent,
                 square = rest * rest;
    const double angle = rest * (1 - square * (1.0 / 3 - square * (1.0 / 5 - square * (1.0 / 7 - square / 9))));
    const double degrees = angle * 57.295779513082321;
    return bin < WADI_SLOPE_BINS - 1 ? bin + degrees : 90 - degrees;
}

static void add_row(const slope_map *m, int y, row_slopes *row) {
    *row = (row_slopes){0};
    for (int x = 0; x < m->width; x++) {
        const double here = height_at(m, x, y);
        if (isnan(here)) continue;
        const double gx = gradient(height_at(m, x - 1, y), here, height_at(m, x + 1, y), m->lx);
        const double gy = gradient(height_at(m, x, y - 1), here, height_at(m, x, y + 1), m->ly);
        const double tangent = sqrt(gx * gx + gy * gy);
        const int bin = bin_of(m, tangent);
        const double degrees = degrees_of(m, tangent, bin);
        row->bins[bin]++;
        row->sum += degrees;
        row->steepest = degrees > row->steepest ? degrees : row->steepest;
    }
}

static double median_of(const wadi_slopes *slopes) {
    uint64_t below = 0;
    for (int i = 0; i < WADI_SLOPE_BINS; i++) {
        if (2 * (below + slopes->bins[i]) >= slopes->cells && slopes->bins[i] > 0)
            return i + (0.5 * (double)slopes->cells - (double)below) / (double)slopes->bins[i];
        below += slopes->bins[i];
    }
    return 0;
}

wadi_status wadi_slope_histogram(const float *heights, int width, int height, double lx, double ly,
                                 wadi_slopes *slopes) {
    WADI_IEEE_MODE;
    WADI_NEED(slopes);
    *slopes = (wadi_slopes){0};
    if (wadi_check_figures(heights, width, height, lx, ly) != WADI_OK) return WADI_ERROR_ARGUMENT;
    row_slopes *rows = malloc((size_t)height * sizeof *rows);
    if (rows == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the slopes of %d rows", height);
    slope_map map = {heights, width, height, lx, ly, {0}};
    for (int i = 0; i < WADI_SLOPE_BINS; i++) {
        double cosine, sine;
        wadi_turn(i / 360.0, &cosine, &sine);
        map.tangents[i] = i == 45 ? 1 : sine / cosine;
    }
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < height; y++) add_row(&map, y, &rows[y]);
    }
    for (int y = 0; y < height; y++) {
        for (int i = 0; i < WADI_SLOPE_BINS; i++) {
            slopes->bins[i] += rows[y].bins[i];
            slopes->cells += rows[y].bins[i];
        }
        slopes->mean += rows[y].sum;
        slopes->steepest = rows[y].steepest > slopes->steepest ? rows[y].steepest : slopes->steepest;
    }
    free(rows);
    if (slopes->cells > 0) slopes->mean /= (double)slopes->cells;
    slopes->median = fmin(median_of(slopes), slopes->steepest);
    return WADI_OK;
}

wadi_status wadi_hypsometry(const float *heights, int width, int height, wadi_hypsometric_curve *curve) {
    WADI_IEEE_MODE;
    WADI_NEED(curve);
    *curve = (wadi_hypsometric_curve){0};
    if (wadi_check_figures(heights, width, height, 1, 1) != WADI_OK) return WADI_ERROR_ARGUMENT;
    const size_t count = (size_t)width * (size_t)height;
    const wadi_range range = wadi_range_of(heights, count);
    const uint64_t cells = count - range.missing - range.infinite;
    if (cells == 0) return WADI_OK;
    enum { LAST = WADI_HYPSOMETRY_POINTS - 1 };
    uint64_t bins[WADI_HYPSOMETRY_POINTS] = {0}; /* cells, counted at the last point that they reach */
    curve->lowest = (double)range.minimum;
    curve->highest = (double)range.maximum;
    const double span = curve->highest - curve->lowest;
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static) reduction(+ : bins[:WADI_HYPSOMETRY_POINTS])
        for (size_t i = 0; i < count; i++) {
            if (!isfinite(heights[i])) continue;
            const double share = span > 0 ? ((double)heights[i] - curve->lowest) / span : 0;
            bins[(int)(share * LAST + 1e-9)]++; /* a height exactly on a point must not round down */
        }
    }
    uint64_t above = 0;
    for (int i = LAST; i >= 0; i--) {
        above += bins[i];
        curve->above[i] = (double)above / (double)cells;
    }
    if (span > 0) curve->integral = (range.mean - curve->lowest) / span;
    return WADI_OK;
}
