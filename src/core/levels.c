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

/* A part of a fine cell: in this coarse cell, from t0 to t1 of its length, where its centre is 0. */
typedef struct part {
    int coarse;
    double t0, t1;
} part;

/* A fine cell is at most as long as a coarse one. So it has one or two parts. */
static int parts_of(int fine, int n, int m, part parts[2]) {
    int count = 0;
    for (int64_t at = (int64_t)fine * m; at < (int64_t)(fine + 1) * m; count++) {
        const int64_t coarse = at / n, end = least((int64_t)(fine + 1) * m, (coarse + 1) * n);
        parts[count] = (part){(int)coarse, (double)(at - coarse * n) / n - 0.5, (double)(end - coarse * n) / n - 0.5};
        at = end;
    }
    return count;
}

/* Values of five coarse cells in a row; NaN: no data, or outside the grid. The one in the middle has data. */
typedef struct five {
    double farther_left, left, middle, right, farther_right;
} five;

static double or_else(double value, double other) { return isnan(value) ? other : value; }

/* What is not there goes on straight. */
static five completed(five v) {
    const double left = or_else(v.left, isnan(v.right) ? v.middle : 2 * v.middle - v.right);
    const double right = or_else(v.right, isnan(v.left) ? v.middle : 2 * v.middle - v.left);
    const bool no_left = isnan(v.left) || isnan(v.farther_left), no_right = isnan(v.right) || isnan(v.farther_right);
    return (five){no_left ? 2 * left - v.middle : v.farther_left, left, v.middle, right,
                  no_right ? 2 * right - v.middle : v.farther_right};
}

/* The integral over the part of a parabola whose mean over the whole coarse cell is the middle value. Its slope is that
 * of the average-interpolating polynomial of degree 4: for halves it gives the same means. */
static double integral(five v, const part *part) {
    v = completed(v);
    const double near = v.right - v.left, far = v.farther_right - v.farther_left;
    const double slope = (22 * near - 3 * far) / 32, bend = ((v.right - v.middle) - (v.middle - v.left)) / 2;
    const double a = part->t0, b = part->t1;
    return v.middle * (b - a) + slope * (b * b - a * a) / 2 + bend * ((b * b * b - a * a * a) / 3 - (b - a) / 12);
}

/* How to reach the neighbours along a row or a column. */
typedef struct line {
    const float *values;
    size_t step; /* from cell to cell */
    int count;
    bool wrap;
} line;

static double value_at(const line *line, int i) {
    if (line->wrap) i = (i % line->count + line->count) % line->count;
    return i < 0 || i >= line->count ? NAN : (double)line->values[(size_t)i * line->step];
}

static five five_around(const line *line, int i) {
    return (five){value_at(line, i - 2), value_at(line, i - 1), value_at(line, i), value_at(line, i + 1),
                  value_at(line, i + 2)};
}

/* The mean over the parts of a fine cell that have data. */
static float fine_mean(const line *line, const part *parts, int count) {
    double sum = 0, length = 0;
    for (int i = 0; i < count; i++) {
        const five v = five_around(line, parts[i].coarse);
        if (isnan(v.middle)) continue;
        sum += integral(v, &parts[i]);
        length += parts[i].t1 - parts[i].t0;
    }
    return length > 0 ? (float)(sum / length) : NAN;
}

/* Along x: coarse rows become rows of fine cells. */
static void widen(const float *coarse, int coarse_width, int rows, bool wrap, float *wide, int width) {
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < rows; y++) {
            const line row = {coarse + (size_t)y * (size_t)coarse_width, 1, coarse_width, wrap};
            for (int x = 0; x < width; x++) {
                part parts[2];
                const int count = parts_of(x, width, coarse_width, parts);
                wide[(size_t)y * (size_t)width + (size_t)x] = fine_mean(&row, parts, count);
            }
        }
    }
}

/* Along y. */
static void heighten(const float *wide, int width, int coarse_height, bool wrap, float *fine, int height) {
#pragma omp parallel
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < height; y++) {
            part parts[2];
            const int count = parts_of(y, height, coarse_height, parts);
            for (int x = 0; x < width; x++) {
                const line column = {wide + x, (size_t)width, coarse_height, wrap};
                fine[(size_t)y * (size_t)width + (size_t)x] = fine_mean(&column, parts, count);
            }
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
