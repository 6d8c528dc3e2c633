/* analysis.c: figures of a map. Each row or chunk is summed in float64, and these sums are added in a fixed order. So
 * any number of threads gives the same bits. */
#include "wadi/analysis.h"
#include "core/strict.h"

#include <float.h>
#include <math.h>

typedef struct map {
    const float *heights;
    int width, height;
    bool wrap;
} map;

typedef struct moments {
    double count, sum, squares;
} moments;

/* A neighbour's height; NaN, which is ignored, beyond a border that does not wrap. */
static float neighbour(const map *map, int x, int y) {
    if (map->wrap) {
        x = x < 0 ? map->width - 1 : x == map->width ? 0 : x;
        y = y < 0 ? map->height - 1 : y == map->height ? 0 : y;
    } else if (x < 0 || y < 0 || x == map->width || y == map->height) {
        return NAN;
    }
    return map->heights[(size_t)y * (size_t)map->width + (size_t)x];
}

static double steeper(double slope, double here, double there) {
    const double difference = fabs(here - there);
    return isfinite(difference) && difference > slope ? difference : slope; /* NaN and infinity are ignored */
}

static double slope_at(const map *map, int x, int y) {
    const double here = (double)neighbour(map, x, y);
    double slope = 0;
    slope = steeper(slope, here, (double)neighbour(map, x - 1, y));
    slope = steeper(slope, here, (double)neighbour(map, x + 1, y));
    slope = steeper(slope, here, (double)neighbour(map, x, y - 1));
    return steeper(slope, here, (double)neighbour(map, x, y + 1));
}

/* Count, sum and sum of squares of (slope - mean) of one row. */
static moments row_moments(const map *map, int y, double mean) {
    moments row = {0};
    for (int x = 0; x < map->width; x++) {
        if (!isfinite(neighbour(map, x, y))) continue;
        const double deviation = slope_at(map, x, y) - mean;
        row.count += 1;
        row.sum += deviation;
        row.squares += deviation * deviation;
    }
    return row;
}

/* Rows are computed in parallel, a batch at a time, and added in their order. */
static moments map_moments(const map *map, double mean) {
    enum { BATCH = 512 };
    moments rows[BATCH], all = {0};
    for (int from = 0; from < map->height; from += BATCH) {
        const int count = map->height - from < BATCH ? map->height - from : BATCH;
#pragma omp parallel
        {
            WADI_IEEE_MODE;
#pragma omp for schedule(static)
            for (int i = 0; i < count; i++) rows[i] = row_moments(map, from + i, mean);
        }
        for (int i = 0; i < count; i++) {
            all.count += rows[i].count;
            all.sum += rows[i].sum;
            all.squares += rows[i].squares;
        }
    }
    return all;
}

double wadi_erosion_score(const float *heights, int width, int height, bool wrap) {
    WADI_IEEE_MODE;
    if (heights == NULL || width < 1 || height < 1) return 0;
    const map map = {heights, width, height, wrap};
    const moments first = map_moments(&map, 0);
    if (!(first.sum > 0)) return 0;
    /* two passes: the variance of nearly equal slopes would cancel in a difference of large squares */
    const double mean = first.sum / first.count;
    return sqrt(map_moments(&map, mean).squares / first.count) / mean;
}

typedef struct part {
    float minimum, maximum;
    double sum;
    uint64_t finite, missing, infinite;
} part;

static void add_value(part *part, float value) {
    if (isnan(value)) {
        part->missing++;
    } else if (isinf(value)) {
        part->infinite++;
    } else {
        part->minimum = value < part->minimum ? value : part->minimum;
        part->maximum = value > part->maximum ? value : part->maximum;
        part->sum += (double)value;
        part->finite++;
    }
}

static part part_of(const float *values, size_t count) {
    part part = {.minimum = FLT_MAX, .maximum = -FLT_MAX};
    for (size_t i = 0; i < count; i++) add_value(&part, values[i]);
    return part;
}

static void join(part *all, const part *next) {
    all->minimum = next->minimum < all->minimum ? next->minimum : all->minimum;
    all->maximum = next->maximum > all->maximum ? next->maximum : all->maximum;
    all->sum += next->sum;
    all->finite += next->finite;
    all->missing += next->missing;
    all->infinite += next->infinite;
}

wadi_range wadi_range_of(const float *values, size_t count) {
    WADI_IEEE_MODE;
    if (values == NULL) return (wadi_range){0};
    /* sums of sums: the rounding error depends on neither the map's size nor the threads */
    enum { CHUNK = 4096, BATCH = 1024 };
    part all = {.minimum = FLT_MAX, .maximum = -FLT_MAX}, parts[BATCH];
    for (size_t from = 0; from < count; from += (size_t)CHUNK * BATCH) {
        const size_t left = count - from, chunks = (left + CHUNK - 1) / CHUNK;
        const int here = chunks < BATCH ? (int)chunks : BATCH;
#pragma omp parallel
        {
            WADI_IEEE_MODE;
#pragma omp for schedule(static)
            for (int i = 0; i < here; i++) {
                const size_t at = (size_t)i * CHUNK;
                parts[i] = part_of(values + from + at, left - at < CHUNK ? left - at : CHUNK);
            }
        }
        for (int i = 0; i < here; i++) join(&all, &parts[i]);
    }
    wadi_range range = {.missing = all.missing, .infinite = all.infinite};
    if (all.finite > 0) {
        range.minimum = all.minimum;
        range.maximum = all.maximum;
        range.mean = all.sum / (double)all.finite;
    }
    return range;
}
