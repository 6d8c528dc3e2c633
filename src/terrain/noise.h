/* noise.h: gradient noise in octaves, for the kinds that use it. */
#ifndef WADI_TERRAIN_NOISE_H
#define WADI_TERRAIN_NOISE_H

#include "terrain/kinds.h"

enum {
    WADI_NOISE_GRADIENTS = 1024, /* a power of two */
    WADI_NOISE_FIELD = 64,       /* octaves apart: independent noises of one seed */
};

typedef struct wadi_noise {
    float gradients[WADI_NOISE_GRADIENTS][2];
    double frequency;         /* of the first octave, in lattice cells along the longer side */
    wadi_stretched stretched; /* times half the frequency */
    double roughness;
    int octaves;
} wadi_noise;

/* Waves of the terrain's feature size, and octaves down to waves of about four cells. */
void wadi_noise_prepare(const wadi_terrain *terrain, wadi_noise *noise);

/* One octave at a place of its lattice: mean 0, standard deviation about 0.35. */
double wadi_noise_octave(const wadi_noise *noise, double x, double y, wadi_u32 octave);
/* All octaves at a place in shares of the longer side: fBm, ridges, and billows. */
double wadi_noise_sum(const wadi_noise *noise, double x, double y, wadi_u32 field);
double wadi_noise_ridges(const wadi_noise *noise, double x, double y, wadi_u32 field);

double wadi_noise_billows(const wadi_noise *noise, double x, double y, wadi_u32 field);

/* Noise that moves places. It has only coarse octaves: fine ones would fold neighbouring cells over each other. */
typedef struct wadi_warp {
    wadi_noise noise;
    double reach; /* in shares of the longer side, for noise of standard deviation 1 */
} wadi_warp;
void wadi_warp_prepare(const wadi_terrain *terrain, wadi_warp *warp);
void wadi_warp_place(const wadi_warp *warp, double *u, double *v);

/* Maps a place to half the lattice of the first octave, and stretches it. Then from one octave to the next: twice as
 * fine, turned by the angle of the triangle 3, 4, 5, and shifted. */
static inline void wadi_noise_begin(const wadi_noise *noise, double *x, double *y) {
    const double across = noise->stretched.across[0] * *x + noise->stretched.across[1] * *y;
    *y = noise->stretched.along[0] * *x + noise->stretched.along[1] * *y;
    *x = across;
}
static inline void wadi_noise_finer(double *x, double *y) {
    const double turned = 1.6 * *x - 1.2 * *y + 0.37;
    *y = 1.2 * *x + 1.6 * *y + 0.71;
    *x = turned;
}

#endif
