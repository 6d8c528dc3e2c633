/* spectrum.c: the power along the grid's axes, along its diagonals, and between them. Each thread transforms pairs of
 * tiles, one as the real and one as the imaginary part. Pairs are added in a fixed order. */
#include "core/spectrum.h"
#include "core/series.h"
#include "core/strict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 256, SMALLEST = 32, RINGS = 5, SECTORS = 3, CLASSES = RINGS * SECTORS, FEWEST_WAVES = 4, NONE = -1 };
#define SHORTEST 4.0 /* wavelength in cells */
#define HALF_OCTAVE 1.4142135623730951
#define WITHIN 0.19891236737965800 /* the tangent of 11.25 degrees */

typedef struct spectrum {
    const float *heights;
    int width, height;
    double lx, ly;
    int side, across, down; /* cells of a tile's side, tiles across and down */
    double *window;         /* side * side, as the next two */
    double *weights;        /* what the Laplacian of differences took off, by frequency across and then down */
    int8_t *classes;        /* ring * SECTORS + (0: axis, 1: diagonal, 2: between), or NONE */
    double turns[LARGEST];  /* cosines and sines of a turn's parts */
    uint64_t counts[CLASSES];
    double (*powers)[CLASSES]; /* of each pair of tiles */
} spectrum;

static int tiles_along(int cells, int side) {
    return cells == side ? 1 : (cells - side + side / 2 - 1) / (side / 2) + 1;
}
static int tile_start(int cells, int side, int tile, int tiles) {
    return tiles == 1 ? 0 : (int)((int64_t)(cells - side) * tile / (tiles - 1));
}

static double at(const spectrum *s, int x, int y) {
    return (double)s->heights[(size_t)y * (size_t)s->width + (size_t)x];
}

/* From the four neighbours; 0 where one is missing. */
static double laplacian(const spectrum *s, int x, int y) {
    if (x < 1 || y < 1 || x >= s->width - 1 || y >= s->height - 1) return 0;
    const double here = at(s, x, y);
    const double value = (at(s, x - 1, y) - here + (at(s, x + 1, y) - here)) / (s->lx * s->lx) +
                         (at(s, x, y - 1) - here + (at(s, x, y + 1) - here)) / (s->ly * s->ly);
    return isfinite(value) ? value : 0;
}

/* --- tables --- */

/* The class of a wave of u and v radians a metre. */
static int class_of(const spectrum *s, double u, double v) {
    const double longer = fmax(s->lx, s->ly), k = sqrt(u * u + v * v);
    const double small = fmin(fabs(u), fabs(v)), large = fmax(fabs(u), fabs(v));
    double waves = 6.283185307179586 / k / longer / SHORTEST; /* length by the shortest */
    int ring = 0;
    if (waves < 1) return NONE;
    for (; waves >= HALF_OCTAVE; ring++) waves /= HALF_OCTAVE;
    if (ring >= RINGS || s->side * k * longer < FEWEST_WAVES * 6.283185307179586) return NONE;
    if (small <= WITHIN * large) return ring * SECTORS;
    return ring * SECTORS + (large - small <= WITHIN * (large + small) ? 1 : 2);
}

static void fill_tables(spectrum *s) {
    const int n = s->side;
    for (int i = 0; i < n / 2; i++) wadi_turn((double)i / n, &s->turns[2 * i], &s->turns[2 * i + 1]);
    for (int i = 0; i < n * n; i++) {
        const int row = i / n;
        const double x = i % n - (n - 1) / 2.0, y = row - (n - 1) / 2.0, r = sqrt(x * x + y * y) / n;
        double cosine, sine;
        wadi_turn(fmin(r, 0.5), &cosine, &sine);
        s->window[i] = 0.5 + 0.5 * cosine;
        /* rows of the transform hold the frequencies across */
        const int across = i / n < n / 2 ? i / n : i / n - n, down = i % n < n / 2 ? i % n : i % n - n;
        const double u = 6.283185307179586 * across / n / s->lx, v = 6.283185307179586 * down / n / s->ly;
        s->classes[i] = (int8_t)(i == 0 ? NONE : class_of(s, u, v));
        if (s->classes[i] == NONE) continue;
        double cos_u, cos_v;
        wadi_turn((double)across / n, &cos_u, &sine);
        wadi_turn((double)down / n, &cos_v, &sine);
        const double found = (2 - 2 * cos_u) / (s->lx * s->lx) + (2 - 2 * cos_v) / (s->ly * s->ly);
        const double factor = (u * u + v * v) / found;
        s->weights[i] = factor * factor;
        s->counts[s->classes[i]]++;
    }
}

/* --- the transform --- */

/* The number with its bits in the opposite order. */
static int mirrored(int i, int side) {
    int result = 0;
    for (int bit = 1; bit < side; bit *= 2, i /= 2) result = 2 * result + i % 2;
    return result;
}

