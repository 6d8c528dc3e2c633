/* pits.c: cells are added from the lowest to the highest, and those that touch are joined (Edelsbrunner, Letscher,
 * Zomorodian 2002). Where two parts meet, the one with the higher lowest cell ends. The outside is lower than all cells
 * and touches those at the border and beside missing ones.
 *
 * A cell first joins the part of its lowest neighbour. So whole basins can be joined instead of cells, and only where
 * they meet: at a cell that has a lower neighbour in another basin. */
#include "core/pits.h"
#include "core/sort.h"
#include "wadi/realism.h"

#include <math.h>
#include <stdlib.h>

typedef struct parts {
    const float *heights;
    int width, height;
    float sign;
    /* of each cell: the basin's lowest cell; of that: towards the lowest cell of its part. The last is the outside. */
    uint32_t *basin;
    uint32_t outside;
} parts;

#define ABSENT UINT32_MAX

static float height_of(const parts *p, uint32_t cell) { return p->sign * p->heights[cell]; }

/* Whether cell a is lower than b; of equal ones, the one with the smaller number. */
static bool is_lower(const parts *p, uint32_t a, uint32_t b) {
    return height_of(p, a) < height_of(p, b) || (height_of(p, a) == height_of(p, b) && a < b);
}

/* The lowest of the nine cells around each of a row; the outside, where one is missing. */
static void lowest_of_row(const parts *p, int y, uint32_t *restrict lowest) {
    const ptrdiff_t width = p->width;
    const float *row = p->heights + y * width;
    const bool at_border = y == 0 || y == p->height - 1;
    for (ptrdiff_t x = 0; x < width; x++) lowest[x] = p->outside;
    for (ptrdiff_t x = 1; x < width - 1 && !at_border; x++) {
        float least = INFINITY, missing = 0; /* NaN if one is */
        uint32_t found = 0;
        for (int k = 0; k < 9; k++) {
            const ptrdiff_t there = x + (k / 3 - 1) * width + k % 3 - 1;
            const float height = p->sign * row[there];
            missing += height * 0.0f;
            found = height < least ? (uint32_t)(y * width + there) : found;
            least = height < least ? height : least;
        }
        lowest[x] = missing == 0 ? found : p->outside;
    }
    for (ptrdiff_t x = 0; x < width; x++) lowest[x] = isfinite(row[x]) ? lowest[x] : ABSENT;
}

static uint32_t root_of(uint32_t *basin, uint32_t cell) {
    for (; basin[cell] != cell; cell = basin[cell]) basin[cell] = basin[basin[cell]];
    return cell;
}

static void find_basins(parts *p) {
    for (int y = 0; y < p->height; y++) lowest_of_row(p, y, p->basin + (size_t)y * (size_t)p->width);
    p->basin[p->outside] = p->outside;
    for (uint32_t i = 0; i < p->outside; i++)
        if (p->basin[i] != ABSENT) p->basin[i] = root_of(p->basin, i);
}

/* Whether part a is older: its lowest cell is lower. */
static bool is_older(const parts *p, uint32_t a, uint32_t b) {
    if (a == p->outside || b == p->outside) return a == p->outside;
    return is_lower(p, a, b);
}

/* Joins two parts that meet at a cell, and returns the root of both. */
static uint32_t join(parts *p, uint32_t a, uint32_t b, uint32_t cell, wadi_pits *pits) {
    if (a == b) return a;
    const uint32_t older = is_older(p, a, b) ? a : b, ends = older == a ? b : a;
    const double depth = (double)height_of(p, cell) - (double)height_of(p, ends);
    pits->all += depth > 0;
    pits->deep += depth > WADI_DEEP_M;
    p->basin[ends] = older;
    return older;
}

/* Joins the part of a cell to those of its lower neighbours. */
static void meet(parts *p, uint32_t cell, wadi_pits *pits) {
    const int x = (int)(cell % (uint32_t)p->width), y = (int)(cell / (uint32_t)p->width);
    uint32_t root = root_of(p->basin, cell);
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < p->height; j++) {
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < p->width; i++) {
            const uint32_t there = (uint32_t)j * (uint32_t)p->width + (uint32_t)i;
            if (p->basin[there] != ABSENT && is_lower(p, there, cell))
                root = join(p, root, root_of(p->basin, there), cell, pits);
        }
    }
}

/* Whether a neighbour is in another basin. At the border a cell inside stands for the one that is missing. */
static bool is_between(const parts *p, int x, int y) {
    const size_t width = (size_t)p->width, left = x > 0 ? 1 : 0, right = x < p->width - 1 ? 1 : 0;
    const uint32_t *here = p->basin + (size_t)y * width + (size_t)x;
    const uint32_t *above = here - (y > 0 ? width : 0), *below = here + (y < p->height - 1 ? width : 0);
    return ((above[0] ^ *here) | (below[0] ^ *here) | (*(here - left) ^ *here) | (here[right] ^ *here) |
            (*(above - left) ^ *here) | (above[right] ^ *here) | (*(below - left) ^ *here) | (below[right] ^ *here)) !=
           0;
}

/* keys: room for two of each cell */
static void join_all(parts *p, uint64_t *keys, wadi_pits *pits) {
    size_t count = 0;
    for (int y = 0; y < p->height; y++) {
        for (int x = 0; x < p->width; x++) {
            const uint32_t cell = (uint32_t)y * (uint32_t)p->width + (uint32_t)x;
            if (p->basin[cell] != ABSENT && is_between(p, x, y))
                keys[count++] = wadi_height_key(height_of(p, cell), cell);
        }
    }
    const uint64_t *sorted = wadi_sort_heights(keys, keys + count, count);
    for (size_t i = 0; i < count; i++) meet(p, (uint32_t)sorted[i], pits);
}

bool wadi_pits_count(const float *heights, int width, int height, bool peaks, wadi_pits *pits) {
    const size_t count = (size_t)width * (size_t)height;
    *pits = (wadi_pits){0};
    parts p = {.heights = heights,
               .width = width,
               .height = height,
               .sign = peaks ? -1.0f : 1.0f,
               .basin = malloc((count + 1) * sizeof *p.basin),
               .outside = (uint32_t)count};
    uint64_t *keys = malloc(2 * count * sizeof *keys);
    const bool enough = p.basin != NULL && keys != NULL;
    if (enough) {
        find_basins(&p);
        join_all(&p, keys, pits);
    }
    free(p.basin);
    free(keys);
    return enough;
}
