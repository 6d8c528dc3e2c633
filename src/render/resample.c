/* resample.c: separable resampling with a cubic kernel, rows first. The weighted mean leaves out cells without a value.
 * If they were filled, the edge of a hole would change its neighbours. */
#include "resample.h"
#include "core/strict.h"

#include <math.h>
#include <stdlib.h>

typedef struct axis {
    int count, taps; /* output positions, and input positions that each reads */
    int *first;
    float *weights;
} axis;

/* The cubics of Mitchell and Netravali 1988 with B + 2C = 1. B = 1/3 is sharp without visible ringing, and a wider one
 * averages. In a much enlarged picture its light shows the grid of cells; the softer B = 3/4 does not. */
static double cubic(double x, double b) {
    const double a = fabs(x), c = (1.0 - b) / 2.0;
    if (a < 1.0)
        return ((12.0 - 9.0 * b - 6.0 * c) * a * a * a + (-18.0 + 12.0 * b + 6.0 * c) * a * a + 6.0 - 2.0 * b) / 6.0;
    if (a < 2.0)
        return ((-b - 6.0 * c) * a * a * a + (6.0 * b + 30.0 * c) * a * a - (12.0 * b + 48.0 * c) * a + 8.0 * b +
                24.0 * c) /
               6.0;
    return 0.0;
}

/* Beyond the border a map of heights continues in a straight line, so that the border is not shaded as a step. */
static void fold_outside(float *weights, int outside, int first, int count, double weight) {
    const int border = outside < 0 ? 0 : count - 1;
    const int inner = outside < 0 ? 1 : count - 2;
    const double far = abs(outside - border);
    weights[border - first] += (float)((1.0 + far) * weight);
    weights[inner - first] -= (float)(far * weight);
}

static void fill_taps(axis *axis, int index, int cells, bool straight) {
    const double ratio = (double)cells / axis->count;
    const double stretch = ratio > 1.0 ? ratio : 1.0;
    const double softness = ratio < 0.5 ? 0.75 : 1.0 / 3.0;
    const double centre = (index + 0.5) * ratio - 0.5;
    const int low = (int)ceil(centre - 2.0 * stretch), high = (int)floor(centre + 2.0 * stretch);
    const int last = cells - axis->taps;
    const int first = low < 0 ? 0 : low > last ? last : low;
    float *weights = axis->weights + (size_t)index * (size_t)axis->taps;
    for (int j = low; j <= high; j++) {
        const double weight = cubic((j - centre) / stretch, softness);
        if (j >= 0 && j < cells) {
            weights[j - first] += (float)weight;
        } else if (straight && ratio < 1.0) {
            fold_outside(weights, j, first, cells, weight);
        }
    }
    float sum = 0.0f;
    for (int t = 0; t < axis->taps; t++) sum += weights[t];
    for (int t = 0; t < axis->taps; t++) weights[t] /= sum;
    axis->first[index] = first;
}

static bool axis_create(axis *axis, int cells, int count, bool straight) {
    const double ratio = (double)cells / count;
    const int most = (int)(4.0 * (ratio > 1.0 ? ratio : 1.0)) + 2;
    axis->count = count;
    axis->taps = cells == count ? 1 : most < cells ? most : cells;
    axis->first = malloc((size_t)count * sizeof *axis->first);
    axis->weights = calloc((size_t)count * (size_t)axis->taps, sizeof *axis->weights);
    if (axis->first == NULL || axis->weights == NULL) return false;
    for (int i = 0; i < count; i++) {
        if (cells == count) {
            axis->first[i] = i;
            axis->weights[i] = 1.0f;
        } else {
            fill_taps(axis, i, cells, straight);
        }
    }
    return true;
}

static void axis_destroy(axis *axis) {
    free(axis->first);
    free(axis->weights);
}

/* Splits NaN from values; true if there was any. */
static bool mask_row(float *values, float *mask, int count) {
    int missing = 0;
    for (int x = 0; x < count; x++) {
        const bool there = values[x] == values[x];
        mask[x] = there ? 1.0f : 0.0f;
        values[x] = there ? values[x] : 0.0f;
        missing += !there;
    }
    return missing > 0;
}

