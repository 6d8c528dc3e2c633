/* level_warp.c: displaces a grid that was carried up, by the curl of smooth noise. A curl has no divergence: areas, and
 * so volumes, stay nearly as they are. The noise is a cubic B-spline over a lattice of random numbers. */
#include "wadi/levels.h"

#include <math.h>
#include <stdlib.h>

#include "core/checks.h"
#include "core/need.h"
#include "core/random.h"
#include "core/spline.h"
#include "core/strict.h"

enum { SPACING = 3, STREAM = 0x57415250, AROUND = 4 }; /* coarse cells between two nodes; nodes around a place */

/* Root mean square of the noise's gradient, per spacing: sqrt(2 x 1/3 x 151/315 x 2/3). A node has the mean square 1/3.
 * 151/315 and 2/3 are the integrals of the squares of the spline and of its derivative. */
#define GRADIENT 0.4616

/* The lattice along one side. Node 1 stands on the first border; a periodic lattice begins with node 0. */
typedef struct side {
    int cells, coarse, nodes;
    double spacing; /* in cells */
    bool wrap;
} side;

typedef struct warp {
    side x, y;
    double reach; /* a place is moved by so many spacings, per unit of the gradient */
    wadi_u32 key[2];
    uint8_t *still; /* nodes that would move a cell without data; NULL: there is none */
} warp;

static side side_of(int cells, int coarse, bool wrap) {
    side s = {cells, coarse, coarse / SPACING + AROUND, (double)cells * SPACING / coarse, wrap};
    if (!wrap) return s;
    s.nodes = coarse < SPACING ? 1 : coarse / SPACING;
    s.spacing = (double)cells / s.nodes;
    return s;
}

/* Spline and derivative at a cell's centre. `first`: the first of the nodes around it. */
typedef struct weights {
    double value[AROUND], slope[AROUND];
    int first;
} weights;

static weights weights_of(const side *s, int cell) {
    const double at = (cell + 0.5) / s->spacing, whole = floor(at);
    weights w = {.first = (int)whole};
    wadi_spline(at - whole, w.value);
    wadi_spline_slopes(at - whole, w.slope);
    return w;
}

static int node_of(const side *s, int node) { return s->wrap ? node % s->nodes : node; }

/* Whether this node moves no place on the border. Its spline reaches two spacings to each side. */
static bool is_inside(const side *s, int node) { return s->wrap || (node >= 3 && SPACING * (node + 1) <= s->coarse); }

static bool has_missing(const float *values, size_t count) {
    bool any = false;
#pragma omp parallel for schedule(static) reduction(|| : any)
    for (size_t i = 0; i < count; i++) any = any || isnan(values[i]);
    return any;
}

/* Cells without data are a border, too: they stay, with those around them. */
static bool find_still(warp *w, const float *values) {
    if (!has_missing(values, (size_t)w->x.cells * (size_t)w->y.cells)) return true;
    w->still = calloc((size_t)w->x.nodes * (size_t)w->y.nodes, 1);
    for (int y = 0; w->still != NULL && y < w->y.cells; y++) {
        const int down = weights_of(&w->y, y).first;
        for (int x = 0; x < w->x.cells; x++) {
            if (!isnan(values[(size_t)y * (size_t)w->x.cells + (size_t)x])) continue;
            const int across = weights_of(&w->x, x).first;
            for (int k = 0; k < AROUND * AROUND; k++)
                w->still[(size_t)node_of(&w->y, down + k / AROUND) * (size_t)w->x.nodes +
                         (size_t)node_of(&w->x, across + k % AROUND)] = 1;
        }
    }
    return w->still != NULL;
}

static void make_nodes(const warp *w, int row, float *nodes) {
    for (int i = 0; i < w->x.nodes; i++) {
        nodes[i] = 0;
        if (!is_inside(&w->x, i) || !is_inside(&w->y, row)) continue;
        if (w->still != NULL && w->still[(size_t)row * (size_t)w->x.nodes + (size_t)i] != 0) continue;
        const wadi_random4 words =
            wadi_philox((wadi_u32)i, (wadi_u32)row, (wadi_u32)w->x.coarse, STREAM, w->key[0], w->key[1]);
        nodes[i] = 2 * wadi_unit_float(words.v[0]) - 1;
    }
}

/* The rows of nodes around a row of cells. */
typedef struct node_rows {
    int first; /* -1: none yet */
    float *row[AROUND];
} node_rows;

