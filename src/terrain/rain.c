/* rain.c: the rain maps of Swenson and Patil (2018), 1 where it rains and 0 elsewhere. Distances are from the
 * centre of the map, so that mirrored cells get the same bits. */
#include <math.h>

#include "terrain/kinds.h"

static double from_middle(int i, int count) { return 0.5 * (double)(2 * (int64_t)i - (count - 1)); }

/* Whether the cell is within `radius` metres of the centre, or is one of the nearest to it. */
static bool within(const wadi_terrain *t, double radius, int x, int y) {
    const double i = from_middle(x, t->width), j = from_middle(y, t->height);
    if (fabs(i) < 1 && fabs(j) < 1) return true;
    const double dx = i * t->lx, dy = j * t->ly;
    return dx * dx + dy * dy <= radius * radius;
}

static wadi_status fill_disc(const wadi_terrain *t, double radius, float *values) {
    for (int y = 0; y < t->height; y++) {
        for (int x = 0; x < t->width; x++)
            values[(size_t)y * (size_t)t->width + (size_t)x] = within(t, radius, x, y) ? 1 : 0;
    }
    return WADI_OK;
}

wadi_status wadi_make_everywhere(const wadi_terrain *t, float *values) {
    const size_t count = (size_t)t->width * (size_t)t->height;
    for (size_t i = 0; i < count; i++) values[i] = 1;
    return WADI_OK;
}

wadi_status wadi_make_disc(const wadi_terrain *t, float *values) {
    const double across = t->width * t->lx, down = t->height * t->ly;
    return fill_disc(t, 0.25 * (across < down ? across : down), values);
}

/* The middle cell; two or four share the middle where sides are even. */
wadi_status wadi_make_point(const wadi_terrain *t, float *values) { return fill_disc(t, 0, values); }