static void filter_row(const axis *axis, const float *restrict in, float *restrict out) {
    for (int i = 0; i < axis->count; i++) {
        const float *weights = axis->weights + (size_t)i * (size_t)axis->taps;
        const float *cells = in + axis->first[i];
        float sum = 0.0f;
        for (int t = 0; t < axis->taps; t++) sum += weights[t] * cells[t];
        out[i] = sum;
    }
}

static void filter_column(const axis *axis, int row, int width, const float *in, float *restrict out) {
    const float *weights = axis->weights + (size_t)row * (size_t)axis->taps;
    for (int x = 0; x < width; x++) out[x] = 0.0f;
    for (int t = 0; t < axis->taps; t++) {
        const float weight = weights[t];
        const float *restrict cells = in + (size_t)(axis->first[row] + t) * (size_t)width;
        for (int x = 0; x < width; x++) out[x] += weight * cells[x];
    }
}

typedef struct work {
    axis across, down;
    float *narrow, *weight; /* the map's rows at the picture's width */
    float *rows;            /* two rows of cells or of pixels for each thread */
} work;

static void rows_across(const render_map *map, const work *work, int threads) {
    const int width = work->across.count;
#pragma omp parallel num_threads(threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int part = 0; part < threads; part++) {
            float *values = work->rows + (size_t)part * 2 * (size_t)map->width;
            float *mask = values + map->width;
            const int begin = (int)((int64_t)map->height * part / threads);
            const int end = (int)((int64_t)map->height * (part + 1) / threads);
            for (int y = begin; y < end; y++) {
                float *weight = work->weight + (size_t)y * (size_t)width;
                map->read(map->cells + (size_t)y * (size_t)map->width, values, map->width, map->context);
                const bool missing = mask_row(values, mask, map->width);
                filter_row(&work->across, values, work->narrow + (size_t)y * (size_t)width);
                if (missing) filter_row(&work->across, mask, weight);
                for (int x = 0; x < width && !missing; x++) weight[x] = 1.0f;
            }
        }
    }
}

static void rows_down(const work *work, int threads, float *values, float *coverage) {
    const int width = work->across.count;
#pragma omp parallel num_threads(threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int part = 0; part < threads; part++) {
            float *cover = work->rows + (size_t)part * (size_t)width;
            const int begin = (int)((int64_t)work->down.count * part / threads);
            const int end = (int)((int64_t)work->down.count * (part + 1) / threads);
            for (int y = begin; y < end; y++) {
                float *row = values + (size_t)y * (size_t)width;
                filter_column(&work->down, y, width, work->narrow, row);
                filter_column(&work->down, y, width, work->weight, cover);
                for (int x = 0; x < width; x++) row[x] = cover[x] >= RENDER_COVERED ? row[x] / cover[x] : 0.0f;
                for (int x = 0; x < width && coverage != NULL; x++)
                    coverage[(size_t)y * (size_t)width + (size_t)x] = cover[x];
            }
        }
    }
}

wadi_status render_resample(const render_map *map, int out_width, int out_height, int threads, float *values,
                            float *coverage) {
    work work = {0};
    const size_t narrow = (size_t)out_width * (size_t)map->height;
    const size_t row = 2 * (size_t)(map->width > out_width ? map->width : out_width);
    work.narrow = malloc(narrow * sizeof *work.narrow);
    work.weight = malloc(narrow * sizeof *work.weight);
    work.rows = malloc(row * (size_t)threads * sizeof *work.rows);
    const bool enough = axis_create(&work.across, map->width, out_width, map->straight) &&
                        axis_create(&work.down, map->height, out_height, map->straight) && work.narrow != NULL &&
                        work.weight != NULL && work.rows != NULL;
    if (enough) {
        rows_across(map, &work, threads);
        rows_down(&work, threads, values, coverage);
    }
    axis_destroy(&work.across);
    axis_destroy(&work.down);
    free(work.narrow);
    free(work.weight);
    free(work.rows);
    if (!enough)
        return wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory to resample a map of %dx%d", map->width,
                         map->height);
    return WADI_OK;
}
