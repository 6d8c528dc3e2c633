/* drainage.c: drainage of the terrain: priority-flood (Barnes, Lehman, Mulla 2014, algorithm 2 with its plain queue for
 * cells under water), D8 directions on the flooded surface, contributing areas. The flood reaches cells in the order of
 * their flooded height, and each cell drains to one that was reached before. So one pass in reverse order adds up the
 * areas. Cells of equal height are reached in the order of their index, which is part of the heap's key. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/need.h"
#include "core/slopes.h"
#include "core/strict.h"
#include "wadi/analysis.h"

enum { NOWHERE = 8, UNREACHED = 9, MISSING = 10, WAITING = 16 };
static const int X_STEP[8] = {1, 1, 0, -1, -1, -1, 0, 1}, Y_STEP[8] = {0, 1, 1, 1, 0, -1, -1, -1};

typedef struct flood {
    const float *heights;
    int width, height;
    double steps[8]; /* m, to each neighbour */
    float *level;    /* flooded height */
    uint8_t *way;    /* direction in which a cell drains; NOWHERE: out of the map; + WAITING while it is in a queue */
    uint32_t *order; /* cells in the order in which they were reached */
    size_t reached;
    uint32_t *queue; /* cells under water */
    size_t queue_from, queue_to;
    uint64_t *heap; /* height in the upper half, index in the lower half */
    size_t heap_count, heap_room;
} flood;

