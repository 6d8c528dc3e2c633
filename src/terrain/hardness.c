/* hardness.c: a hardness map from the height (Jako, Toth 2011): scaled height and noise, blurred by a Gaussian.
 *
 * The blur is separable and ignores missing cells: values and weights are blurred in the same way and divided at the
 * end. Cells beyond the border are missing too, unless the map is periodic. The map is blurred in place, a band of rows
 * after the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/need.h"
#include "core/series.h"
#include "core/strict.h"
#include "terrain/kinds.h"
#include "wadi/analysis.h"

wadi_hardness wadi_default_hardness(int width, int height) {
    return (wadi_hardness){.width = width, .height = height, .low = 0.1, .high = 0.9, .noise = 0.4, .blur_cells = 2};
}

static wadi_status check(const wadi_hardness *h) {
    if (h->width < 1 || h->height < 1) {
        return wadi_fail(WADI_ERROR_ARGUMENT, "a hardness map of %dx%d cells cannot be", h->width, h->height);
    }
    if (!(h->low >= 0 && h->low <= 1 && h->high >= 0 && h->high <= 1)) {
        return wadi_fail(WADI_ERROR_ARGUMENT, "hardness from %g to %g is outside 0 to 1", h->low, h->high);
    }
    if (!(h->noise >= 0 && h->noise <= 1)) {
        return wadi_fail(WADI_ERROR_ARGUMENT, "hardness noise %g is outside 0 to 1", h->noise);
    }
    if (!(h->blur_cells >= 0 && h->blur_cells <= 1000)) {
        return wadi_fail(WADI_ERROR_ARGUMENT, "a blur of %g cells is outside 0 to 1000", h->blur_cells);
    }
    return WADI_OK;
}

/* Height scaled to low..high (a flat map: their mean) and uniform noise of -noise to noise. */
static void scale_row(const wadi_hardness *h, wadi_range range, const float *heights, float *values, int y) {
    const double span = (double)range.maximum - (double)range.minimum;
    for (int x = 0; x < h->width; x++) {
        const size_t i = (size_t)y * (size_t)h->width + (size_t)x;
        const double share = span > 0 ? ((double)heights[i] - (double)range.minimum) / span : 0.5;
        const wadi_random4 words = wadi_philox((wadi_u32)x, (wadi_u32)y, 0, WADI_STREAM_HARDNESS, (wadi_u32)h->seed,
                                               (wadi_u32)(h->seed >> 32));
        const double random = 2 * (double)wadi_unit_float(words.v[0]) - 1;
        values[i] = isfinite(heights[i]) ? (float)(h->low + (h->high - h->low) * share + h->noise * random) : NAN;
    }
}

/* weights[k] = exp(-k^2 / (2 sigma^2)) for k = 0..radius, each from the one before. */
static void make_weights(double sigma, int radius, double *weights) {
    const double first = wadi_falling_exp(0.5 / (sigma * sigma));
    double ratio = first;
    weights[0] = 1;
    for (int k = 1; k <= radius; k++) {
        weights[k] = weights[k - 1] * ratio;
        ratio *= first * first;
    }
}

typedef struct blur {
    const double *weights;
    int radius;
    int width, height;
    bool wrap;
} blur;

typedef struct weighted {
    float sum, weight;
} weighted;

/* The range of cells that are blurred into cell i of `size`. */
typedef struct window {
    int from, to;
} window;

static window window_of(const blur *b, int i, int size) {
    if (b->wrap) return (window){i - b->radius, i + b->radius};
    return (window){i < b->radius ? 0 : i - b->radius, size - 1 - i < b->radius ? size - 1 : i + b->radius};
}

static int around(int i, int size) { return i >= 0 && i < size ? i : ((i % size) + size) % size; }

static void blur_along_row(const blur *b, const float *row, weighted *out) {
    for (int x = 0; x < b->width; x++) {
        const window near = window_of(b, x, b->width);
        double sum = 0, weight = 0;
        for (int k = near.from; k <= near.to; k++) {
            const float there = row[around(k, b->width)];
            if (isnan(there)) continue;
            const double w = b->weights[abs(k - x)];
            sum += w * (double)there;
            weight += w;
        }
        out[x] = (weighted){(float)sum, (float)weight};
    }
}

