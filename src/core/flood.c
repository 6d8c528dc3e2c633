/* flood.c: priority-flood with D8 directions on the flooded surface. The flood reaches cells in the order of their
 * flooded height, and each cell drains to one that was reached before. So one pass in reverse order adds up the areas.
 * The queue of dry cells is their sorted list: a dry cell is reached before its turn, because the flood has risen to a
 * lower neighbour. */
#include "core/flood.h"
#include "core/slopes.h"
#include "core/sort.h"
#include "core/strict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OUT = WADI_FLOOD_OUT, UNREACHED, MISSING, WAITING = 16 }; /* + WAITING until a dry cell's turn comes */
static const int X_STEP[8] = {1, 1, 0, -1, -1, -1, 0, 1}, Y_STEP[8] = {0, 1, 1, 1, 0, -1, -1, -1};

static bool cell_at(const wadi_flood *f, int x, int y, uint32_t *cell) {
    if (x < 0 || y < 0 || x >= f->width || y >= f->height) return false;
    *cell = (uint32_t)y * (uint32_t)f->width + (uint32_t)x;
    return true;
}

static int x_of(const wadi_flood *f, uint32_t cell) { return (int)(cell % (uint32_t)f->width); }
static int y_of(const wadi_flood *f, uint32_t cell) { return (int)(cell / (uint32_t)f->width); }

bool wadi_flood_neighbour(const wadi_flood *f, uint32_t cell, int direction, uint32_t *there) {
    return cell_at(f, x_of(f, cell) + X_STEP[direction], y_of(f, cell) + Y_STEP[direction], there);
}

bool wadi_flood_receiver(const wadi_flood *flood, uint32_t cell, uint32_t *there) {
    const uint8_t way = flood->way[cell];
    if (way >= OUT) return false;
    *there = cell + (uint32_t)(Y_STEP[way] * flood->width + X_STEP[way]); /* never beyond the border */
    return true;
}

/* Water can leave the map here. */
static void open_at(wadi_flood *f, int x, int y) {
    uint32_t cell;
    if (cell_at(f, x, y, &cell) && f->way[cell] == UNREACHED) f->way[cell] = OUT + WAITING;
}

/* All cells are dry at first: their level is their height. Outlets are at the border and beside cells without data. */
static void begin(wadi_flood *f) {
    const uint32_t count = (uint32_t)f->width * (uint32_t)f->height;
    for (uint32_t i = 0; i < count; i++) {
        const bool missing = !isfinite(f->heights[i]);
        f->way[i] = missing ? MISSING : UNREACHED;
        f->level[i] = missing ? NAN : f->heights[i];
    }
    for (int x = 0; x < f->width; x++) open_at(f, x, 0), open_at(f, x, f->height - 1);
    for (int y = 0; y < f->height; y++) open_at(f, 0, y), open_at(f, f->width - 1, y);
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 8 && f->way[i] == MISSING; k++) open_at(f, x_of(f, i) + X_STEP[k], y_of(f, i) + Y_STEP[k]);
}

/* Reaches the neighbours of a cell. Those not above the flood are under water, and join the queue. */
static size_t spread(wadi_flood *f, uint32_t cell, uint32_t *queue, size_t end) {
    const int x = x_of(f, cell), y = y_of(f, cell);
    for (int k = 0; k < 8; k++) {
        uint32_t there;
        if (!cell_at(f, x + X_STEP[k], y + Y_STEP[k], &there) || f->way[there] != UNREACHED) continue;
        if (f->level[there] > f->level[cell]) {
            f->way[there] = (uint8_t)((k + 4) % 8 + WAITING);
            continue;
        }
        f->way[there] = (uint8_t)((k + 4) % 8);
        f->level[there] = f->level[cell];
        queue[end++] = there;
    }
    return end;
}

static void visit(wadi_flood *f, uint32_t cell, bool pooled) {
    f->pooled[f->reached] = pooled;
    f->order[f->reached++] = cell;
}

/* A cell that no neighbour has reached when its turn comes lies under water, and the flood has yet to come. */
static void run(wadi_flood *f, const uint64_t *sorted, size_t count, uint32_t *queue) {
    for (size_t i = 0; i < count; i++) {
        const uint32_t dry = (uint32_t)sorted[i];
        if (!(f->way[dry] & WAITING)) continue;
        f->way[dry] -= WAITING;
        visit(f, dry, false);
        size_t end = spread(f, dry, queue, 0);
        for (size_t k = 0; k < end; k++) {
            visit(f, queue[k], true);
            end = spread(f, queue[k], queue, end);
        }
    }
}

/* A dry cell drains to the steepest lower neighbour. If there is none, it keeps the direction from which the flood
 * came. */
static uint8_t way_of(const wadi_flood *f, int x, int y) {
    const uint32_t cell = (uint32_t)y * (uint32_t)f->width + (uint32_t)x;
    uint8_t way = f->way[cell];
    double steepest = 0;
    if (f->level[cell] != f->heights[cell]) return way;
    for (int k = 0; k < 8; k++) {
        uint32_t there;
        if (!cell_at(f, x + X_STEP[k], y + Y_STEP[k], &there)) continue;
        const double slope = ((double)f->level[cell] - (double)f->level[there]) / f->steps[k];
        if (slope > steepest) {
            steepest = slope;
            way = (uint8_t)k;
        }
    }
    return way;
}

static void choose_ways(wadi_flood *f) {
#pragma omp parallel for schedule(static)
    for (int y = 0; y < f->height; y++) {
        WADI_IEEE_MODE;
        uint8_t *row = f->way + (size_t)y * (size_t)f->width;
        for (int x = 0; x < f->width; x++) row[x] = way_of(f, x, y);
    }
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

/* The keys of the cells with data; NULL: not enough memory. */
static uint64_t *sorted_keys(const float *heights, size_t count, size_t *sorted) {
    uint64_t *keys = malloc(count * sizeof *keys), *found = malloc(count * sizeof *found);
    if (keys != NULL && found != NULL) {
        *sorted = wadi_height_keys(heights, count, keys);
        wadi_sort_heights(keys, found, *sorted);
    } else {
        free(found);
        found = NULL;
    }
    free(keys);
    return found;
}

bool wadi_flood_run(wadi_flood *flood, const float *heights, int width, int height, double lx, double ly) {
    const size_t count = (size_t)width * (size_t)height;
    const double diagonal = sqrt(lx * lx + ly * ly);
    *flood = (wadi_flood){.heights = heights,
                          .width = width,
                          .height = height,
                          .steps = {lx, diagonal, ly, diagonal, lx, diagonal, ly, diagonal},
                          .level = malloc(count * sizeof *flood->level),
                          .way = malloc(count)};
    size_t sorted = 0;
    uint64_t *keys = sorted_keys(heights, count, &sorted);
    flood->order = malloc(count * sizeof *flood->order);
    flood->pooled = malloc(count * sizeof *flood->pooled);
    flood->areas = malloc(count * sizeof *flood->areas);
    const bool enough = flood->level != NULL && flood->way != NULL && flood->order != NULL && flood->areas != NULL &&
                        flood->pooled != NULL && keys != NULL;
    if (enough) {
        begin(flood);
        run(flood, keys, sorted, flood->areas); /* which is added up later */
    }
    free(keys);
    if (!enough) return false;
    choose_ways(flood);
    add_areas(flood);
    return true;
}

void wadi_flood_free(wadi_flood *flood) {
    free(flood->level);
    free(flood->way);
    free(flood->order);
    free(flood->pooled);
    free(flood->areas);
}
