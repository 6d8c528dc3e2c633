/* area.c: fills an outline row by row, and measures how far inside of it each cell lies. All places are those of the
 * whole grid, so that a tile computes the same numbers. */
#include "core/area.h"

#include <math.h>
#include <stdlib.h>

static int within(double v, int low, int high) { return v < low ? low : v > high ? high : (int)v; }

typedef struct extent {
    double low, high;
} extent;

static extent extent_of(const wadi_dab *corners, size_t count, bool down) {
    extent extent = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        const double at = down ? corners[i].y : corners[i].x;
        extent.low = fmin(extent.low, at);
        extent.high = fmax(extent.high, at);
    }
    return extent;
}

static wadi_status make_room(const wadi_def *def, const wadi_dab *corners, size_t count, wadi_area *area) {
    const extent across = extent_of(corners, count, false), down = extent_of(corners, count, true);
    area->x = within(floor(across.low) - def->tile.x, 0, def->width);
    area->y = within(floor(down.low) - def->tile.y, 0, def->height);
    area->columns = within(ceil(across.high) - def->tile.x, area->x, def->width) - area->x;
    area->rows = within(ceil(down.high) - def->tile.y, area->y, def->height) - area->y;
    area->weights = calloc((size_t)area->columns * (size_t)area->rows + 1, sizeof *area->weights);
    return area->weights ? WADI_OK : wadi_fail(WADI_ERROR_MEMORY, "not enough memory to paint");
}

static float *row_of(const wadi_area *area, int row) { return area->weights + (size_t)row * (size_t)area->columns; }

/* The first row of the area whose middle lies at or after this place. */
static int row_from(const wadi_def *def, const wadi_area *area, double y) {
    return within(ceil(y - 0.5) - def->tile.y - area->y, 0, area->rows);
}

/* An edge counts 1 or -1 from where it crosses a row. */
static void cross(const wadi_def *def, const wadi_dab *a, const wadi_dab *b, wadi_area *area) {
    const bool sinks = a->y < b->y;
    const wadi_dab *top = sinks ? a : b, *bottom = sinks ? b : a;
    const int last = row_from(def, area, bottom->y);
    for (int row = row_from(def, area, top->y); row < last; row++) {
        const double y = def->tile.y + area->y + row + 0.5;
        const double x = top->x + (y - top->y) * (bottom->x - top->x) / (bottom->y - top->y);
        const int column = within(ceil(x - 0.5) - def->tile.x - area->x, 0, area->columns);
        if (column < area->columns) row_of(area, row)[column] += sinks ? 1 : -1;
    }
}

/* From the crossings: INFINITY inside, where the outline goes round; 0 outside. */
static void fill(const wadi_area *area) {
    for (int row = 0; row < area->rows; row++) {
        float turns = 0, *values = row_of(area, row);
        for (int i = 0; i < area->columns; i++) {
            turns += values[i];
            values[i] = turns > 0 || turns < 0 ? (float)INFINITY : 0;
        }
    }
}

/* The square of the distance of a cell's centre from an edge, in m2. */
static double distance2(const wadi_def *def, const wadi_dab *a, const wadi_dab *b, double x, double y) {
    const double ex = (b->x - a->x) * def->lx, ey = (b->y - a->y) * def->ly;
    const double px = (x - a->x) * def->lx, py = (y - a->y) * def->ly, length2 = ex * ex + ey * ey;
    const double along = length2 > 0 ? (px * ex + py * ey) / length2 : 0;
    const double t = along < 0 ? 0 : along > 1 ? 1 : along;
    return (px - t * ex) * (px - t * ex) + (py - t * ey) * (py - t * ey);
}

/* Cells inside that are nearer to this edge than to those before. Beyond the rim it does not matter. */
static void approach(const wadi_def *def, const wadi_dab *a, const wadi_dab *b, double rim_m, wadi_area *area) {
    const double rx = rim_m / def->lx + 1, ry = rim_m / def->ly + 1;
    const int x0 = def->tile.x + area->x, y0 = def->tile.y + area->y;
    const int left = within(fmin(a->x, b->x) - rx - x0, 0, area->columns);
    const int right = within(fmax(a->x, b->x) + rx - x0, 0, area->columns);
    const int last = within(fmax(a->y, b->y) + ry - y0, 0, area->rows);
    for (int row = within(fmin(a->y, b->y) - ry - y0, 0, area->rows); row < last; row++)
        for (int i = left; i < right; i++) {
            float *value = row_of(area, row) + i;
            if (!(*value > 0)) continue;
            const float far2 = (float)distance2(def, a, b, x0 + i + 0.5, y0 + row + 0.5);
            if (far2 < *value) *value = far2;
        }
}

/* From the squares of distances. */
static void weigh(const wadi_area *area, double rim_m) {
    const size_t cells = (size_t)area->columns * (size_t)area->rows;
    for (size_t i = 0; i < cells; i++) {
        const double far = sqrt((double)area->weights[i]), t = rim_m > 0 ? far / rim_m : far > 0;
        area->weights[i] = t < 1 ? (float)(t * t * (3 - 2 * t)) : 1;
    }
}

wadi_status wadi_area_make(const wadi_def *def, const wadi_dab *corners, size_t count, wadi_area *area) {
    const double rim_m = corners->falloff * corners->radius_m;
    const wadi_status status = make_room(def, corners, count, area);
    if (status != WADI_OK) return status;
    for (size_t i = 0; i < count; i++) cross(def, &corners[i], &corners[(i + 1) % count], area);
    fill(area);
    for (size_t i = 0; i < count && rim_m > 0; i++) approach(def, &corners[i], &corners[(i + 1) % count], rim_m, area);
    weigh(area, rim_m);
    return WADI_OK;
}

void wadi_area_free(wadi_area *area) { free(area->weights); }
