#include "core/rivers.h"
#include "core/series.h"
#include "wadi/realism.h"

#include <math.h>
#include <stdlib.h>

enum { BINS = 32, FEWEST_BASINS = 8, FEWEST_BINS = 3 };

/* One octave of contributing area. */
typedef struct bin {
    double fall, length, cells, log_areas;       /* of its channels; the areas in cells */
    double basins, basin_log_areas, log_lengths; /* of the basins that end in it */
} bin;

typedef struct points {
    double x[BINS], y[BINS];
    int count;
} points;

static void add_point(points *p, double x, double y) {
    p->x[p->count] = x;
    p->y[p->count++] = y;
}

/* The slope of the least-squares line. */
static double slope_of(const points *p) {
    if (p->count < FEWEST_BINS) return (double)NAN;
    double x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < p->count; i++) x += p->x[i] / p->count, y += p->y[i] / p->count;
    for (int i = 0; i < p->count; i++) {
        xx += (p->x[i] - x) * (p->x[i] - x);
        xy += (p->x[i] - x) * (p->y[i] - y);
    }
    return xx > 0 ? xy / xx : (double)NAN;
}

static void fit(const bin *bins, wadi_rivers *rivers) {
    points slopes = {.count = 0}, lengths = {.count = 0};
    for (int i = 0; i < BINS; i++) {
        const bin *b = &bins[i];
        if (b->basins < FEWEST_BASINS) continue;
        if (b->fall > 0) add_point(&slopes, b->log_areas / b->cells, wadi_log(b->fall / b->length));
        add_point(&lengths, b->basin_log_areas / b->basins, b->log_lengths / b->basins);
    }
    rivers->concavity = 0 - slope_of(&slopes);
    rivers->hack = slope_of(&lengths);
}

/* The octave of a contributing area; -1 below the threshold. */
static int bin_of(uint32_t area, double threshold) {
    int exponent;
    if (area < threshold) return -1;
    frexp(area / threshold, &exponent);
    return exponent - 1 < BINS ? exponent - 1 : BINS - 1;
}

/* The cells that a dam keeps under water follow it in the order. Writes where they end. Returns their water, m in a
 * cell. */
static float water_behind(const wadi_flood *f, size_t dam, size_t *end) {
    float water = 0;
    for (*end = dam + 1; *end < f->reached && f->pooled[*end]; ++*end) {
        const uint32_t cell = f->order[*end];
        water += f->level[cell] - f->heights[cell];
    }
    return water;
}

/* Cells come after those they drain to. So each knows whether the rest of its way is open. */
static double draining_share(const wadi_flood *f, uint8_t *open) {
    size_t draining = 0;
    for (size_t i = 0, end; i < f->reached; i = end) {
        const double water = (double)water_behind(f, i, &end);
        const bool closed = water > 0 && water > WADI_FILLING_RAIN_M * f->areas[f->order[i]];
        for (size_t k = i; k < end; k++) {
            const uint32_t cell = f->order[k];
            uint32_t there;
            open[cell] = !(closed && k > i) && (!wadi_flood_receiver(f, cell, &there) || open[there]);
            draining += open[cell];
        }
    }
    return f->reached > 0 ? (double)draining / (double)f->reached : (double)NAN;
}

static void add_channel(const wadi_flood *f, uint32_t cell, uint32_t there, bin *b) {
    b->fall += (double)f->level[cell] - (double)f->level[there];
    b->length += f->steps[f->way[cell]];
    b->log_areas += wadi_log(f->areas[cell]);
    b->cells += 1;
}

/* From the divides down. longest: the longest way of water to each cell, m; 0 before. */
static void add_channels(const wadi_flood *f, double threshold, float *longest, bin *bins) {
    for (size_t i = f->reached; i-- > 0;) {
        const uint32_t cell = f->order[i];
        const int here = bin_of(f->areas[cell], threshold);
        uint32_t there;
        const bool goes_on = wadi_flood_receiver(f, cell, &there);
        if (goes_on) {
            const float way = longest[cell] + (float)f->steps[f->way[cell]];
            longest[there] = way > longest[there] ? way : longest[there];
        }
        if (here < 0) continue;
        if (goes_on) add_channel(f, cell, there, &bins[here]);
        if ((goes_on && bin_of(f->areas[there], threshold) == here) || !(longest[cell] > 0)) continue;
        bins[here].basins += 1;
        bins[here].basin_log_areas += wadi_log(f->areas[cell]);
        bins[here].log_lengths += wadi_log((double)longest[cell]);
    }
}

bool wadi_rivers_measure(const wadi_flood *flood, double cell_m2, double threshold_m2, wadi_rivers *rivers) {
    const size_t count = (size_t)flood->width * (size_t)flood->height;
    float *longest = calloc(count, sizeof *longest);
    uint8_t *open = malloc(count);
    const bool enough = longest != NULL && open != NULL;
    bin bins[BINS] = {{0}};
    if (enough) {
        rivers->draining = draining_share(flood, open);
        add_channels(flood, threshold_m2 / cell_m2, longest, bins);
        fit(bins, rivers);
    }
    free(longest);
    free(open);
    return enough;
}
