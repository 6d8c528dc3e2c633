/* realism.c: the measures of realism, from the flood, the pits and the spectrum. These do not depend on each other, so
 * threads share them. */
#include "wadi/realism.h"
#include "core/flood.h"
#include "core/need.h"
#include "core/pits.h"
#include "core/rivers.h"
#include "core/spectrum.h"
#include "core/strict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ABOUT(constant, name, title, meaning, unit, from, to) {#name, title, meaning, unit, from, to},
static const wadi_measure_info measures[] = {WADI_EACH_MEASURE(ABOUT)};

const wadi_measure_info *wadi_measure_about(wadi_measure measure) {
    return (unsigned)measure < WADI_MEASURES ? &measures[measure] : NULL;
}

typedef struct ground {
    const float *heights;
    int width, height;
    double lx, ly;
} ground;

/* --- the sea --- */

typedef struct sea {
    float *heights; /* the map, in which the sea becomes NaN */
    int width, height;
    double level;
    uint32_t *stack;
    size_t count;
} sea;

static void drown(sea *s, int x, int y) {
    const uint32_t cell = (uint32_t)y * (uint32_t)s->width + (uint32_t)x;
    if (!((double)s->heights[cell] <= s->level)) return;
    s->heights[cell] = NAN;
    s->stack[s->count++] = cell;
}

static void drown_around(sea *s, uint32_t cell) {
    const int x = (int)(cell % (uint32_t)s->width), y = (int)(cell / (uint32_t)s->width);
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < s->height; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < s->width; i++) drown(s, i, j);
}

static void flood_from_outside(sea *s) {
    const uint32_t cells = (uint32_t)s->width * (uint32_t)s->height;
    for (uint32_t i = 0; i < cells; i++)
        if (!isfinite(s->heights[i])) s->heights[i] = NAN, drown_around(s, i);
    for (int x = 0; x < s->width; x++) drown(s, x, 0), drown(s, x, s->height - 1);
    for (int y = 0; y < s->height; y++) drown(s, 0, y), drown(s, s->width - 1, y);
    while (s->count > 0) drown_around(s, s->stack[--s->count]);
}

/* A copy without the sea, to be freed; NULL: not enough memory. */
static float *without_sea(const ground *g, double level) {
    const size_t cells = (size_t)g->width * (size_t)g->height;
    sea s = {malloc(cells * sizeof *s.heights), g->width, g->height, level, malloc(cells * sizeof *s.stack), 0};
    if (s.heights != NULL && s.stack != NULL) {
        memcpy(s.heights, g->heights, cells * sizeof *s.heights);
        flood_from_outside(&s);
    } else {
        free(s.heights);
        s.heights = NULL;
    }
    free(s.stack);
    return s.heights;
}

/* --- the measures --- */

static bool measure_rivers(const ground *g, double threshold_m2, wadi_realism *r) {
    wadi_flood flood;
    wadi_rivers rivers = {0};
    bool enough = wadi_flood_run(&flood, g->heights, g->width, g->height, g->lx, g->ly);
    if (enough) wadi_flood_measure(&flood, g->lx, g->ly, threshold_m2, &r->drainage);
    enough = enough && wadi_rivers_measure(&flood, g->lx * g->ly, r->drainage.threshold_m2, &rivers);
    wadi_flood_free(&flood);
    r->values[WADI_MEASURE_CONCAVITY] = rivers.concavity;
    r->values[WADI_MEASURE_HACK] = rivers.hack;
    r->values[WADI_MEASURE_DRAINING] = 100 * rivers.draining;
    r->values[WADI_MEASURE_DENSITY] = r->drainage.density;
    r->values[WADI_MEASURE_NETWORK] = r->drainage.density * sqrt(r->drainage.threshold_m2 * 1e-6);
    return enough;
}

static void set_pits(wadi_realism *r, wadi_measure all, wadi_measure deep, const wadi_pits *pits, uint64_t cells) {
    r->values[all] = 1e4 * (double)pits->all / (double)cells;
    r->values[deep] = 1e4 * (double)pits->deep / (double)cells;
}

static wadi_status measure(const ground *g, double threshold_m2, wadi_realism *r) {
    bool enough[4] = {false, false, false, false};
    wadi_pits pits = {0}, peaks = {0};
    wadi_directions directions;
#pragma omp parallel sections
    {
#pragma omp section
        {
            WADI_IEEE_MODE;
            enough[0] = measure_rivers(g, threshold_m2, r);
        }
#pragma omp section
        {
            WADI_IEEE_MODE;
            enough[1] = wadi_pits_count(g->heights, g->width, g->height, false, &pits);
        }
#pragma omp section
        {
            WADI_IEEE_MODE;
            enough[2] = wadi_pits_count(g->heights, g->width, g->height, true, &peaks);
        }
#pragma omp section
        {
            WADI_IEEE_MODE;
            enough[3] = wadi_directions_of(g->heights, g->width, g->height, g->lx, g->ly, &directions);
        }
    }
    r->values[WADI_MEASURE_AXIS_POWER] = directions.axis_power;
    r->values[WADI_MEASURE_GRID_POWER] = directions.grid_power;
    if (!enough[0] || !enough[1] || !enough[2] || !enough[3])
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the measures of %dx%d cells", g->width, g->height);
    const wadi_range range = wadi_range_of(g->heights, (size_t)g->width * (size_t)g->height);
    const uint64_t cells = (uint64_t)g->width * (uint64_t)g->height - range.missing - range.infinite;
    const double relief = (double)range.maximum - (double)range.minimum;
    r->values[WADI_MEASURE_HYPSOMETRY] = (range.mean - (double)range.minimum) / relief; /* NaN on a flat map */
    set_pits(r, WADI_MEASURE_PITS, WADI_MEASURE_DEEP_PITS, &pits, cells);
    set_pits(r, WADI_MEASURE_PEAKS, WADI_MEASURE_HIGH_PEAKS, &peaks, cells);
    return WADI_OK;
}

wadi_status wadi_realism_of(const float *heights, int width, int height, double lx, double ly, double sea_m,
                            double threshold_m2, wadi_realism *realism) {
    WADI_IEEE_MODE;
    WADI_NEED(realism);
    *realism = (wadi_realism){.drainage = {0}};
    if (wadi_flood_check(heights, width, height, lx, ly, threshold_m2) != WADI_OK) return WADI_ERROR_ARGUMENT;
    if (isnan(sea_m)) return wadi_fail(WADI_ERROR_ARGUMENT, "a sea level that is no number; use -INFINITY for no sea");
    ground ground = {heights, width, height, lx, ly};
    float *land = NULL;
    if (sea_m > -(double)INFINITY) {
        ground.heights = land = without_sea(&ground, sea_m);
        if (land == NULL)
            return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the sea of %dx%d cells", width, height);
    }
    const wadi_status status = measure(&ground, threshold_m2, realism);
    free(land);
    return status;
}