static void find_rows(const warp *w, int first, node_rows *rows) {
    if (first == rows->first) return;
    rows->first = first;
    for (int j = 0; j < AROUND; j++) make_nodes(w, node_of(&w->y, first + j), rows->row[j]);
}

static int wrapped(int at, int cells) { return (at % cells + cells) % cells; }
static int clamped(int at, int cells) { return at < 0 ? 0 : at < cells ? at : cells - 1; }

/* Between the four cells around the place, in cells from the first one's centre. NaN, where one has no data. */
static double value_at(const warp *w, const float *values, double x, double y) {
    const double left = floor(x), top = floor(y);
    double rows[2];
    for (int j = 0; j < 2; j++) {
        double pair[2];
        for (int i = 0; i < 2; i++) {
            int column = (int)left + i, row = (int)top + j;
            column = w->x.wrap ? wrapped(column, w->x.cells) : clamped(column, w->x.cells);
            row = w->y.wrap ? wrapped(row, w->y.cells) : clamped(row, w->y.cells);
            pair[i] = (double)values[(size_t)row * (size_t)w->x.cells + (size_t)column];
        }
        rows[j] = pair[0] + (x - left) * (pair[1] - pair[0]);
    }
    return rows[0] + (y - top) * (rows[1] - rows[0]);
}

/* A curl: to x goes the gradient along y, and to y the opposite of that along x, each by its side's spacing. */
static void warp_row(const warp *w, const float *values, int y, node_rows *rows, float *warped) {
    const weights down = weights_of(&w->y, y);
    find_rows(w, down.first, rows);
    for (int x = 0; x < w->x.cells; x++) {
        const weights across = weights_of(&w->x, x);
        double along_x = 0, along_y = 0; /* the noise's gradient */
        for (int j = 0; j < AROUND; j++) {
            const float *nodes = rows->row[j];
            double value = 0, slope = 0;
            for (int i = 0; i < AROUND; i++) {
                const double node = (double)nodes[node_of(&w->x, across.first + i)];
                value += across.value[i] * node;
                slope += across.slope[i] * node;
            }
            along_x += down.value[j] * slope;
            along_y += down.slope[j] * value;
        }
        const float here = values[(size_t)y * (size_t)w->x.cells + (size_t)x];
        const double to_x = w->reach * w->x.spacing * along_y, to_y = w->reach * w->y.spacing * along_x;
        const double value = value_at(w, values, x + to_x, y - to_y);
        warped[x] = isnan(value) || isnan(here) ? here : (float)value;
    }
}

wadi_status wadi_warp_level(const float *values, int width, int height, int coarse_width, int coarse_height, bool wrap,
                            double amount, uint64_t seed, float *warped) {
    WADI_NEED(values);
    WADI_NEED(warped);
    const wadi_status status = wadi_check_coarser(width, height, coarse_width, coarse_height);
    if (status != WADI_OK) return status;
    if (!(amount >= 0 && amount <= WADI_MOST_LEVEL_WARP))
        return wadi_fail(WADI_ERROR_ARGUMENT, "levels are warped by 0 to %g cells, not %g", WADI_MOST_LEVEL_WARP,
                         amount);
    warp w = {.x = side_of(width, coarse_width, wrap),
              .y = side_of(height, coarse_height, wrap),
              .key = {(wadi_u32)seed, (wadi_u32)(seed >> 32)}};
    /* a coarse cell, in spacings: the mean of both sides, which differ where a periodic lattice is wider */
    const double cell = sqrt((double)width / coarse_width / w.x.spacing * height / coarse_height / w.y.spacing);
    w.reach = amount * cell / GRADIENT;
    bool all = find_still(&w, values);
#pragma omp parallel reduction(&& : all)
    {
        WADI_IEEE_MODE;
        float *nodes = calloc((size_t)w.x.nodes * AROUND, sizeof *nodes);
        node_rows rows = {.first = -1};
        for (int j = 0; j < AROUND && nodes != NULL; j++) rows.row[j] = nodes + (size_t)j * (size_t)w.x.nodes;
        all = all && nodes != NULL;
#pragma omp for schedule(static)
        for (int y = 0; y < height; y++)
            if (all) warp_row(&w, values, y, &rows, warped + (size_t)y * (size_t)width);
        free(nodes);
    }
    free(w.still);
    return all ? WADI_OK : wadi_fail(WADI_ERROR_MEMORY, "not enough memory to warp a level");
}
