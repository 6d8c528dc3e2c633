#include "grid_fit.h"

#include "array.h"

#include "wadi/warp.h"

#include <math.h>
#include <stdlib.h>

const char *const run_grid_fit_names[] = {"resample", "crop", NULL};

/* The samples that make one of another row or column, and their weights. */
enum { MOST_TAPS = 64 };
typedef struct taps {
    int first, count;
    double weights[MOST_TAPS];
} taps;

/* Catmull and Rom's cubic: it goes through the samples. */
static double cubic(double x) {
    x = fabs(x);
    if (x < 1) return (1.5 * x - 2.5) * x * x + 1;
    return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0;
}

static double tent(double x) { return fmax(1 - fabs(x), 0); }

/* A sample beyond the border goes on in a straight line: twice that at the border, less that on the other side. */
static void add_weight(taps *t, int k, int from, double weight) {
    const int border = k < 0 ? 0 : from - 1;
    if (k >= 0 && k < from) {
        t->weights[k - t->first] += weight;
    } else if (abs(k - border) < from) {
        t->weights[border - t->first] += 2 * weight;
        t->weights[2 * border - k - t->first] -= weight;
    }
}

/* A step of more than 31 samples takes the nearest ones alone. */
static taps taps_at(int i, int from, int to) {
    const double step = to > 1 ? (double)(from - 1) / (to - 1) : 0;
    const double at = fmin(i * step, from - 1); /* rounding would go beyond the last one */
    const double reach = step <= 1 ? 2 : fmin(step, 0.5 * MOST_TAPS - 1);
    const int low = (int)ceil(at - reach), high = (int)floor(at + reach);
    taps t = {.first = low > 0 ? low : 0};
    t.count = (high < from - 1 ? high : from - 1) - t.first + 1;
    for (int k = low; k <= high; k++) add_weight(&t, k, from, step <= 1 ? cubic(k - at) : tent((k - at) / reach));
    return t;
}

static float nearest(const wadi_raster *r, double x, double y) {
    return r->values[(size_t)(y + 0.5) * (size_t)r->width + (size_t)(x + 0.5)];
}

/* Cells without data do not count; where the nearest one has none, there is none. */
static float sample(const wadi_raster *from, const taps *across, const taps *down, float near) {
    double sum = 0, weights = 0;
    if (isnan(near)) return NAN;
    for (int j = 0; j < down->count; j++)
        for (int i = 0; i < across->count; i++) {
            const float value =
                from->values[(size_t)(down->first + j) * (size_t)from->width + (size_t)(across->first + i)];
            if (isnan(value)) continue;
            sum += down->weights[j] * across->weights[i] * (double)value;
            weights += down->weights[j] * across->weights[i];
        }
    return weights > 1e-6 ? (float)(sum / weights) : near;
}

static wadi_status resample(const wadi_raster *from, wadi_raster *to) {
    taps *across = run_array_new((size_t)to->width, sizeof *across);
    if (!across) return WADI_ERROR_MEMORY;
    for (int x = 0; x < to->width; x++) across[x] = taps_at(x, from->width, to->width);
    const double sx = (double)(from->width - 1) / (to->width - 1), sy = (double)(from->height - 1) / (to->height - 1);
#pragma omp parallel for schedule(static)
    for (int y = 0; y < to->height; y++) {
        const taps down = taps_at(y, from->height, to->height);
        for (int x = 0; x < to->width; x++)
            to->values[(size_t)y * (size_t)to->width + (size_t)x] =
                sample(from, &across[x], &down, nearest(from, x * sx, y * sy));
    }
    free(across);
    return WADI_OK;
}

wadi_status run_grid_fit(const wadi_raster *from, int width, int height, grid_fit fit, wadi_raster **made) {
    *made = NULL;
    if (fit == FIT_CROP || (width == from->width && height == from->height)) {
        if (width <= from->width && height <= from->height)
            return wadi_raster_clip(from, (from->width - width) / 2, (from->height - height) / 2, width, height, made);
        return wadi_fail(WADI_ERROR_ARGUMENT, "%d x %d samples cannot be cropped out of %d x %d; --fit resample", width,
                         height, from->width, from->height);
    }
    wadi_status status = wadi_raster_create(width, height, made);
    if (status != WADI_OK) return status;
    (*made)->lx = from->lx * (from->width - 1) / (width - 1);
    (*made)->ly = from->ly * (from->height - 1) / (height - 1);
    status = resample(from, *made);
    if (status == WADI_OK) return WADI_OK;
    wadi_raster_destroy(*made);
    *made = NULL;
    return status;
}
