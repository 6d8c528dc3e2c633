/* diamond_square.c: midpoint displacement with Gaussian offsets (Jako, Toth 2011), level by level.
 *
 * The lattice is infinite. Level k has its nodes at multiples of 2^-k of the map's longer side. A node's offset is a
 * function of the seed, the level and the node's place. So a map is a window of any size or shape. It has no edges,
 * which finite lattices average differently. The shape is the same at every resolution, and finer levels only add to
 * it.
 *
 * If the longer side is a power of two, cells are on nodes. Otherwise a cubic B-spline samples the lattice, which has
 * at most one node per cell, and each cell adds its own offset. The offset is needed because midpoint displacement is
 * rougher on the nodes of a coarse level than between them. Plain interpolation would show a beat of cells and nodes.
 */
#include <math.h>
#include <stdlib.h>

#include "core/strict.h"
#include "terrain/kinds.h"

enum { MAX_LEVELS = 40 };

/* Nodes x0..x1, y0..y1 of a level are valid. The stored values extend one node farther, for the centres. */
typedef struct window {
    int64_t x0, x1, y0, y1;
    float *values;
} window;

static size_t stride(const window *w) { return (size_t)(w->x1 - w->x0 + 3); }
static size_t nodes(const window *w) { return stride(w) * (size_t)(w->y1 - w->y0 + 3); }
static float *node(const window *w, int64_t x, int64_t y) {
    return w->values + (size_t)(y - w->y0 + 1) * stride(w) + (size_t)(x - w->x0 + 1);
}

static int64_t half(int64_t i) { return i >= 0 ? i / 2 : -((1 - i) / 2); } /* rounded down */

/* The part of the level above that `fine` needs. */
static window coarser(window fine) {
    return (window){half(fine.x0 - 1), half(fine.x1 + 1) + 1, half(fine.y0 - 1), half(fine.y1 + 1) + 1, NULL};
}

static float offset(const wadi_terrain *t, int level, int64_t x, int64_t y) {
    return wadi_gaussian(wadi_philox((wadi_u32)x, (wadi_u32)y, (wadi_u32)level, WADI_STREAM_DIAMOND_SQUARE,
                                     (wadi_u32)t->seed, (wadi_u32)(t->seed >> 32)));
}

/* Nodes of the coarse level, and the centres of its squares: the mean of the corners plus an offset. */
static void centres_row(const wadi_terrain *t, int level, float amplitude, const window *coarse, window *fine,
                        int64_t y) {
    const int64_t j = half(y);
    for (int64_t i = half(fine->x0 - 1); i <= half(fine->x1 + 1); i++) {
        const float *top = node(coarse, i, j);
        if (y == 2 * j) {
            if (2 * i >= fine->x0 - 1) *node(fine, 2 * i, y) = *top;
        } else if (2 * i + 1 <= fine->x1 + 1) {
            const float *bottom = node(coarse, i, j + 1);
            const float mean = ((top[0] + bottom[1]) + (top[1] + bottom[0])) * 0.25f;
            *node(fine, 2 * i + 1, y) = mean + amplitude * offset(t, level, 2 * i + 1, y);
        }
    }
}

/* The other nodes: the mean of the two nearest coarse nodes and the two nearest centres, plus an offset. */
static void sides_row(const wadi_terrain *t, int level, float amplitude, window *fine, int64_t y) {
    const ptrdiff_t down = (ptrdiff_t)stride(fine);
    const int64_t parity = y - 2 * half(y);
    int64_t x = fine->x0;
    if (x - 2 * half(x) == parity) x++;
    for (; x <= fine->x1; x += 2) {
        float *here = node(fine, x, y);
        const float mean = ((here[-1] + here[1]) + (here[-down] + here[down])) * 0.25f;
        *here = mean + amplitude * offset(t, level, x, y);
    }
}

static void refine(const wadi_terrain *t, int level, double amplitude, const window *coarse, window *fine) {
    const float centre = (float)amplitude;
    /* The sides are on a lattice that is finer by sqrt(2), half a level deeper. */
    const float side = (float)(amplitude * sqrt(t->roughness));
#pragma omp parallel num_threads(t->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int64_t y = fine->y0 - 1; y <= fine->y1 + 1; y++) centres_row(t, level, centre, coarse, fine, y);
#pragma omp for schedule(static)
        for (int64_t y = fine->y0; y <= fine->y1; y++) sides_row(t, level, side, fine, y);
    }
}

/* The positions of cells on the finest level. */
typedef struct sampling {
    int level;
    double x_step, y_step; /* nodes from one cell to the next */
    bool on_nodes;
    float own; /* amplitude of a cell's own offset between nodes */
} sampling;

static sampling sample_at(const wadi_terrain *t, int level) {
    const double nodes_a_side = (double)((int64_t)1 << level), longer = wadi_longer_side(t);
    sampling s = {.level = level, .x_step = t->lx / longer * nodes_a_side, .y_step = t->ly / longer * nodes_a_side};
    s.on_nodes = s.x_step == floor(s.x_step) && s.y_step == floor(s.y_step);
    return s;
}

