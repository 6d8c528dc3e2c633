/* pits.c: cells are added from the lowest to the highest, and those that touch are joined (Edelsbrunner, Letscher,
 * Zomorodian 2002). Where two parts meet, the one with the higher lowest cell ends. The outside is lower than all cells
 * and touches those at the border and beside missing ones. */
#include "core/pits.h"
#include "core/flood.h"
#include "wadi/realism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT = 11, DIGITS = 1 << DIGIT };

typedef struct parts {
    const float *heights;
    int width, height;
    float sign;
    uint64_t *order;  /* key of the height in the upper half, cell in the lower half */
    size_t count;     /* of cells with data */
    uint32_t *parent; /* towards the lowest cell of the part; the cell's own number there. The last is the outside */
    uint32_t outside;
} parts;

#define ABSENT UINT32_MAX

static bool has_data(const parts *p, int x, int y) {
    return x >= 0 && y >= 0 && x < p->width && y < p->height &&
           isfinite(p->heights[(size_t)y * (size_t)p->width + (size_t)x]);
}

/* Sorts by the upper half. Cells of equal height keep their order. */
static void sort(uint64_t *keys, uint64_t *spare, size_t count) {
    for (int shift = 32; shift < 64; shift += DIGIT) {
        size_t at[DIGITS + 1] = {0};
        for (size_t i = 0; i < count; i++) at[(keys[i] >> shift) % DIGITS + 1]++;
        for (int d = 0; d < DIGITS; d++) at[d + 1] += at[d];
        for (size_t i = 0; i < count; i++) spare[at[(keys[i] >> shift) % DIGITS]++] = keys[i];
        uint64_t *swap = keys;
        keys = spare;
        spare = swap;
    }
}

static uint32_t root_of(uint32_t *parent, uint32_t cell) {
    for (; parent[cell] != cell; cell = parent[cell]) parent[cell] = parent[parent[cell]];
    return cell;
}

static double height_of(const parts *p, uint32_t cell) { return (double)(p->sign * p->heights[cell]); }

/* Whether part a is older: its lowest cell is lower, or has the smaller number. */
static bool is_older(const parts *p, uint32_t a, uint32_t b) {
    if (a == p->outside || b == p->outside) return a == p->outside;
    const double ha = height_of(p, a), hb = height_of(p, b);
    return ha < hb || (ha == hb && a < b);
}

/* Joins two parts that meet at a height, and returns the root of both. */
static uint32_t join(parts *p, uint32_t a, uint32_t b, double at, wadi_pits *pits) {
    if (a == b) return a;
    const uint32_t older = is_older(p, a, b) ? a : b, ends = older == a ? b : a;
    const double depth = at - height_of(p, ends);
    pits->all += depth > 0;
    pits->deep += depth > WADI_DEEP_M;
    p->parent[ends] = older;
    return older;
}

static void add_cell(parts *p, uint32_t cell, wadi_pits *pits) {
    const int x = (int)(cell % (uint32_t)p->width), y = (int)(cell / (uint32_t)p->width);
    const double at = height_of(p, cell);
    uint32_t root = p->parent[cell] = cell;
    for (int j = y - 1; j <= y + 1; j++) {
        for (int i = x - 1; i <= x + 1; i++) {
            const uint32_t there = has_data(p, i, j) ? (uint32_t)j * (uint32_t)p->width + (uint32_t)i : p->outside;
            if (p->parent[there] != ABSENT) root = join(p, root, root_of(p->parent, there), at, pits);
        }
    }
}

static void add_all(parts *p, wadi_pits *pits) {
    for (uint32_t i = 0; i < p->outside; i++) {
        p->parent[i] = ABSENT;
        if (isfinite(p->heights[i])) p->order[p->count++] = (uint64_t)wadi_float_key(p->sign * p->heights[i]) << 32 | i;
    }
    p->parent[p->outside] = p->outside;
    sort(p->order, p->order + p->outside, p->count);
    /* three digits: the sorted keys are in the spare half */
    for (size_t i = 0; i < p->count; i++) add_cell(p, (uint32_t)(p->order[p->outside + i] & 0xffffffffu), pits);
}

bool wadi_pits_count(const float *heights, int width, int height, bool peaks, wadi_pits *pits) {
    const size_t count = (size_t)width * (size_t)height;
    *pits = (wadi_pits){0};
    parts p = {.heights = heights,
               .width = width,
               .height = height,
               .sign = peaks ? -1.0f : 1.0f,
               .order = malloc(2 * count * sizeof *p.order),
               .parent = malloc((count + 1) * sizeof *p.parent),
               .outside = (uint32_t)count};
    const bool enough = p.order != NULL && p.parent != NULL;
    if (enough) add_all(&p, pits);
    free(p.order);
    free(p.parent);
    return enough;
}