static float clamp01(double value) { return value < 0 ? 0 : value > 1 ? 1 : (float)value; }

/* Rows that are blurred along, around a band of the map. */
typedef struct band {
    weighted *rows;  /* a ring */
    int count;       /* of rows */
    weighted *first; /* rows 0 to radius - 1 of a periodic map, which follow its last one */
} band;

enum { BAND = 256 };

static weighted *row_of(const blur *b, const band *band, int y) {
    return band->rows + (size_t)around(y, band->count) * (size_t)b->width;
}

/* Row y, which may lie outside a periodic map. `whole`: no row of `values` is blurred yet. */
static void add_row(const blur *b, const band *band, const float *values, bool whole, int y) {
    const size_t width = (size_t)b->width, on_map = (size_t)around(y, b->height);
    weighted *row = row_of(b, band, y);
    if (whole || y < b->height)
        blur_along_row(b, values + on_map * width, row);
    else
        memcpy(row, band->first + on_map * width, width * sizeof *row);
    if (band->first != NULL && y >= 0 && y < b->radius && y < b->height)
        memcpy(band->first + on_map * width, row, width * sizeof *row);
}

/* Row y of the blurred map, for cells with a value. */
static void blur_down_columns(const blur *b, const band *band, float *values, int y) {
    const window near = window_of(b, y, b->height);
    for (int x = 0; x < b->width; x++) {
        double sum = 0, weight = 0;
        for (int k = near.from; k <= near.to; k++) {
            const weighted *there = row_of(b, band, k) + x;
            sum += b->weights[abs(k - y)] * (double)there->sum;
            weight += b->weights[abs(k - y)] * (double)there->weight;
        }
        float *here = &values[(size_t)y * (size_t)b->width + (size_t)x];
        *here = isnan(*here) ? NAN : clamp01(sum / weight);
    }
}

static void blur_bands(const blur *b, const band *band, float *values) {
    int added = b->wrap ? -b->radius : 0;
    for (int first = 0; first < b->height; first += BAND) {
        const int end = b->height - first < BAND ? b->height : first + BAND;
        const int needed = b->wrap || b->height - end > b->radius ? end + b->radius : b->height;
#pragma omp parallel
        {
            WADI_IEEE_MODE;
#pragma omp for schedule(static)
            for (int y = added; y < needed; y++) add_row(b, band, values, first == 0, y);
#pragma omp for schedule(static)
            for (int y = first; y < end; y++) blur_down_columns(b, band, values, y);
        }
        added = needed;
    }
}

static wadi_status blur_map(const wadi_hardness *h, float *values) {
    const int longer = h->width > h->height ? h->width : h->height;
    const int radius = 3 * h->blur_cells < longer ? (int)ceil(3 * h->blur_cells) : longer;
    const size_t row_bytes = (size_t)h->width * sizeof(weighted);
    double *weights = malloc(((size_t)radius + 1) * sizeof *weights);
    band band = {.count = (h->height < BAND ? h->height : BAND) + 2 * radius};
    band.rows = malloc((size_t)band.count * row_bytes);
    if (h->wrap) band.first = malloc((size_t)(radius < h->height ? radius : h->height) * row_bytes + 1);
    const bool room = weights != NULL && band.rows != NULL && (!h->wrap || band.first != NULL);
    if (room && radius > 0) make_weights(h->blur_cells, radius, weights);
    if (room && radius == 0) weights[0] = 1;
    if (room) blur_bands(&(blur){weights, radius, h->width, h->height, h->wrap}, &band, values);
    free(weights);
    free(band.rows);
    free(band.first);
    if (room) return WADI_OK;
    return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a hardness map of %dx%d cells", h->width, h->height);
}

wadi_status wadi_hardness_from_height(const wadi_hardness *hardness, const float *heights, float *values) {
    WADI_IEEE_MODE;
    WADI_NEED(hardness);
    WADI_NEED(heights);
    WADI_NEED(values);
    const wadi_status checked = check(hardness);
    if (checked != WADI_OK) return checked;
    const wadi_range range = wadi_range_of(heights, (size_t)hardness->width * (size_t)hardness->height);
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < hardness->height; y++) scale_row(hardness, range, heights, values, y);
    }
    return blur_map(hardness, values);
}
