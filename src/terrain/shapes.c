/* shapes.c: regular terrains. Distances are from the centre of the map in half cells, so that mirrored cells get the
 * same bits. */
#include <math.h>

#include "core/strict.h"
#include "terrain/kinds.h"

/* m, from the middle of the map to the middle of cell i of `count`. */
static double from_middle(int i, int count, double cell) { return 0.5 * (double)(2 * (int64_t)i - (count - 1)) * cell; }

static double cone(const wadi_terrain *t, int x, int y) {
    const double across = t->width * t->lx, down = t->height * t->ly;
    const double radius = 0.45 * (across < down ? across : down);
    const double dx = from_middle(x, t->width, t->lx), dy = from_middle(y, t->height, t->ly);
    const double distance = sqrt(dx * dx + dy * dy);
    return distance < radius ? radius - distance : 0;
}

static double ramp(const wadi_terrain *t, int x, int y) {
    (void)x;
    return (double)(t->height - 1 - y);
}

/* An inverted pyramid with a level rim for any sides of the map. */
static double basin(const wadi_terrain *t, int x, int y) {
    const double u = fabs(from_middle(x, t->width, 1)) / (t->width - 1);
    const double v = fabs(from_middle(y, t->height, 1)) / (t->height - 1);
    return u > v ? u : v;
}

static double wall(const wadi_terrain *t, int x, int y) {
    (void)x;
    const int thickness = t->height < 32 ? 2 - t->height % 2 : t->height / 16 + (t->height / 16 + t->height) % 2;
    const int first = t->height == 2 ? 1 : (t->height - thickness) / 2; /* in the very middle from 3 rows on */
    return y >= first && y < first + thickness ? 1 : 0;
}

static wadi_status fill(const wadi_terrain *terrain, float *heights,
                        double (*shape)(const wadi_terrain *, int x, int y)) {
    const int width = terrain->width, height = terrain->height;
#pragma omp parallel num_threads(terrain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++)
                heights[(size_t)y * (size_t)width + (size_t)x] = (float)shape(terrain, x, y);
        }
    }
    return WADI_OK;
}

wadi_status wadi_make_cone(const wadi_terrain *terrain, float *heights) { return fill(terrain, heights, cone); }
wadi_status wadi_make_ramp(const wadi_terrain *terrain, float *heights) {
    const int width = terrain->width, height = terrain->height;
    if (terrain->direction_deg == 0) return fill(terrain, heights, ramp);
    double right, up;
    wadi_unit_vector(terrain->direction_deg, &right, &up);
#pragma omp parallel num_threads(terrain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < height; y++) {
            const double rise = up * from_middle(y, height, terrain->ly);
            for (int x = 0; x < width; x++)
                heights[(size_t)y * (size_t)width + (size_t)x] =
                    (float)(right * from_middle(x, width, terrain->lx) - rise);
        }
    }
    return WADI_OK;
}
wadi_status wadi_make_basin(const wadi_terrain *terrain, float *heights) { return fill(terrain, heights, basin); }
wadi_status wadi_make_wall(const wadi_terrain *terrain, float *heights) { return fill(terrain, heights, wall); }
