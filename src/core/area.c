/* area.c: fills an outline row by row, and measures how far inside of it each cell lies. All places are those of the
 * whole grid, so that a tile computes the same numbers. */
#include "core/area.h"

#include <math.h>
#include <stdlib.h>

#include "core/allocate.h"
#include "core/strict.h"

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

static wadi_status make_room(const wadi_domain *domain, const wadi_dab *corners, size_t count, wadi_area *area) {
    const wadi_def *def = &domain->def;
    const extent across = extent_of(corners, count, false), down = extent_of(corners, count, true);
    area->x = within(floor(across.low) - def->tile.x, 0, def->width);
    area->y = within(floor(down.low) - def->tile.y, 0, def->height);
    area->columns = within(ceil(across.high) - def->tile.x, area->x, def->width) - area->x;
    area->rows = within(ceil(down.high) - def->tile.y, area->y, def->height) - area->y;
    const size_t cells = (size_t)area->columns * (size_t)area->rows;
    area->weights = wadi_domain_reserve(domain, (cells + 1) * sizeof *area->weights);
    return area->weights != NULL ? WADI_OK : wadi_domain_no_map(domain);
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

/* From a corner, in cells, to the next one, in m. */
typedef struct edge {
    double x, y, ex, ey;
    double per_length2; /* 0: both corners are the same */
} edge;

static edge edge_at(const wadi_def *def, const wadi_dab *corners, size_t count, size_t i) {
    const wadi_dab *a = &corners[i], *b = &corners[(i + 1) % count];
    const double ex = (b->x - a->x) * def->lx, ey = (b->y - a->y) * def->ly, length2 = ex * ex + ey * ey;
    return (edge){a->x, a->y, ex, ey, length2 > 0 ? 1 / length2 : 0};
}

/* The square of the distance of a cell's centre from an edge, in m2. */
static inline double distance2(const wadi_def *def, const edge *edge, double x, double y) {
    const double px = (x - edge->x) * def->lx, py = (y - edge->y) * def->ly;
    const double along = (px * edge->ex + py * edge->ey) * edge->per_length2;
    const double below = along < 1 ? along : 1, t = below > 0 ? below : 0;
    const double dx = px - t * edge->ex, dy = py - t * edge->ey;
    return dx * dx + dy * dy;
}

/* Columns and rows of cells, and the middle, from which no cell's centre is farther than `half_m`. */
typedef struct block {
    int left, right, top, bottom;
    double x, y, half_m;
} block;

enum { BLOCK = 16 };

static block block_at(const wadi_def *def, const wadi_area *area, int left, int top) {
    block block = {left, left + BLOCK, top, top + BLOCK, 0, 0, 0};
    if (block.right > area->columns) block.right = area->columns;
    if (block.bottom > area->rows) block.bottom = area->rows;
    block.x = def->tile.x + area->x + 0.5 * (block.left + block.right);
    block.y = def->tile.y + area->y + 0.5 * (block.top + block.bottom);
    block.half_m = 0.5 * hypot((block.right - block.left) * def->lx, (block.bottom - block.top) * def->ly);
    return block;
}

static bool has_inside(const wadi_area *area, const block *block) {
    for (int row = block->top; row < block->bottom; row++)
        for (int i = block->left; i < block->right; i++)
            if (row_of(area, row)[i] > 0) return true;
    return false;
}

/* Cells inside that are nearer to this edge than to those before. */
static void approach(const wadi_def *def, const edge *edge, const block *block, const wadi_area *area) {
    const double x = def->tile.x + area->x + block->left + 0.5, y = def->tile.y + area->y + 0.5;
    for (int row = block->top; row < block->bottom; row++) {
        float *values = row_of(area, row) + block->left;
        for (int i = 0; i < block->right - block->left; i++) {
            const float far2 = (float)distance2(def, edge, x + i, y + row);
            values[i] = far2 < values[i] ? far2 : values[i]; /* 0 stays 0 */
        }
    }
}

/* An edge that is farther from the middle than the nearest one, by more than the block is wide, is nearest to no cell
 * of it. What the rounding may hide is added. */
static void approach_edges(const wadi_def *def, const edge *edges, size_t count, double rim_m, const block *block,
                           const wadi_area *area) {
    double nearest2 = INFINITY, widest = 0;
    for (size_t i = 0; i < count; i++) {
        const double far2 = distance2(def, &edges[i], block->x, block->y);
        const double wide = fabs(edges[i].x - block->x) * def->lx + fabs(edges[i].y - block->y) * def->ly;
        nearest2 = far2 < nearest2 ? far2 : nearest2;
        widest = wide > widest ? wide : widest;
    }
    const double more = block->half_m + 1e-9 * widest, nearest = sqrt(nearest2);
    if (nearest > rim_m + more) return;
    const double reach = fmin(nearest + more, rim_m) + more;
    for (size_t i = 0; i < count; i++)
        if (!(distance2(def, &edges[i], block->x, block->y) > reach * reach)) approach(def, &edges[i], block, area);
}

/* The square of the distance from the outline, for cells inside. Beyond the rim it does not matter. */
static void measure(const wadi_domain *domain, const wadi_dab *corners, size_t count, double rim_m,
                    const wadi_area *area) {
    const wadi_def *def = &domain->def;
    edge edges[WADI_MOST_CORNERS];
    for (size_t i = 0; i < count; i++) edges[i] = edge_at(def, corners, count, i);
#pragma omp parallel num_threads(domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(dynamic)
        for (int top = 0; top < area->rows; top += BLOCK)
            for (int left = 0; left < area->columns; left += BLOCK) {
                const block block = block_at(def, area, left, top);
                if (has_inside(area, &block)) approach_edges(def, edges, count, rim_m, &block, area);
            }
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

wadi_status wadi_area_make(const wadi_domain *domain, const wadi_dab *corners, size_t count, wadi_area *area) {
    const wadi_def *def = &domain->def;
    const double rim_m = corners->falloff * corners->radius_m;
    const wadi_status status = make_room(domain, corners, count, area);
    if (status != WADI_OK) return status;
    for (size_t i = 0; i < count; i++) cross(def, &corners[i], &corners[(i + 1) % count], area);
    fill(area);
    if (rim_m > 0) measure(domain, corners, count, rim_m, area);
    weigh(area, rim_m);
    return WADI_OK;
}

void wadi_area_free(wadi_area *area) { wadi_domain_release(area->weights); }
