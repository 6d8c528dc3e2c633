/* levels.c: averages over coarser grids, and the way back. Along each side, n fine cells and m coarse ones cover the
 * same length. In units of 1 / (n m) of it, a fine cell is m long and a coarse cell is n long: all integers. */
#include "wadi/levels.h"

#include <math.h>
#include <stdlib.h>

#include "core/checks.h"
#include "core/need.h"
#include "core/strict.h"

int wadi_level_cells(int cells, int level) {
    for (int i = 0; i < level && cells > 2; i++) cells = cells / 2 + cells % 2;
    return cells;
}

wadi_status wadi_check_coarser(int width, int height, int coarse_width, int coarse_height) {
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
    const wadi_status status = wadi_check_coarser(width, height, coarse_width, coarse_height);
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

/* Which coarse cells a fine cell and its two neighbours lie in. A neighbour beyond the border has no part. */
typedef struct around {
    part parts[3][2];
    int counts[3];
} around;

static around around_of(int fine, int n, int m, bool wrap) {
    around cells = {0};
    for (int i = 0; i < 3; i++) {
        const int beside = wrap ? (fine + i - 1 + n) % n : fine + i - 1;
        if (beside >= 0 && beside < n) cells.counts[i] = parts_of(beside, n, m, cells.parts[i]);
    }
    return cells;
}

/* What the coarse cells give to a fine cell: the mean of those with data, by shared length. `step`: from cell to cell.
 */
static double given_by(const float *coarse, size_t step, const part *parts, int count) {
    double sum = 0, length = 0;
    for (int i = 0; i < count; i++) {
        const double value = (double)coarse[(size_t)parts[i].coarse * step];
        sum += isnan(value) ? 0 : value * (double)parts[i].length;
        length += isnan(value) ? 0 : (double)parts[i].length;
    }
    return length > 0 ? sum / length : NAN;
}

/* A fine cell exchanges a quarter of the difference with each neighbour that has data. So the total stays. */
static float fine_value(const float *coarse, size_t step, const around *cells) {
    double given[3];
    for (int i = 0; i < 3; i++) given[i] = given_by(coarse, step, cells->parts[i], cells->counts[i]);
    const double here = given[1];
    return (float)(here + ((isnan(given[0]) ? 0 : given[0] - here) + (isnan(given[2]) ? 0 : given[2] - here)) / 4);
}

/* Coarse rows with the columns of the fine grid: those that were needed last. A fine row needs at most six. */
enum { WIDE_ROWS = 16 };
typedef struct wide_rows {
    const float *coarse;
    int coarse_width, width;
    bool wrap;
    int row[WIDE_ROWS]; /* -1: none */
    unsigned made;
    float *values;
} wide_rows;

/* Along x. */
static void widen(const wide_rows *wide, int coarse_row, float *values) {
    const float *row = wide->coarse + (size_t)coarse_row * (size_t)wide->coarse_width;
    for (int x = 0; x < wide->width; x++) {
        const around cells = around_of(x, wide->width, wide->coarse_width, wide->wrap);
        values[x] = fine_value(row, 1, &cells);
    }
}

/* Where a coarse row is among those; it is made if it is not there. */
static int place_of(wide_rows *wide, int coarse_row) {
    for (int i = 0; i < WIDE_ROWS; i++)
        if (wide->row[i] == coarse_row) return i;
    const int place = (int)(wide->made++ % WIDE_ROWS);
    widen(wide, coarse_row, wide->values + (size_t)place * (size_t)wide->width);
    wide->row[place] = coarse_row;
    return place;
}

/* Along y. */
static void make_row(wide_rows *wide, around cells, float *fine) {
    for (int i = 0; i < 3; i++)
        for (int p = 0; p < cells.counts[i]; p++) cells.parts[i][p].coarse = place_of(wide, cells.parts[i][p].coarse);
    for (int x = 0; x < wide->width; x++) fine[x] = fine_value(wide->values + x, (size_t)wide->width, &cells);
}

wadi_status wadi_carry_up(const float *coarse, int coarse_width, int coarse_height, bool wrap, float *fine, int width,
                          int height) {
    WADI_NEED(coarse);
    WADI_NEED(fine);
    const wadi_status status = wadi_check_coarser(width, height, coarse_width, coarse_height);
    if (status != WADI_OK) return status;
    bool all = true;
#pragma omp parallel reduction(&& : all)
    {
        WADI_IEEE_MODE;
        wide_rows wide = {.coarse = coarse, .coarse_width = coarse_width, .width = width, .wrap = wrap};
        for (int i = 0; i < WIDE_ROWS; i++) wide.row[i] = -1;
        wide.values = malloc(WIDE_ROWS * (size_t)width * sizeof *wide.values);
        all = wide.values != NULL;
#pragma omp for schedule(static)
        for (int y = 0; y < height; y++)
            if (all) make_row(&wide, around_of(y, height, coarse_height, wrap), fine + (size_t)y * (size_t)width);
        free(wide.values);
    }
    return all ? WADI_OK : wadi_fail(WADI_ERROR_MEMORY, "not enough memory to carry up a coarser grid");
}
