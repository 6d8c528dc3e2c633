/* breach.c: opens closed basins. A priority-flood (Barnes, Lehman, Mulla 2014) spreads from the border, to the lowest
 * cell first, and remembers from where it reached each cell. That way leads out over the lowest pass. Where the flood
 * finds a pit, the way is cut down until it falls all along (selective breaching, Lindsay 2016). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/need.h"
#include "core/strict.h"
#include "wadi/terrain.h"

enum { OUT = 8, UNREACHED = 9, MISSING = 10 };
static const int X_STEP[8] = {1, 1, 0, -1, -1, -1, 0, 1}, Y_STEP[8] = {0, 1, 1, 1, 0, -1, -1, -1};

typedef struct flood {
    const wadi_breaching *how;
    float *heights;
    float *level;   /* the height of the highest cell on the way out, before any cut */
    uint8_t *way;   /* direction of the way out; OUT: out of the map */
    uint8_t *past;  /* the flood has spread from here */
    uint64_t *heap; /* height in the upper half, cell in the lower half; each cell is in it at most once */
    size_t count;
    double steps[8]; /* m */
    wadi_breached *done;
} flood;

/* Maps a float to an integer that sorts in the same order. */
static uint64_t key_of(float height, uint32_t cell) {
    uint32_t bits;
    height += 0.0f; /* -0 and 0 are one height */
    memcpy(&bits, &height, sizeof bits);
    bits = bits >> 31 ? ~bits : bits | 0x80000000u;
    return (uint64_t)bits << 32 | cell;
}

static void push(flood *f, uint64_t key) {
    size_t i = f->count++;
    for (; i > 0 && f->heap[(i - 1) / 2] > key; i = (i - 1) / 2) f->heap[i] = f->heap[(i - 1) / 2];
    f->heap[i] = key;
}

static uint32_t pop(flood *f) {
    const uint64_t least = f->heap[0], last = f->heap[--f->count];
    size_t i = 0;
    for (size_t child = 1; child < f->count; child = 2 * i + 1) {
        if (child + 1 < f->count && f->heap[child + 1] < f->heap[child]) child++;
        if (f->heap[child] >= last) break;
        f->heap[i] = f->heap[child];
        i = child;
    }
    f->heap[i] = last;
    return (uint32_t)(least & 0xffffffffu);
}

/* false: there is none on the map. */
static bool neighbour(const flood *f, uint32_t cell, int direction, uint32_t *there) {
    const uint32_t width = (uint32_t)f->how->width;
    const int x = (int)(cell % width) + X_STEP[direction], y = (int)(cell / width) + Y_STEP[direction];
    if (x < 0 || y < 0 || x >= f->how->width || y >= f->how->height) return false;
    *there = (uint32_t)y * width + (uint32_t)x;
    return f->way[*there] != MISSING;
}

static void reach(flood *f, uint32_t cell, int way, float level) {
    f->way[cell] = (uint8_t)way;
    f->level[cell] = level;
    push(f, key_of(f->heights[cell], cell));
}

/* Water leaves the map at the border and next to cells without data. */
static void begin(flood *f) {
    const uint32_t cells = (uint32_t)f->how->width * (uint32_t)f->how->height;
    for (uint32_t i = 0; i < cells; i++) f->way[i] = isfinite(f->heights[i]) ? UNREACHED : MISSING;
    for (uint32_t i = 0; i < cells; i++)
        for (int k = 0; k < 8 && f->way[i] == UNREACHED; k++) {
            uint32_t there;
            if (!neighbour(f, i, k, &there)) reach(f, i, OUT, f->heights[i]);
        }
}

static bool is_sea(const flood *f, uint32_t cell) { return f->how->sea && (double)f->level[cell] < f->how->sea_m; }

/* In a basin with a flat bottom, the cell that is reached first is the pit. */
static bool is_pit(const flood *f, uint32_t cell) {
    if (!(f->level[cell] > f->heights[cell]) || is_sea(f, cell)) return false;
    for (int k = 0; k < 8; k++) {
        uint32_t there;
        if (!neighbour(f, cell, k, &there)) continue;
        if (f->heights[there] < f->heights[cell] || (f->past[there] && f->heights[there] <= f->heights[cell]))
            return false;
    }
    return true;
}

/* The way from a pit to the first cell that lies lower, or out of the map. */
typedef struct path {
    int cells; /* after the pit; with the last one */
    double length_m, deepest_m;
    float end; /* m: the height that the cut falls to */
} path;

