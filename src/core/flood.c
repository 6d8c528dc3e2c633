/* flood.c: priority-flood with D8 directions on the flooded surface. The flood reaches cells in the order of their
 * flooded height, and each cell drains to one that was reached before. So one pass in reverse order adds up the areas.
 * Cells of equal height are reached in the order of their index, which is part of the heap's key. */
#include "core/flood.h"
#include "core/slopes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OUT = WADI_FLOOD_OUT, UNREACHED, MISSING, WAITING = 16 }; /* + WAITING while a cell is in a queue */
static const int X_STEP[8] = {1, 1, 0, -1, -1, -1, 0, 1}, Y_STEP[8] = {0, 1, 1, 1, 0, -1, -1, -1};

typedef struct queues {
    uint32_t *pooled; /* cells under water */
    size_t from, to;
    uint64_t *heap; /* height in the upper half, index in the lower half */
    size_t heap_count, heap_room;
} queues;

uint32_t wadi_float_key(float value) {
    uint32_t bits;
    value += 0.0f;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static bool heap_push(queues *q, float height, uint32_t cell) {
    const uint64_t key = (uint64_t)wadi_float_key(height) << 32 | cell;
    if (q->heap_count == q->heap_room) {
        const size_t room = 2 * q->heap_room + 1024;
        uint64_t *larger = realloc(q->heap, room * sizeof *larger);
        if (larger == NULL) return false;
        q->heap = larger;
        q->heap_room = room;
    }
    size_t i = q->heap_count++;
    for (; i > 0 && q->heap[(i - 1) / 4] > key; i = (i - 1) / 4) q->heap[i] = q->heap[(i - 1) / 4];
    q->heap[i] = key;
    return true;
}

static uint32_t heap_pop(queues *q) {
    const uint64_t least = q->heap[0], last = q->heap[--q->heap_count];
    size_t i = 0;
    for (;;) {
        const size_t first = 4 * i + 1;
        if (first >= q->heap_count) break;
        const size_t end = first + 4 < q->heap_count ? first + 4 : q->heap_count;
        size_t child = first;
        for (size_t k = first + 1; k < end; k++) child = q->heap[k] < q->heap[child] ? k : child;
        if (q->heap[child] >= last) break;
        q->heap[i] = q->heap[child];
        i = child;
    }
    q->heap[i] = last;
    return (uint32_t)(least & 0xffffffffu);
}

bool wadi_flood_neighbour(const wadi_flood *f, uint32_t cell, int direction, uint32_t *there) {
    const int x = (int)(cell % (uint32_t)f->width) + X_STEP[direction];
    const int y = (int)(cell / (uint32_t)f->width) + Y_STEP[direction];
    if (x < 0 || y < 0 || x >= f->width || y >= f->height) return false;
    *there = (uint32_t)y * (uint32_t)f->width + (uint32_t)x;
    return true;
}

bool wadi_flood_receiver(const wadi_flood *flood, uint32_t cell, uint32_t *there) {
    return flood->way[cell] < OUT && wadi_flood_neighbour(flood, cell, flood->way[cell], there);
}

/* Whether water can leave the map here: at the border and next to cells without data. */
static bool is_outlet(const wadi_flood *f, uint32_t cell) {
    for (int k = 0; k < 8; k++) {
        uint32_t there;
        if (!wadi_flood_neighbour(f, cell, k, &there) || f->way[there] == MISSING) return true;
    }
    return false;
}

static void reach(wadi_flood *f, uint32_t cell, int way, float level, uint32_t pool) {
    f->way[cell] = (uint8_t)(way + WAITING);
    f->level[cell] = level;
    if (f->pool != NULL) f->pool[cell] = pool;
}

static bool begin(wadi_flood *f, queues *q) {
    const uint32_t count = (uint32_t)f->width * (uint32_t)f->height;
    for (uint32_t i = 0; i < count; i++) f->way[i] = isfinite(f->heights[i]) ? UNREACHED : MISSING;
    for (uint32_t i = 0; i < count; i++) {
        if (f->way[i] == MISSING || !is_outlet(f, i)) continue;
        reach(f, i, OUT, f->heights[i], i);
        if (!heap_push(q, f->heights[i], i)) return false;
    }
    return true;
}

/* Above water a cell drains to the steepest lower neighbour that is finished. If there is none, it keeps the direction
 * from which the flood came. */
static void choose_way(wadi_flood *f, uint32_t cell) {
    f->way[cell] = (uint8_t)(f->way[cell] - WAITING);
    if (f->level[cell] > f->heights[cell]) return;
    double steepest = 0;
    for (int k = 0; k < 8; k++) {
        uint32_t there;
        if (!wadi_flood_neighbour(f, cell, k, &there) || f->way[there] > OUT) continue;
        const double slope = ((double)f->level[cell] - (double)f->level[there]) / f->steps[k];
        if (slope > steepest) {
            steepest = slope;
            f->way[cell] = (uint8_t)k;
        }
    }
}

/* Reaches the neighbours of a cell. Those not above the flood are under water. */
static bool spread(wadi_flood *f, queues *q, uint32_t cell) {
    for (int k = 0; k < 8; k++) {
        uint32_t there;
        if (!wadi_flood_neighbour(f, cell, k, &there) || f->way[there] != UNREACHED) continue;
        if (f->heights[there] <= f->level[cell]) {
            reach(f, there, (k + 4) % 8, f->level[cell], f->pool != NULL ? f->pool[cell] : 0);
            q->pooled[q->to++] = there;
        } else {
            reach(f, there, (k + 4) % 8, f->heights[there], there);
            if (!heap_push(q, f->heights[there], there)) return false;
        }
    }
    return true;
}

static bool run(wadi_flood *f, queues *q) {
    if (!begin(f, q)) return false;
    while (q->from < q->to || q->heap_count > 0) {
        const uint32_t cell = q->from < q->to ? q->pooled[q->from++] : heap_pop(q);
        f->order[f->reached++] = cell;
        choose_way(f, cell);
        if (!spread(f, q, cell)) return false;
    }
    return true;
}

static void add_areas(wadi_flood *f) {
    memset(f->areas, 0, (size_t)f->width * (size_t)f->height * sizeof *f->areas);
    for (size_t i = f->reached; i-- > 0;) {
        const uint32_t cell = f->order[i], area = ++f->areas[cell];
        uint32_t there;
        f->largest_area = area > f->largest_area ? area : f->largest_area;
        if (wadi_flood_receiver(f, cell, &there)) f->areas[there] += area;
    }
}

wadi_status wadi_flood_check(const float *heights, int width, int height, double lx, double ly, double threshold_m2) {
    if (wadi_check_figures(heights, width, height, lx, ly) != WADI_OK) return WADI_ERROR_ARGUMENT;
    if ((uint64_t)width * (uint64_t)height > UINT32_MAX)
        return wadi_fail(WADI_ERROR_ARGUMENT, "drainage of %dx%d cells: at most 2^32 - 1 can be", width, height);
    if (!(threshold_m2 >= 0))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a channel threshold of %g m2 cannot be; use 0 or more", threshold_m2);
    return WADI_OK;
}

bool wadi_flood_run(wadi_flood *flood, const float *heights, int width, int height, double lx, double ly,
                    bool with_pools) {
    const size_t count = (size_t)width * (size_t)height;
    const double diagonal = sqrt(lx * lx + ly * ly);
    *flood = (wadi_flood){.heights = heights,
                          .width = width,
                          .height = height,
                          .steps = {lx, diagonal, ly, diagonal, lx, diagonal, ly, diagonal},
                          .level = malloc(count * sizeof *flood->level),
                          .way = malloc(count),
                          .order = malloc(count * sizeof *flood->order),
                          .pool = with_pools ? malloc(count * sizeof *flood->pool) : NULL,
                          .areas = malloc(count * sizeof *flood->areas)};
    queues q = {.pooled = flood->areas}; /* areas are added up when no cell waits any more */
    const bool enough = flood->level != NULL && flood->way != NULL && flood->order != NULL && flood->areas != NULL &&
                        (flood->pool != NULL || !with_pools) && run(flood, &q);
    free(q.heap);
    if (enough) add_areas(flood);
    return enough;
}

void wadi_flood_free(wadi_flood *flood) {
    free(flood->level);
    free(flood->way);
    free(flood->order);
    free(flood->pool);
    free(flood->areas);
}
