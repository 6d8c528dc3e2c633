/* warp.c: moves places by two noises (Quilez 2002), so that straight and round shapes bend. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/strict.h"
#include "terrain/noise.h"

enum { ACROSS = 8, DOWN = 9 }; /* fields of noise that no kind uses */

void wadi_warp_prepare(const wadi_terrain *t, wadi_warp *warp) {
    wadi_terrain coarse = *t;
    coarse.roughness = 0.35; /* more would fold the map into swirls */
    coarse.octaves = 3;
    coarse.stretch = 0; /* places move alike in all directions */
    wadi_noise_prepare(&coarse, &warp->noise);
    warp->reach = t->warp_m / wadi_longer_side(t) / 0.37; /* the standard deviation of three octaves */
}

void wadi_warp_place(const wadi_warp *warp, double *u, double *v) {
    const double across = wadi_noise_sum(&warp->noise, *u, *v, ACROSS);
    const double down = wadi_noise_sum(&warp->noise, *u, *v, DOWN);
    *u += warp->reach * across;
    *v += warp->reach * down;
}

/* A place beyond the border is mirrored at it: 0 to n - 1, in cells. */
static double mirrored(double place, int n) {
    const double period = 2.0 * n, shifted = place + 0.5;
    const double within = shifted - floor(shifted / period) * period;
    const double inside = (within < n ? within : period - within) - 0.5;
    return inside > 0 ? (inside < n - 1 ? inside : n - 1) : 0;
}

/* Bilinear between cells. */
static float sample(const wadi_terrain *t, const float *map, double x, double y) {
    const int left = (int)x, top = (int)y;
    const size_t width = (size_t)t->width, here = (size_t)top * width + (size_t)left;
    const size_t right = left + 1 < t->width ? 1 : 0, below = top + 1 < t->height ? width : 0;
    const double s = x - left, r = y - top;
    const double upper = (1 - s) * (double)map[here] + s * (double)map[here + right];
    const double lower = (1 - s) * (double)map[here + below] + s * (double)map[here + below + right];
    return (float)((1 - r) * upper + r * lower);
}

static void move_cells(const wadi_terrain *t, const wadi_warp *warp, const float *still, float *heights) {
    const double longer = wadi_longer_side(t);
    const double x_step = t->lx / longer, y_step = t->ly / longer;
    const int width = t->width, height = t->height;
#pragma omp parallel num_threads(t->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double u = (x + 0.5) * x_step, v = (y + 0.5) * y_step;
                wadi_warp_place(warp, &u, &v);
                heights[(size_t)y * (size_t)width + (size_t)x] =
                    sample(t, still, mirrored(u / x_step - 0.5, width), mirrored(v / y_step - 0.5, height));
            }
        }
    }
}

wadi_status wadi_warp_map(const wadi_terrain *t, float *heights) {
    const size_t bytes = (size_t)t->width * (size_t)t->height * sizeof *heights;
    float *still = malloc(bytes);
    if (still == NULL)
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to warp %dx%d cells", t->width, t->height);
    memcpy(still, heights, bytes);
    wadi_warp warp;
    wadi_warp_prepare(t, &warp);
    move_cells(t, &warp, still, heights);
    free(still);
    return WADI_OK;
}
