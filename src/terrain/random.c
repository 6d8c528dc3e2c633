/* random.c: independent random heights on a square lattice, joined by a cubic B-spline, in octaves of lattices (value
 * noise). The report of Swenson and Patil (2018) shows a random terrain, but does not describe its method. */
#include <math.h>

#include "core/spline.h"
#include "terrain/kinds.h"

typedef struct lattices {
    wadi_u32 seed[2];
    double squares; /* of the first lattice, along the longer side */
    wadi_stretched stretched;
    double roughness;
    int octaves;
} lattices;

static double height_of(const lattices *l, int64_t x, int64_t y, int octave) {
    return (double)wadi_gaussian(
        wadi_philox((wadi_u32)x, (wadi_u32)y, (wadi_u32)octave, WADI_STREAM_LATTICE, l->seed[0], l->seed[1]));
}

static double octave_at(const lattices *l, double x, double y, int octave) {
    const double left = floor(x), top = floor(y);
    double across[4], down[4], sum = 0;
    wadi_spline(x - left, across);
    wadi_spline(y - top, down);
    for (int j = 0; j < 4; j++) {
        double row = 0;
        for (int i = 0; i < 4; i++)
            row += across[i] * height_of(l, (int64_t)left - 1 + i, (int64_t)top - 1 + j, octave);
        sum += down[j] * row;
    }
    return sum;
}

static double random_height(const void *context, double u, double v) {
    const lattices *l = context;
    const double *across = l->stretched.across, *along = l->stretched.along;
    const double x = across[0] * u + across[1] * v, y = along[0] * u + along[1] * v;
    double sum = 0, amplitude = 1, squares = l->squares;
    for (int octave = 0; octave < l->octaves; octave++) {
        sum += amplitude * octave_at(l, x * squares, y * squares, octave);
        amplitude *= l->roughness;
        squares *= 2;
    }
    return sum;
}

wadi_status wadi_make_random(const wadi_terrain *t, float *heights) {
    lattices l = {.seed = {(wadi_u32)t->seed, (wadi_u32)(t->seed >> 32)},
                  .squares = 8,
                  .stretched = wadi_stretch_of(t),
                  .roughness = t->roughness,
                  .octaves = 1};
    if (t->feature_m > 0) l.squares = 2 * wadi_longer_side(t) / t->feature_m; /* a node at each crest and trough */
    const double cell = t->lx < t->ly ? t->lx : t->ly;
    for (double cells = wadi_longer_side(t) / cell / l.squares; cells >= 4 && l.octaves < 24; cells /= 2) l.octaves++;
    if (t->octaves > 0 && l.octaves > t->octaves) l.octaves = t->octaves;
    wadi_fill_places(t, heights, random_height, &l);
    return WADI_OK;
}

static wadi_u32 bits_of(double value) {
    const union {
        float value;
        wadi_u32 bits;
    } number = {(float)value};
    return number.bits;
}

/* From 0 to 1, as likely everywhere between. A cell's number follows from its size, column and row. So a map of half as
 * many cells is like a level of this one. */
wadi_status wadi_make_grain(const wadi_terrain *t, float *heights) {
    const wadi_u32 size = bits_of(t->lx), shape = bits_of(t->ly) - size; /* 0: square */
#pragma omp parallel for num_threads(t->threads)
    for (int y = 0; y < t->height; y++)
        for (int x = 0; x < t->width; x++) {
            const wadi_random4 words = wadi_philox((wadi_u32)x, (wadi_u32)y, size + 0x9e3779b9u * shape,
                                                   WADI_STREAM_GRAIN, (wadi_u32)t->seed, (wadi_u32)(t->seed >> 32));
            heights[(size_t)y * (size_t)t->width + (size_t)x] = wadi_unit_float(words.v[0]);
        }
    return WADI_OK;
}