/* The nodes that the splines of all the cells read. */
static window window_of(const wadi_terrain *t, const sampling *s) {
    return (window){-1, (int64_t)((t->width - 1) * s->x_step) + 2, -1, (int64_t)((t->height - 1) * s->y_step) + 2,
                    NULL};
}

static sampling choose_sampling(const wadi_terrain *t) {
    const double enough = 4.0 * t->width * t->height + 65536; /* cells may be far from square */
    sampling chosen = sample_at(t, 1);
    for (int level = 2; level < MAX_LEVELS; level++) {
        const sampling finer = sample_at(t, level);
        const window w = window_of(t, &finer);
        if (finer.x_step > 1 && finer.y_step > 1) break;
        if ((finer.x_step > 1 || finer.y_step > 1) && (double)(w.x1 + 4) * (double)(w.y1 + 4) > enough) break;
        chosen = finer;
        if (finer.x_step >= 1 && finer.y_step >= 1) break;
    }
    return chosen;
}

/* The finest level of the lattice; values NULL: no memory. */
static window make_lattice(const wadi_terrain *t, int level, window fine) {
    window levels[MAX_LEVELS];
    levels[level] = fine;
    for (int k = level; k > 0; k--) levels[k - 1] = coarser(levels[k]);
    double amplitude = 1;
    for (int k = 0; k <= level; k++) {
        window *here = &levels[k];
        here->values = calloc(nodes(here), sizeof *here->values);
        if (here->values == NULL) {
            if (k > 0) free(levels[k - 1].values);
            return *here;
        }
        if (k == 0) {
            for (int64_t y = here->y0; y <= here->y1; y++) {
                for (int64_t x = here->x0; x <= here->x1; x++) *node(here, x, y) = 0.5f * offset(t, 0, x, y);
            }
            continue;
        }
        refine(t, k, amplitude, &levels[k - 1], here);
        free(levels[k - 1].values);
        amplitude *= t->roughness;
    }
    return levels[level];
}

/* Cubic B-spline: the weights of the nodes i-1 .. i+2 at i + u. */
static void spline(double u, float weights[4]) {
    const double v = 1 - u;
    weights[0] = (float)(v * v * v / 6);
    weights[1] = (float)((4 - 3 * u * u * (2 - u)) / 6);
    weights[2] = (float)((4 - 3 * v * v * (2 - v)) / 6);
    weights[3] = (float)(u * u * u / 6);
}

static float between(const window *lattice, double x, double y) {
    const int64_t i = (int64_t)x, j = (int64_t)y; /* x and y are not negative */
    float across[4], down[4], sum = 0;
    spline(x - (double)i, across);
    spline(y - (double)j, down);
    for (int k = 0; k < 4; k++) {
        const float *row = node(lattice, i - 1, j - 1 + k);
        sum += down[k] * ((across[0] * row[0] + across[3] * row[3]) + (across[1] * row[1] + across[2] * row[2]));
    }
    return sum;
}

static float cell_at(const wadi_terrain *t, const sampling *s, const window *lattice, int x, int y) {
    if (s->on_nodes) return *node(lattice, (int64_t)(x * s->x_step), (int64_t)(y * s->y_step));
    const wadi_random4 words =
        wadi_philox((wadi_u32)x, (wadi_u32)y, 0, WADI_STREAM_CELLS, (wadi_u32)t->seed, (wadi_u32)(t->seed >> 32));
    return between(lattice, x * s->x_step, y * s->y_step) + s->own * wadi_gaussian(words);
}

/* An octave's amplitude at the finest level, interpolated to the next level if cells are finer than nodes. */
static float own_amplitude(const wadi_terrain *t, const sampling *s) {
    const double step = s->x_step < s->y_step ? s->x_step : s->y_step;
    double amplitude = 0.7; /* measured: then 257 cells are as rough as 256 */
    for (int k = 1; k < s->level; k++) amplitude *= t->roughness;
    const double cells = step > 0.5 && step < 1 ? 1 / step : step < 1 ? 2 : 1;
    return (float)(amplitude * (1 + (cells - 1) * (t->roughness - 1)));
}

wadi_status wadi_make_diamond_square(const wadi_terrain *t, float *heights) {
    sampling s = choose_sampling(t);
    s.own = own_amplitude(t, &s);
    const window lattice = make_lattice(t, s.level, window_of(t, &s));
    if (lattice.values == NULL) {
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to generate %dx%d cells", t->width, t->height);
    }
    const int width = t->width;
#pragma omp parallel num_threads(t->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < t->height; y++) {
            for (int x = 0; x < width; x++)
                heights[(size_t)y * (size_t)width + (size_t)x] = cell_at(t, &s, &lattice, x, y);
        }
    }
    free(lattice.values);
    return WADI_OK;
}