static path path_from(const flood *f, uint32_t pit) {
    path found = {0, 0, 0, f->heights[pit]};
    for (uint32_t at = pit; f->way[at] != OUT;) {
        found.length_m += f->steps[f->way[at]];
        neighbour(f, at, f->way[at], &at);
        found.cells++;
        found.end = f->heights[at] < f->heights[pit] ? f->heights[at] : f->heights[pit];
        if (f->heights[at] < f->heights[pit] || is_sea(f, at)) break;
        found.deepest_m = fmax(found.deepest_m, (double)f->heights[at] - (double)f->heights[pit]);
    }
    return found;
}

#define GENTLE 1e-3 /* the steepest slope of a cut, so that it ends where lower ground begins */

/* Falls evenly, and from cell to cell at least to the next float. */
static void cut(flood *f, uint32_t pit, const path *way) {
    const double top = (double)f->heights[pit];
    const double fall = fmin((top - (double)way->end) / way->cells, GENTLE * fmin(f->how->lx, f->how->ly));
    float last = f->heights[pit];
    uint32_t at = pit;
    for (int i = 1; f->way[at] != OUT && !is_sea(f, at); i++) {
        neighbour(f, at, f->way[at], &at);
        if (f->heights[at] < last && i >= way->cells) break;
        const float even = (float)(top - fall * i), next = nextafterf(last, -INFINITY);
        last = even < next ? even : next;
        if (f->heights[at] <= last) {
            last = f->heights[at];
            continue;
        }
        f->done->volume_m3 += ((double)f->heights[at] - (double)last) * f->how->lx * f->how->ly;
        f->done->deepest_m = fmax(f->done->deepest_m, (double)f->heights[at] - (double)last);
        f->done->cells++;
        f->heights[at] = last;
    }
}

static void open_basin(flood *f, uint32_t pit) {
    const path way = path_from(f, pit);
    const bool too_deep = f->how->deepest_m > 0 && way.deepest_m > f->how->deepest_m;
    const bool too_long = f->how->longest_m > 0 && way.length_m > f->how->longest_m;
    if (way.cells == 0) return; /* at the border */
    if (too_deep || too_long) {
        f->done->left++;
        return;
    }
    f->done->opened++;
    cut(f, pit, &way);
}

static void spread(flood *f) {
    begin(f);
    while (f->count > 0) {
        const uint32_t cell = pop(f);
        if (is_pit(f, cell)) open_basin(f, cell);
        f->past[cell] = 1;
        for (int k = 0; k < 8; k++) {
            uint32_t there;
            if (!neighbour(f, cell, k, &there) || f->way[there] != UNREACHED) continue;
            const float level = f->level[cell];
            reach(f, there, (k + 4) % 8, f->heights[there] > level ? f->heights[there] : level);
        }
    }
}

static wadi_status check(const wadi_breaching *how) {
    if (how->width < 2 || how->height < 2 || (uint64_t)how->width * (uint64_t)how->height > UINT32_MAX)
        return wadi_fail(WADI_ERROR_ARGUMENT, "breach: a grid of %d x %d cells cannot be", how->width, how->height);
    if (!(how->lx > 0) || !(how->ly > 0) || !isfinite(how->lx + how->ly))
        return wadi_fail(WADI_ERROR_ARGUMENT, "breach: cells of %g x %g m: both must be above 0", how->lx, how->ly);
    if (!(how->deepest_m >= 0) || !(how->longest_m >= 0))
        return wadi_fail(WADI_ERROR_ARGUMENT, "breach: a depth of %g m or a length of %g m: 0 or more is wanted",
                         how->deepest_m, how->longest_m);
    return WADI_OK;
}

wadi_status wadi_breach(const wadi_breaching *how, float *heights, wadi_breached *done) {
    WADI_IEEE_MODE;
    WADI_NEED(how);
    WADI_NEED(heights);
    WADI_NEED(done);
    *done = (wadi_breached){0};
    const wadi_status status = check(how);
    if (status != WADI_OK) return status;
    const size_t cells = (size_t)how->width * (size_t)how->height;
    const double diagonal = sqrt(how->lx * how->lx + how->ly * how->ly);
    flood f = {.how = how,
               .heights = heights,
               .level = malloc(cells * sizeof *f.level),
               .way = malloc(cells),
               .past = calloc(cells, 1),
               .heap = malloc(cells * sizeof *f.heap),
               .steps = {how->lx, diagonal, how->ly, diagonal, how->lx, diagonal, how->ly, diagonal},
               .done = done};
    const bool enough = f.level != NULL && f.way != NULL && f.past != NULL && f.heap != NULL;
    if (enough) spread(&f);
    free(f.level);
    free(f.way);
    free(f.past);
    free(f.heap);
    return enough ? WADI_OK : wadi_fail(WADI_ERROR_MEMORY, "not enough memory to breach %zu cells", cells);
}
