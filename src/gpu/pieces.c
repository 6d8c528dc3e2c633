/* pieces.c: a grid in pieces, so that all groups are done at about the same time, and few rows are done twice. */
#include "gpu/pieces.h"

#include <math.h>
#include <stdlib.h>

static bool add_piece(wadi_gpu_pieces *pieces, int x, int y0, int y1, bool at_border) {
    if (y0 >= y1) return true;
    if (pieces->count == pieces->capacity) {
        const int capacity = 2 * pieces->capacity + 256;
        wadi_gpu_piece *list = realloc(pieces->list, (size_t)capacity * sizeof *list);
        if (list == NULL) return false;
        pieces->list = list;
        pieces->capacity = capacity;
    }
    pieces->list[pieces->count++] = (wadi_gpu_piece){x, y0, y1, at_border};
    return true;
}

/* From y0 to y1 in equal parts of about so many rows. */
static bool add_equal(wadi_gpu_pieces *pieces, int x, int y0, int y1, int rows, bool at_border) {
    const int64_t parts = (y1 - y0 + rows - 1) / rows;
    bool all = true;
    for (int64_t i = 0; i < parts && all; i++)
        all =
            add_piece(pieces, x, (int)(y0 + (y1 - y0) * i / parts), (int)(y0 + (y1 - y0) * (i + 1) / parts), at_border);
    return all;
}

/* Most of a column's rows in large pieces, the rest in small ones. */
typedef struct sizes {
    int large, small, edge;
    double share; /* that is large */
    int at_side;  /* large ones at the border: rows there take longer */
} sizes;

static bool add_column(wadi_gpu_pieces *pieces, int x, int height, const sizes *sizes, bool at_side) {
    const int edge = sizes->edge;
    if (height <= sizes->large && height < WADI_GPU_FEW_ROWS) return add_piece(pieces, x, 0, height, true);
    if (height < 4 * edge) return add_equal(pieces, x, 0, height, edge, true);
    const int end = height - edge, first = edge + (int)(sizes->share * (end - edge));
    const int large = at_side ? sizes->at_side : sizes->large;
    const int small = at_side ? sizes->small * sizes->at_side / sizes->large + 1 : sizes->small;
    return add_piece(pieces, x, 0, edge, true) && add_piece(pieces, x, end, height, true) &&
           add_equal(pieces, x, edge, first, large, at_side) && add_equal(pieces, x, first, end, small, at_side);
}

/* Rows that see the border take so much longer, as was seen. */
#define AT_BORDER 2.5

static double rows_of(const wadi_gpu_piece *p, int rows_twice) {
    return (p->y1 - p->y0 + rows_twice) * (p->edges ? AT_BORDER : 1);
}

/* Those that take longest first: so they are begun. */
static int by_length(const void *a, const void *b) {
    const wadi_gpu_piece *p = a, *q = b;
    const double more = rows_of(q, 8) - rows_of(p, 8);
    return more > 0 ? 1 : more < 0 ? -1 : p->y0 != q->y0 ? p->y0 - q->y0 : p->x - q->x;
}

static bool add_all(wadi_gpu_pieces *pieces, const wadi_gpu_sharing *sharing, const sizes *sizes) {
    bool all = true;
    for (int x = 0; x < sharing->columns && all; x++)
        all = add_column(pieces, x, sharing->height, sizes, x == 0 || x == sharing->columns - 1);
    if (all) qsort(pieces->list, (size_t)pieces->count, sizeof *pieces->list, by_length);
    return all;
}

/* Where there are few rows for each, all are done side by side, and those at the border are smaller. */
static sizes equal_sizes(int rows) {
    const int edge = rows > 8 ? rows * 2 / 3 - 2 : 4;
    return (sizes){rows, rows, edge, 1, edge};
}

static sizes sizes_of(const wadi_gpu_sharing *sharing, int rows, double share, int parts) {
    return (sizes){rows, rows / parts + 1, sharing->edge_rows, share, (int)(rows / AT_BORDER) + 1};
}