/* Maps a float to an integer that sorts in the same order. */
static uint64_t key_of(float height, uint32_t cell) {
    uint32_t bits;
    height += 0.0f; /* -0 and 0 are one height */
    memcpy(&bits, &height, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | cell;
}

static bool heap_push(flood *f, uint64_t key) {
    if (f->heap_count == f->heap_room) {
        const size_t room = 2 * f->heap_room + 1024;
        uint64_t *larger = realloc(f->heap, room * sizeof *larger);
        if (larger == NULL) return false;
        f->heap = larger;
        f->heap_room = room;
    }
    size_t i = f->heap_count++;
    for (; i > 0 && f->heap[(i - 1) / 4] > key; i = (i - 1) / 4) f->heap[i] = f->heap[(i - 1) / 4];
    f->heap[i] = key;
    return true;
}

static uint64_t heap_pop(flood *f) {
    const uint64_t least = f->heap[0], last = f->heap[--f->heap_count];
    size_t i = 0;
    for (;;) {
        const size_t first = 4 * i + 1;
        if (first >= f->heap_count) break;
        const size_t end = first + 4 < f->heap_count ? first + 4 : f->heap_count;
        size_t child = first;
        for (size_t k = first + 1; k < end; k++) child = f->heap[k] < f->heap[child] ? k : child;
        if (f->heap[child] >= last) break;
        f->heap[i] = f->heap[child];
        i = child;
    }
    f->heap[i] = last;
    return least;
}

/* The neighbour in a direction; false: there is none on the map. */
static bool neighbour(const flood *f, uint32_t cell, int direction, uint32_t *there) {
    const int x = (int)(cell % (uint32_t)f->width) + X_STEP[direction];
    const int y = (int)(cell / (uint32_t)f->width) + Y_STEP[direction];
    if (x < 0 || y < 0 || x >= f->width || y >= f->height) return false;
    *there = (uint32_t)y * (uint32_t)f->width + (uint32_t)x;
    return true;
}

/* Whether water can leave the map here: at the border and next to cells without data. */
static bool is_outlet(const flood *f, uint32_t cell) {
    for (int k = 0; k < 8; k++) {
        uint32_t there;
        if (!neighbour(f, cell, k, &there) || f->way[there] == MISSING) return true;
    }
    return false;
}

static bool begin(flood *f) {
    const uint32_t count = (uint32_t)f->width * (uint32_t)f->height;
    for (uint32_t i = 0; i < count; i++) f->way[i] = isfinite(f->heights[i]) ? UNREACHED : MISSING;
    for (uint32_t i = 0; i < count; i++) {
        if (f->way[i] == MISSING || !is_outlet(f, i)) continue;
        f->way[i] = NOWHERE + WAITING;
        f->level[i] = f->heights[i];
        if (!heap_push(f, key_of(f->heights[i], i))) return false;
    }
    return true;
}

/* Above water a cell drains to the steepest lower neighbour that is finished. If there is none, it keeps the direction
 * from which the flood came. */
static void choose_way(flood *f, uint32_t cell) {
    f->way[cell] = (uint8_t)(f->way[cell] - WAITING);
    if (f->level[cell] > f->heights[cell]) return;
    double steepest = 0;
    for (int k = 0; k < 8; k++) {
        uint32_t there;
        if (!neighbour(f, cell, k, &there) || f->way[there] > NOWHERE) continue;
        const double slope = ((double)f->level[cell] - (double)f->level[there]) / f->steps[k];
        if (slope > steepest) {
            steepest = slope;
            f->way[cell] = (uint8_t)k;
        }
    }
}

/* Reaches the neighbours of a cell. Those not above the flood are under water. */
static bool spread(flood *f, uint32_t cell) {
    for (int k = 0; k < 8; k++) {
        uint32_t there;
        if (!neighbour(f, cell, k, &there) || f->way[there] != UNREACHED) continue;
        f->way[there] = (uint8_t)((k + 4) % 8 + WAITING);
        if (f->heights[there] <= f->level[cell]) {
            f->level[there] = f->level[cell];
            f->queue[f->queue_to++] = there;
        } else {
            f->level[there] = f->heights[there];
            if (!heap_push(f, key_of(f->heights[there], there))) return false;
        }
    }
    return true;
}

static bool run_flood(flood *f) {
    if (!begin(f)) return false;
    while (f->queue_from < f->queue_to || f->heap_count > 0) {
        const uint32_t cell =
            f->queue_from < f->queue_to ? f->queue[f->queue_from++] : (uint32_t)(heap_pop(f) & 0xffffffffu);
        f->order[f->reached++] = cell;
        choose_way(f, cell);
        if (!spread(f, cell)) return false;
    }
    return true;
}

/* The number of cells that drain through each cell, itself included. `areas` is 0 before. */
static uint32_t add_areas(const flood *f, uint32_t *areas) {
    uint32_t largest = 0;
    for (size_t i = f->reached; i-- > 0;) {
        const uint32_t cell = f->order[i];
        uint32_t there;
        areas[cell]++;
        largest = areas[cell] > largest ? areas[cell] : largest;
        if (f->way[cell] < NOWHERE && neighbour(f, cell, f->way[cell], &there)) areas[there] += areas[cell];
    }
    return largest;
}

static void measure(const flood *f, double cell_m2, wadi_drainage *d) {
    uint32_t *areas = f->queue; /* the flood no longer needs it */
    memset(areas, 0, (size_t)f->width * (size_t)f->height * sizeof *areas);
    d->largest_km2 = add_areas(f, areas) * cell_m2 * 1e-6;
    uint64_t by_way[NOWHERE + 1] = {0}; /* integers: the order of adding does not matter */
    for (size_t i = 0; i < f->reached; i++) {
        const uint32_t cell = f->order[i];
        if (areas[cell] * cell_m2 >= d->threshold_m2) by_way[f->way[cell]]++;
    }
    for (int k = 0; k <= NOWHERE; k++) {
        d->channel_cells += by_way[k];
        if (k < NOWHERE) d->length_km += (double)by_way[k] * f->steps[k] * 1e-3;
    }
    d->density = d->area_km2 > 0 ? d->length_km / d->area_km2 : 0;
}

static void flood_free(flood *f) {
    free(f->level);
    free(f->way);
    free(f->order);
    free(f->queue);
    free(f->heap);
}

static wadi_status check(const float *heights, int width, int height, double lx, double ly, double threshold_m2) {
    if (wadi_check_figures(heights, width, height, lx, ly) != WADI_OK) return WADI_ERROR_ARGUMENT;
    if ((uint64_t)width * (uint64_t)height > UINT32_MAX)
        return wadi_fail(WADI_ERROR_ARGUMENT, "drainage of %dx%d cells: at most 2^32 - 1 can be", width, height);
    if (!(threshold_m2 >= 0))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a channel threshold of %g m2 cannot be; use 0 or more", threshold_m2);
    return WADI_OK;
}

wadi_status wadi_drainage_density(const float *heights, int width, int height, double lx, double ly,
                                  double threshold_m2, wadi_drainage *drainage) {
    WADI_IEEE_MODE;
    WADI_NEED(drainage);
    *drainage = (wadi_drainage){0};
    if (check(heights, width, height, lx, ly, threshold_m2) != WADI_OK) return WADI_ERROR_ARGUMENT;
    const size_t count = (size_t)width * (size_t)height;
    const double diagonal = sqrt(lx * lx + ly * ly);
    flood f = {.heights = heights,
               .width = width,
               .height = height,
               .steps = {lx, diagonal, ly, diagonal, lx, diagonal, ly, diagonal},
               .level = malloc(count * sizeof *f.level),
               .way = malloc(count),
               .order = malloc(count * sizeof *f.order),
               .queue = malloc(count * sizeof *f.queue)};
    const bool enough = f.level != NULL && f.way != NULL && f.order != NULL && f.queue != NULL && run_flood(&f);
    if (enough) {
        const double thousandth = (double)f.reached / 1000;
        drainage->area_km2 = (double)f.reached * lx * ly * 1e-6;
        drainage->threshold_m2 = threshold_m2 > 0 ? threshold_m2 : (thousandth > 16 ? thousandth : 16) * lx * ly;
        measure(&f, lx * ly, drainage);
    }
    flood_free(&f);
    if (enough) return WADI_OK;
    return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the drainage of %dx%d cells", width, height);
}