/* Transforms all columns at once. Their rows are in the order of mirrored bits before. */
static void transform_columns(const spectrum *s, double *re, double *im) {
    const int n = s->side;
    for (int half = 1; half < n; half *= 2) {
        for (int row = 0; row < n; row++) {
            if (row & half) continue;
            const int turn = row % half * (n / 2 / half);
            const double c = s->turns[2 * turn], d = -s->turns[2 * turn + 1];
            double *restrict a = re + (size_t)row * (size_t)n, *restrict b = im + (size_t)row * (size_t)n;
            double *restrict e = a + (size_t)half * (size_t)n, *restrict f = b + (size_t)half * (size_t)n;
            for (int i = 0; i < n; i++) {
                const double x = e[i] * c - f[i] * d, y = e[i] * d + f[i] * c;
                e[i] = a[i] - x;
                f[i] = b[i] - y;
                a[i] += x;
                b[i] += y;
            }
        }
    }
}

static void transpose(const spectrum *s, const double *from, double *to) {
    for (int y = 0; y < s->side; y++)
        for (int x = 0; x < s->side; x++) to[mirrored(x, s->side) * s->side + y] = from[y * s->side + x];
}

/* The rows are stored in the order of mirrored bits. A tile beyond the last is 0. */
static void load(const spectrum *s, int tile, double *to) {
    const int n = s->side;
    const bool exists = tile < s->across * s->down;
    const int left = exists ? tile_start(s->width, n, tile % s->across, s->across) : 0;
    const int top = exists ? tile_start(s->height, n, tile / s->across, s->down) : 0;
    for (int y = 0; y < n; y++) {
        double *row = to + (size_t)mirrored(y, n) * (size_t)n;
        for (int x = 0; x < n; x++) row[x] = exists ? s->window[y * n + x] * laplacian(s, left + x, top + y) : 0;
    }
}

/* buffers: four of a tile's size */
static void add_pair(const spectrum *s, int pair, double *buffers) {
    const size_t cells = (size_t)s->side * (size_t)s->side;
    double *re = buffers + 2 * cells, *im = re + cells, *powers = s->powers[pair];
    load(s, 2 * pair, buffers);
    load(s, 2 * pair + 1, buffers + cells);
    transform_columns(s, buffers, buffers + cells);
    transpose(s, buffers, re);
    transpose(s, buffers + cells, im);
    transform_columns(s, re, im);
    memset(powers, 0, sizeof *s->powers);
    for (size_t i = 0; i < cells; i++)
        if (s->classes[i] != NONE) powers[s->classes[i]] += s->weights[i] * (re[i] * re[i] + im[i] * im[i]);
}

static bool add_pairs(const spectrum *s, int pairs) {
    int failed = 0;
#pragma omp parallel reduction(+ : failed)
    {
        WADI_IEEE_MODE;
        double *buffers = malloc(4 * (size_t)s->side * (size_t)s->side * sizeof *buffers);
        failed = buffers == NULL;
#pragma omp for schedule(static)
        for (int pair = 0; pair < pairs; pair++)
            if (buffers != NULL) add_pair(s, pair, buffers);
        free(buffers);
    }
    return failed == 0;
}

/* The geometric means over the rings. */
static wadi_directions ratios_of(const spectrum *s, int pairs) {
    wadi_directions products = {1, 1};
    int rings = 0;
    for (int ring = 0; ring < RINGS; ring++) {
        double sums[SECTORS] = {0}, counts[SECTORS];
        for (int i = 0; i < SECTORS; i++) {
            const int class = ring * SECTORS + i;
            for (int pair = 0; pair < pairs; pair++) sums[i] += s->powers[pair][class];
            counts[i] = (double)s->counts[class];
        }
        if (!(sums[0] > 0 && sums[1] > 0 && sums[2] > 0)) continue;
        products.axis_power *= sums[0] / counts[0] / (sums[1] / counts[1]);
        products.grid_power *= (sums[0] + sums[1]) / (counts[0] + counts[1]) / (sums[2] / counts[2]);
        rings++;
    }
    if (rings == 0) return (wadi_directions){(double)NAN, (double)NAN};
    return (wadi_directions){wadi_power(products.axis_power, 1.0 / rings),
                             wadi_power(products.grid_power, 1.0 / rings)};
}

bool wadi_directions_of(const float *heights, int width, int height, double lx, double ly,
                        wadi_directions *directions) {
    const int least = width < height ? width : height;
    *directions = (wadi_directions){(double)NAN, (double)NAN};
    if (least < SMALLEST) return true;
    spectrum s = {.heights = heights, .width = width, .height = height, .lx = lx, .ly = ly, .side = SMALLEST};
    while (s.side < LARGEST && 2 * s.side <= least) s.side *= 2;
    s.across = tiles_along(width, s.side);
    s.down = tiles_along(height, s.side);
    const size_t cells = (size_t)s.side * (size_t)s.side;
    const int pairs = (int)(((int64_t)s.across * s.down + 1) / 2);
    s.window = malloc(cells * sizeof *s.window);
    s.weights = malloc(cells * sizeof *s.weights);
    s.classes = malloc(cells);
    s.powers = malloc((size_t)pairs * sizeof *s.powers);
    bool enough = s.window != NULL && s.weights != NULL && s.classes != NULL && s.powers != NULL;
    if (enough) fill_tables(&s);
    enough = enough && add_pairs(&s, pairs);
    if (enough) *directions = ratios_of(&s, pairs);
    free(s.window);
    free(s.weights);
    free(s.classes);
    free(s.powers);
    return enough;
}