bool wadi_gpu_pieces_of_rows(wadi_gpu_pieces *pieces, const wadi_gpu_sharing *sharing, int rows) {
    const sizes sizes = rows < WADI_GPU_FEW_ROWS ? equal_sizes(rows) : sizes_of(sharing, rows, 0.9, 6);
    return add_all(pieces, sharing, &sizes);
}

/* --- how long it takes --- */

#define MOST_GROUPS 32 /* side by side on a unit */

/* What a unit has to do: what is left of each of its groups' pieces, as it was at some time. */
typedef struct unit {
    double since, left[MOST_GROUPS];
    int busy;
} unit;

/* When the first of its groups is done. */
static double next_of(const unit *unit, const double *speed) {
    double least = HUGE_VAL;
    for (int i = 0; i < unit->busy; i++) least = fmin(least, unit->left[i]);
    return unit->since + least / speed[unit->busy];
}

/* Takes new pieces in place of those that are done. */
static void go_on(unit *unit, double now, const double *speed, const wadi_gpu_pieces *pieces, int *begun, int twice) {
    const double done = (now - unit->since) * speed[unit->busy];
    int busy = 0;
    for (int i = 0; i < unit->busy; i++) {
        const double left = unit->left[i] - done;
        if (left > 1e-6)
            unit->left[busy++] = left;
        else if (*begun < pieces->count)
            unit->left[busy++] = rows_of(&pieces->list[(*begun)++], twice);
    }
    unit->busy = busy;
    unit->since = now;
}

/* In rows of a group beside which others work: until all are done, or at least `enough`. Groups take the pieces in
 * turn. Fewer on a unit go faster, but not so much that nothing is lost: by the 3/4th power, as was seen of 1, 2 and 3.
 */
static double time_of(const wadi_gpu_pieces *pieces, const wadi_gpu_sharing *sharing, double enough) {
    const int groups = sharing->groups < MOST_GROUPS ? sharing->groups : MOST_GROUPS;
    unit *units = calloc((size_t)sharing->units, sizeof *units);
    double speed[MOST_GROUPS + 1] = {1}, now = 0;
    int begun = 0;
    if (units == NULL) return HUGE_VAL;
    for (int i = 1; i <= groups; i++) speed[i] = pow((double)groups / i, 0.75);
    for (int i = 0; i < groups; i++)
        for (int u = 0; u < sharing->units && begun < pieces->count; u++)
            units[u].left[units[u].busy++] = rows_of(&pieces->list[begun++], sharing->rows_twice);
    while (now < enough) {
        int first = 0;
        double at = HUGE_VAL;
        for (int u = 0; u < sharing->units; u++) {
            const double next = next_of(&units[u], speed);
            if (next < at) at = next, first = u;
        }
        if (at == HUGE_VAL) break;
        now = at;
        go_on(&units[first], now, speed, pieces, &begun, sharing->rows_twice);
    }
    free(units);
    return now;
}

bool wadi_gpu_pieces_best(wadi_gpu_pieces *best, const wadi_gpu_sharing *sharing) {
    static const double lengths[] = {0.3, 0.5, 0.7, 0.8, 0.88, 0.94, 1}, shares[] = {0.6, 0.7, 0.8, 0.9};
    static const int parts[] = {3, 5, 8};
    const double each = (double)sharing->columns * sharing->height / (sharing->units * sharing->groups);
    double least = HUGE_VAL;
    bool all = true;
    for (int i = 0; i < 7 * 4 * 3 && all; i++) {
        const int rows = (int)fmin(fmax(each * lengths[i / 12], WADI_GPU_FEW_ROWS), sharing->height);
        const sizes sizes = sizes_of(sharing, rows, shares[i / 3 % 4], parts[i % 3]);
        wadi_gpu_pieces trial = {0};
        all = add_all(&trial, sharing, &sizes);
        const double time = all ? time_of(&trial, sharing, least) : HUGE_VAL;
        if (time < least) {
            least = time;
            free(best->list);
            *best = trial;
        } else {
            free(trial.list);
        }
    }
    return all && best->count > 0;
}
