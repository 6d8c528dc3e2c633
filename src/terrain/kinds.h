/* kinds.h: shared by the kinds of terrain. A kind fills the array with heights of any scale. terrain.c stretches them
 * to the requested relief. Only + - * / sqrt are used, so that every machine gives the same bits. */
#ifndef WADI_TERRAIN_KINDS_H
#define WADI_TERRAIN_KINDS_H

#include "core/arithmetic.h"
#include "core/random.h"
#include "wadi/terrain.h"

/* wadi_make_<function>. The terrain is already checked, with threads and relief filled in. Rain maps: 0 to 1. */
#define KIND(function, name, meaning, rain, noise) \
    wadi_status wadi_make_##function(const wadi_terrain *terrain, float *values);
#include "kinds.def"
#undef KIND

/* Fills every cell by a function of its centre, as a fraction of the map's longer side from the top left corner. */
typedef double wadi_shape(const void *context, double u, double v);
void wadi_fill_places(const wadi_terrain *terrain, float *heights, wadi_shape *shape, const void *context);

wadi_status wadi_warp_map(const wadi_terrain *terrain, float *heights); /* the map at moved places */

enum { WADI_LINE_POINTS = 1024 };

/* m: the longer side of the map. */
static inline double wadi_longer_side(const wadi_terrain *terrain) {
    const double across = terrain->width * terrain->lx, down = terrain->height * terrain->ly;
    return across > down ? across : down;
}

void wadi_unit_vector(double degrees, double *sine, double *cosine); /* of length 1; clockwise from up: right, up */

/* Noise whose shapes are longer in one direction is read at other places: across[0] u + across[1] v, and the same of
 * along. */
typedef struct wadi_stretched {
    double across[2], along[2];
} wadi_stretched;
wadi_stretched wadi_stretch_of(const wadi_terrain *terrain);

/* Each use of random numbers has its own stream, so that equal seeds do not give equal numbers. */
enum {
    WADI_STREAM_DIAMOND_SQUARE = 1,
    WADI_STREAM_CELLS,
    WADI_STREAM_GRADIENTS,
    WADI_STREAM_HARDNESS,
    WADI_STREAM_LATTICE,
    WADI_STREAM_FEATURES,
    WADI_STREAM_SPECTRUM,
    WADI_STREAM_GRAIN
};

/* A Gaussian number of variance 1 from 128 random bits: the sum of eight uniform 16-bit numbers. It is exact
 * and needs no logarithm, which each libm rounds differently. It differs from a Gaussian by an excess kurtosis of
 * -0.15, and it stays within 4.9. */
static inline float wadi_gaussian(wadi_random4 words) {
    wadi_u32 sum = 0;
    for (int i = 0; i < 4; i++) sum += (words.v[i] & 0xffffu) + (words.v[i] >> 16);
    const float centred = (float)((int)sum - 4 * 65535); /* below 2^19, so exact */
    return centred * 1.8688467e-5f;                      /* 1 / sqrt(8 * (65536^2 - 1) / 12) */
}

#endif
