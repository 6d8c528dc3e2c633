/* levels.c: averages over coarser grids, and the way back. Along each side, n fine cells and m coarse ones cover the
 * same length. In units of 1 / (n m) of it, a fine cell is m long and a coarse cell is n long: all integers. */
#include "wadi/levels.h"

#include <math.h>
#include <stdlib.h>

#include "core/need.h"
#include "core/strict.h"

int wadi_level_cells(int cells, int level) {
    for (int i = 0; i < level && cells > 2; i++) cells = cells / 2 + cells % 2;
    return cells;
}

static wadi_status check_sizes(int width, int height, int coarse_width, int coarse_height) {
    if (coarse_width >= 1 && coarse_height >= 1 && coarse_width <= width && coarse_height <= height) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%d x %d cells are no coarser grid of %d x %d", coarse_width, coarse_height,
                     width, height);
}

/* --- down --- */

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t most(int64_t a, int64_t b) { return a > b ? a : b; }

/* The fine cells that a coarse cell touches: from `first` up to, not including, `end`. */
typedef struct span {
    int first, end;
} span;

static span fine_cells(int coarse, int n, int m) {
    const int64_t from = (int64_t)coarse * n, to = from + n;
    return (span){(int)(from / m), (int)((to + m - 1) / m)};
}

/* The length that both share. */
static double overlap(int fine, int coarse, int n, int m) {
    const int64_t from = most((int64_t)fine * m, (int64_t)coarse * n);
    return (double)(least((int64_t)(fine + 1) * m, (int64_t)(coarse + 1) * n) - from);
}

static float mean(const float *fine, int width, int height, int coarse_width, int coarse_height, int x, int y) {
    const span columns = fine_cells(x, width, coarse_width), rows = fine_cells(y, height, coarse_height);
    double sum = 0, weights = 0;
    for (int v = rows.first; v < rows.end; v++)
        for (int u = columns.first; u < columns.end; u++) {
            const float value = fine[(size_t)v * (size_t)width + (size_t)u];
            const double weight = overlap(u, x, width, coarse_width) * overlap(v, y, height, coarse_height);
            sum += isnan(value) ? 0 : weight * (double)value;
            weights += isnan(value) ? 0 : weight;
        }
    return weights > 0 ? (float)(sum / weights) : NAN;
}

wadi_status wadi_average(const float *fine, int width, int height, float *coarse, int coarse_width, int coarse_height) {
    WADI_NEED(fine);
    WADI_NEED(coarse);
    const wadi_status status = check_sizes(width, height, coarse_width, coarse_height);
    if (status != WADI_OK) return status;
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < coarse_height; y++)
            for (int x = 0; x < coarse_width; x++)
                coarse[(size_t)y * (size_t)coarse_width + (size_t)x] =
                    mean(fine, width, height, coarse_width, coarse_height, x, y);
    }
    return WADI_OK;
}

/* --- up --- */

/* A part of a fine cell: in this coarse cell, and so long. */
typedef struct part {
    int coarse;
    int64_t length;
} part;

/* A fine cell is at most as long as a coarse one. So it has one or two parts. */
static int parts_of(int fine, int n, int m, part parts[2]) {
    int count = 0;
    for (int64_t at = (int64_t)fine * m; at < (int64_t)(fine + 1) * m; count++) {
        const int64_t coarse = at / n, end = least((int64_t)(fine + 1) * m, (coarse + 1) * n);
        parts[count] = (part){(int)coarse, end - at};
        at = end;
    }
    return count;
}

/* A row or a column of coarse cells. */
typedef struct line {
    const float *values;
    size_t step; /* from cell to cell */
    int count;
    bool wrap;
} line;

/* What the coarse cells give to a fine cell: the mean of those with data, by shared length. */
static double given_to(const line *coarse, int fine, int n) {
    part parts[2];
    const int count = parts_of(fine, n, coarse->count, parts);
    double sum = 0, length = 0;
    for (int i = 0; i < count; i++) {
        const double value = (double)coarse->values[(size_t)parts[i].coarse * coarse->step];
        sum += isnan(value) ? 0 : value * (double)parts[i].length;
        length += isnan(value) ? 0 : (double)parts[i].length;
    }
    return length > 0 ? sum / length : NAN;
}

static double beside(const line *coarse, int fine, int n) {
    if (coarse->wrap) fine = (fine + n) % n;
    return fine < 0 || fine >= n ? NAN : given_to(coarse, fine, n);
}

/* A fine cell exchanges a quarter of the difference with each neighbour that has data. So the total stays. */
static float fine_value(const line *coarse, int fine, int n) {
    const double here = given_to(coarse, fine, n);
    const double left = beside(coarse, fine - 1, n), right = beside(coarse, fine + 1, n);
    return (float)(here + ((isnan(left) ? 0 : left - here) + (isnan(right) ? 0 : right - here)) / 4);
}

/* Along x: coarse rows become rows of fine cells. */
static void widen(const float *coarse, int coarse_width, int rows, bool wrap, float *wide, int width) {
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < rows; y++) {
            const line row = {coarse + (size_t)y * (size_t)coarse_width, 1, coarse_width, wrap};
            for (int x = 0; x < width; x++) wide[(size_t)y * (size_t)width + (size_t)x] = fine_value(&row, x, width);
        }
    }
}

/* Along y. */
static void heighten(const float *wide, int width, int coarse_height, bool wrap, float *fine, int height) {
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const line column = {wide + x, (size_t)width, coarse_height, wrap};
                fine[(size_t)y * (size_t)width + (size_t)x] = fine_value(&column, y, height);
            }
    }
}

wadi_status wadi_carry_up(const float *coarse, int coarse_width, int coarse_height, bool wrap, float *fine, int width,
                          int height) {
    WADI_NEED(coarse);
    WADI_NEED(fine);
    const wadi_status status = check_sizes(width, height, coarse_width, coarse_height);
    if (status != WADI_OK) return status;
    float *wide = malloc((size_t)width * (size_t)coarse_height * sizeof *wide);
    if (wide == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to carry up a coarser grid");
    widen(coarse, coarse_width, coarse_height, wrap, wide, width);
    heighten(wide, width, coarse_height, wrap, fine, height);
    free(wide);
    return WADI_OK;
}
