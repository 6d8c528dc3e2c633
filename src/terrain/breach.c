/* breach.c: opens closed basins. A priority-flood (Barnes, Lehman, Mulla 2014) spreads from the border, to the lowest
 * cell first, and remembers from where it reached each cell. That way leads out over the lowest pass. Where the flood
 * finds a pit, the way is cut down until it falls all along (selective breaching, Lindsay 2016). A byte for each cell
 * and 16 for each at the flood's edge are all that it keeps. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/need.h"
#include "core/strict.h"
#include "platform/platform.h"
#include "wadi/terrain.h"

/* Of a cell: the direction of the way out, or one of the first three; and bits. */
enum { OUT = 8, UNREACHED = 9, MISSING = 10, WAY = 15, PAST = 16, SEA = 32 };
static const int X_STEP[8] = {1, 1, 0, -1, -1, -1, 0, 1}, Y_STEP[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/* A cell that the flood has reached, and has not yet spread from. */
typedef struct edge_cell {
    uint64_t cell;
    uint32_t height; /* sorts as the float does */
    float level;     /* the height of the highest cell on the way out, before any cut */
} edge_cell;

typedef struct flood {
    const wadi_breaching *how;
    float *heights;
    uint8_t *marks; /* of each cell; PAST: the flood has spread from here; SEA: it is sea */
    edge_cell *heap;
    size_t count, room;
    size_t missing;  /* bytes that there was no room for */
    int failure;     /* errno then */
    double steps[8]; /* m */
    wadi_breached *done;
} flood;

static uint32_t key_of(float height) {
    uint32_t bits;
    height += 0.0f; /* -0 and 0 are one height */
    memcpy(&bits, &height, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static bool is_before(const edge_cell *a, const edge_cell *b) {
    return a->height != b->height ? a->height < b->height : a->cell < b->cell;
}

static void *reserve(flood *f, size_t bytes) {
    void *made = f->how->scratch != NULL ? platform_scratch(f->how->scratch, bytes) : malloc(bytes);
    if (made == NULL) f->missing = bytes, f->failure = errno;
    return made;
}

static void release(void *reserved) {
    if (!platform_scratch_free(reserved)) free(reserved);
}

static bool make_room(flood *f) {
    if (f->count < f->room) return true;
    const size_t room = f->room > 0 ? 2 * f->room : 4096;
    edge_cell *heap = reserve(f, room * sizeof *heap);
    if (heap == NULL) return false;
    if (f->count > 0) memcpy(heap, f->heap, f->count * sizeof *heap);
    release(f->heap);
    f->heap = heap;
    f->room = room;
    return true;
}

static void push(flood *f, const edge_cell *added) {
    if (!make_room(f)) return;
    size_t i = f->count++;
    for (; i > 0 && is_before(added, &f->heap[(i - 1) / 2]); i = (i - 1) / 2) f->heap[i] = f->heap[(i - 1) / 2];
    f->heap[i] = *added;
}

static edge_cell pop(flood *f) {
    const edge_cell least = f->heap[0], last = f->heap[--f->count];
    size_t i = 0;
    for (size_t child = 1; child < f->count; child = 2 * i + 1) {
        if (child + 1 < f->count && is_before(&f->heap[child + 1], &f->heap[child])) child++;
        if (!is_before(&f->heap[child], &last)) break;
        f->heap[i] = f->heap[child];
        i = child;
    }
    f->heap[i] = last;
    return least;
}

/* false: there is none on the map. */
static bool neighbour(const flood *f, uint64_t cell, int direction, uint64_t *there) {
    const uint64_t width = (uint64_t)f->how->width;
    const int x = (int)(cell % width) + X_STEP[direction], y = (int)(cell / width) + Y_STEP[direction];
    if (x < 0 || y < 0 || x >= f->how->width || y >= f->how->height) return false;
    *there = (uint64_t)y * width + (uint64_t)x;
    return f->marks[*there] != MISSING;
}

static int way_of(const flood *f, uint64_t cell) { return f->marks[cell] & WAY; }
static bool is_sea(const flood *f, uint64_t cell) { return (f->marks[cell] & SEA) != 0; }

static void reach(flood *f, uint64_t cell, int way, float level) {
    const bool sea = f->how->sea && (double)level < f->how->sea_m;
    const edge_cell reached = {cell, key_of(f->heights[cell]), level};
    f->marks[cell] = (uint8_t)(sea ? way | SEA : way);
    push(f, &reached);
}

/* Water leaves the map at the border and next to cells without data. */
static void begin(flood *f) {
    const uint64_t cells = (uint64_t)f->how->width * (uint64_t)f->how->height;
    for (uint64_t i = 0; i < cells; i++) f->marks[i] = isfinite(f->heights[i]) ? UNREACHED : MISSING;
    for (uint64_t i = 0; i < cells; i++)
        for (int k = 0; k < 8 && f->marks[i] == UNREACHED; k++) {
            uint64_t there;
            if (!neighbour(f, i, k, &there)) reach(f, i, OUT, f->heights[i]);
        }
}

/* In a basin with a flat bottom, the cell that is reached first is the pit. */
static bool is_pit(const flood *f, const edge_cell *reached) {
    const float height = f->heights[reached->cell];
    if (!(reached->level > height) || is_sea(f, reached->cell)) return false;
    for (int k = 0; k < 8; k++) {
        uint64_t there;
        if (!neighbour(f, reached->cell, k, &there)) continue;
        if (f->heights[there] < height || ((f->marks[there] & PAST) != 0 && f->heights[there] <= height)) return false;
    }
    return true;
}

/* The way from a pit to the first cell that lies lower, or out of the map. */
typedef struct path {
    int64_t cells; /* after the pit; with the last one */
    double length_m, deepest_m;
    float end; /* m: the height that the cut falls to */
} path;

static path path_from(const flood *f, uint64_t pit) {
    path found = {0, 0, 0, f->heights[pit]};
    for (uint64_t at = pit; way_of(f, at) != OUT;) {
        found.length_m += f->steps[way_of(f, at)];
        neighbour(f, at, way_of(f, at), &at);
        found.cells++;
        found.end = f->heights[at] < f->heights[pit] ? f->heights[at] : f->heights[pit];
        if (f->heights[at] < f->heights[pit] || is_sea(f, at)) break;
        found.deepest_m = fmax(found.deepest_m, (double)f->heights[at] - (double)f->heights[pit]);
    }
    return found;
}

#define GENTLE 1e-3 /* the steepest slope of a cut, so that it ends where lower ground begins */

/* Falls evenly, and from cell to cell at least to the next float. */
static void cut(flood *f, uint64_t pit, const path *way) {
    const double top = (double)f->heights[pit];
    const double fall = fmin((top - (double)way->end) / (double)way->cells, GENTLE * fmin(f->how->lx, f->how->ly));
    float last = f->heights[pit];
    uint64_t at = pit;
    for (int64_t i = 1; way_of(f, at) != OUT && !is_sea(f, at); i++) {
        neighbour(f, at, way_of(f, at), &at);
        if (f->heights[at] < last && i >= way->cells) break;
        const float even = (float)(top - fall * (double)i), next = nextafterf(last, -INFINITY);
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

static void open_basin(flood *f, uint64_t pit) {
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
    while (f->count > 0 && f->missing == 0) {
        const edge_cell now = pop(f);
        if (is_pit(f, &now)) open_basin(f, now.cell);
        f->marks[now.cell] |= PAST;
        for (int k = 0; k < 8; k++) {
            uint64_t there;
            if (!neighbour(f, now.cell, k, &there) || f->marks[there] != UNREACHED) continue;
            reach(f, there, (k + 4) % 8, f->heights[there] > now.level ? f->heights[there] : now.level);
        }
    }
}

static wadi_status check(const wadi_breaching *how) {
    if (how->width < 2 || how->height < 2 || (int64_t)how->width * how->height > (int64_t)1 << 40)
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
               .steps = {how->lx, diagonal, how->ly, diagonal, how->lx, diagonal, how->ly, diagonal},
               .done = done};
    f.marks = reserve(&f, cells);
    if (f.marks != NULL) spread(&f);
    release(f.marks);
    release(f.heap);
    if (f.missing == 0) return WADI_OK;
    if (how->scratch != NULL)
        return wadi_fail(WADI_ERROR_IO, "%s: no room for a scratch file of %zu bytes: %s", how->scratch, f.missing,
                         strerror(f.failure));
    return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to breach %zu cells", cells);
}
