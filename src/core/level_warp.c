/* level_warp.c: displaces a grid that was carried up, by the curl of smooth noise. A curl has no divergence: areas, and
 * so volumes, stay nearly as they are. The noise is a cubic B-spline over a lattice of random numbers. */
#include "wadi/levels.h"

#include <math.h>
#include <stdlib.h>

#include "core/need.h"
#include "core/random.h"
#include "core/strict.h"

enum { SPACING = 3, STREAM = 0x57415250, AROUND = 4 }; /* coarse cells between two nodes; nodes around a place */

/* Root mean square of the noise's gradient, per spacing: sqrt(2 x 1/3 x 151/315 x 2/3). A node has the mean square 1/3.
 * 151/315 and 2/3 are the integrals of the squares of the spline and of its derivative. */
#define GRADIENT 0.4616

/* The lattice along one side. */
typedef struct side {
    int cells, coarse, nodes;
    double spacing; /* in cells */
    bool wrap;
} side;

typedef struct warp {
    side x, y;
    double reach; /* in cells of the coarser grid, per unit of the gradient */
    const float *node;
} warp;

static side side_of(int cells, int coarse, bool wrap) {
    side s = {.cells = cells, .coarse = coarse, .wrap = wrap, .spacing = (double)cells * SPACING / coarse};
    if (wrap && coarse < SPACING) s.nodes = 1;
    if (wrap && coarse >= SPACING) s.nodes = coarse / SPACING;
    if (wrap) s.spacing = (double)cells / s.nodes;
    if (!wrap) s.nodes = coarse / SPACING + AROUND;
    return s;
}

/* Spline and derivative at a cell's centre. `first`: the first of the nodes around it. */
typedef struct weights {
    double value[AROUND], slope[AROUND];
    int first;
} weights;

static weights weights_of(const side *s, int cell) {
    const double at = (cell + 0.5) / s->spacing, whole = floor(at), u = at - whole, v = 1 - u;
    return (weights){{v * v * v / 6, (4 - 3 * u * u * (2 - u)) / 6, (4 - 3 * v * v * (2 - v)) / 6, u * u * u / 6},
                     {-v * v / 2, (3 * u - 4) * u / 2, (4 - 3 * v) * v / 2, u * u / 2},
                     (int)whole};
}

static int node_of(const side *s, int node) { return s->wrap ? node % s->nodes : node; }

/* Whether no place on the border is moved by this node. Its spline is four spacings wide, and node 1 stands on the
 * first border. */
static bool is_inside(const side *s, int node) {
    return s->wrap || (node >= AROUND - 1 && (node - 1) + 2 <= s->cells / s->spacing);
}

static float *make_nodes(const warp *w, uint64_t seed) {
    float *node = calloc((size_t)w->x.nodes * (size_t)w->y.nodes, sizeof *node);
    if (node == NULL) return NULL;
    for (int j = 0; j < w->y.nodes; j++)
        for (int i = 0; i < w->x.nodes; i++) {
            if (!is_inside(&w->x, i) || !is_inside(&w->y, j)) continue;
            const wadi_random4 words = wadi_philox((wadi_u32)i, (wadi_u32)j, (wadi_u32)w->x.coarse, STREAM,
                                                   (wadi_u32)seed, (wadi_u32)(seed >> 32));
            node[(size_t)j * (size_t)w->x.nodes + (size_t)i] = 2 * wadi_unit_float(words.v[0]) - 1;
        }
    return node;
}

/* Between the four cells around the place, in cells from the first one's centre. NaN, where one has no data. */
static double value_at(const warp *w, const float *values, double x, double y) {
    const double left = floor(x), top = floor(y);
    double rows[2];
    for (int j = 0; j < 2; j++) {
        double pair[2];
        for (int i = 0; i < 2; i++) {
            int column = (int)left + i, row = (int)top + j;
            if (w->x.wrap) column = (column + w->x.cells) % w->x.cells, row = (row + w->y.cells) % w->y.cells;
            column = column < 0 ? 0 : column < w->x.cells ? column : w->x.cells - 1;
            row = row < 0 ? 0 : row < w->y.cells ? row : w->y.cells - 1;
            pair[i] = (double)values[(size_t)row * (size_t)w->x.cells + (size_t)column];
        }
        rows[j] = pair[0] + (x - left) * (pair[1] - pair[0]);
    }
    return rows[0] + (y - top) * (rows[1] - rows[0]);
}

static void warp_row(const warp *w, const float *values, int y, float *warped) {
    const weights down = weights_of(&w->y, y);
    for (int x = 0; x < w->x.cells; x++) {
        const weights across = weights_of(&w->x, x);
        double along_x = 0, along_y = 0; /* the noise's gradient */
        for (int j = 0; j < AROUND; j++) {
            const float *nodes = w->node + (size_t)node_of(&w->y, down.first + j) * (size_t)w->x.nodes;
            double value = 0, slope = 0;
            for (int i = 0; i < AROUND; i++) {
                const double node = (double)nodes[node_of(&w->x, across.first + i)];
                value += across.value[i] * node;
                slope += across.slope[i] * node;
            }
            along_x += down.value[j] * slope;
            along_y += down.slope[j] * value;
        }
        const size_t here = (size_t)y * (size_t)w->x.cells + (size_t)x;
        const double to_x = w->reach * w->x.cells / w->x.coarse * along_y;
        const double to_y = -w->reach * w->y.cells / w->y.coarse * along_x;
        const double value = value_at(w, values, x + to_x, y + to_y);
        warped[here] = isnan(value) || isnan(values[here]) ? values[here] : (float)value;
    }
}

wadi_status wadi_warp_level(const float *values, int width, int height, int coarse_width, int coarse_height, bool wrap,
                            double amount, uint64_t seed, float *warped) {
    WADI_NEED(values);
    WADI_NEED(warped);
    if (!(coarse_width >= 1 && coarse_height >= 1 && coarse_width <= width && coarse_height <= height))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%d x %d cells are no coarser grid of %d x %d", coarse_width,
                         coarse_height, width, height);
    if (!(amount >= 0 && amount <= WADI_MOST_LEVEL_WARP))
        return wadi_fail(WADI_ERROR_ARGUMENT, "levels are warped by 0 to %g cells, not %g", WADI_MOST_LEVEL_WARP,
                         amount);
    warp w = {side_of(width, coarse_width, wrap), side_of(height, coarse_height, wrap), amount / GRADIENT, NULL};
    float *nodes = make_nodes(&w, seed);
    if (nodes == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to warp a level");
    w.node = nodes;
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < height; y++) warp_row(&w, values, y, warped);
    }
    free(nodes);
    return WADI_OK;
}
