/* noise.c: gradient noise (Perlin 2002's fade) summed in octaves: fractional Brownian motion. Each octave is
 * rotated and shifted against the one before, and the first against the map. Gradient noise is 0 on its lattice, so the
 * lattices must not coincide. The gradients are distributed evenly over all directions. Places are fractions of the
 * map's longer side, so the shape is the same at every size. */
#include <math.h>

#include "terrain/noise.h"

void wadi_noise_prepare(const wadi_terrain *t, wadi_noise *noise) {
    for (wadi_u32 i = 0; i < WADI_NOISE_GRADIENTS; i++) {
        const wadi_u32 k0 = (wadi_u32)t->seed, k1 = (wadi_u32)(t->seed >> 32);
        noise->gradients[i][0] = wadi_gaussian(wadi_philox(i, 0, 0, WADI_STREAM_GRADIENTS, k0, k1));
        noise->gradients[i][1] = wadi_gaussian(wadi_philox(i, 1, 0, WADI_STREAM_GRADIENTS, k0, k1));
    }
    noise->frequency = t->feature_m > 0 ? wadi_longer_side(t) / t->feature_m : 3;
    noise->roughness = t->roughness;
    const double cell = t->lx < t->ly ? t->lx : t->ly;
    noise->octaves = 1; /* down to waves of about four cells: shorter ones would no longer be smooth */
    for (double cells = wadi_longer_side(t) / cell / noise->frequency; cells >= 8 && noise->octaves < 24; cells /= 2) {
        noise->octaves++;
    }
    if (t->octaves > 0 && noise->octaves > t->octaves) noise->octaves = t->octaves;
}

/* The gradient of a lattice node, from a hash of its place and octave. */
static const float *gradient(const wadi_noise *noise, wadi_u32 x, wadi_u32 y, wadi_u32 octave) {
    wadi_u32 h = x * 0x9e3779b1u ^ (y + octave * 0x632be5abu) * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return noise->gradients[(h ^ h >> 15) % WADI_NOISE_GRADIENTS];
}

static double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }

double wadi_noise_octave(const wadi_noise *noise, double x, double y, wadi_u32 octave) {
    const double left = floor(x), top = floor(y);
    const double u = x - left, v = y - top;
    double corner[4];
    for (int i = 0; i < 4; i++) {
        const int right = i & 1, down = i >> 1;
        const float *g = gradient(noise, (wadi_u32)((int64_t)left + right), (wadi_u32)((int64_t)top + down), octave);
        corner[i] = (double)g[0] * (u - right) + (double)g[1] * (v - down);
    }
    const double s = fade(u), t = fade(v);
    const double above = corner[0] + s * (corner[1] - corner[0]), below = corner[2] + s * (corner[3] - corner[2]);
    return above + t * (below - above);
}

double wadi_noise_sum(const wadi_noise *noise, double x, double y, wadi_u32 field) {
    double sum = 0, amplitude = 1;
    wadi_noise_begin(noise, &x, &y);
    for (int octave = 0; octave < noise->octaves; octave++) {
        wadi_noise_finer(&x, &y);
        sum += amplitude * wadi_noise_octave(noise, x, y, (wadi_u32)octave + WADI_NOISE_FIELD * field);
        amplitude *= noise->roughness;
    }
    return sum;
}

static double plain(const void *context, double u, double v) { return wadi_noise_sum(context, u, v, 0); }

wadi_status wadi_make_noise(const wadi_terrain *t, float *heights) {
    wadi_noise noise;
    wadi_noise_prepare(t, &noise);
    wadi_fill_places(t, heights, plain, &noise);
    return WADI_OK;
}

/* Musgrave's ridged multifractal (Ebert et al.: Texturing and Modeling, 1994): a ridge where the noise passes 0, and
 * finer ridges where the coarser ones are high. */
double wadi_noise_ridges(const wadi_noise *noise, double x, double y, wadi_u32 field) {
    double sum = 0, amplitude = 1, weight = 1;
    wadi_noise_begin(noise, &x, &y);
    for (int octave = 0; octave < noise->octaves; octave++) {
        wadi_noise_finer(&x, &y);
        const double there = wadi_noise_octave(noise, x, y, (wadi_u32)octave + WADI_NOISE_FIELD * field);
        double ridge = 1 - 1.1 * fabs(there);
        ridge = ridge > 0 ? ridge * ridge * weight : 0;
        sum += amplitude * ridge;
        weight = ridge < 0.5 ? 2 * ridge : 1;
        amplitude *= noise->roughness;
    }
    return sum;
}

static double ridged(const void *context, double u, double v) { return wadi_noise_ridges(context, u, v, 0); }

wadi_status wadi_make_ridged(const wadi_terrain *t, float *heights) {
    wadi_noise noise;
    wadi_noise_prepare(t, &noise);
    wadi_fill_places(t, heights, ridged, &noise);
    return WADI_OK;
}

/* Perlin's turbulence (1985): sharp valleys where the noise passes 0. */
double wadi_noise_billows(const wadi_noise *noise, double x, double y, wadi_u32 field) {
    double sum = 0, amplitude = 1;
    wadi_noise_begin(noise, &x, &y);
    for (int octave = 0; octave < noise->octaves; octave++) {
        wadi_noise_finer(&x, &y);
        sum += amplitude * fabs(wadi_noise_octave(noise, x, y, (wadi_u32)octave + WADI_NOISE_FIELD * field));
        amplitude *= noise->roughness;
    }
    return sum;
}

static double billowed(const void *context, double u, double v) { return wadi_noise_billows(context, u, v, 0); }

wadi_status wadi_make_billowed(const wadi_terrain *t, float *heights) {
    wadi_noise noise;
    wadi_noise_prepare(t, &noise);
    wadi_fill_places(t, heights, billowed, &noise);
    return WADI_OK;
}

/* Noise at places that are displaced by two other noises (Quilez 2002). These have only coarse octaves: fine ones would
 * fold neighbouring cells over each other. */
static double warped(const void *context, double u, double v) {
    wadi_noise coarse = *(const wadi_noise *)context;
    if (coarse.octaves > 3) coarse.octaves = 3;
    const double across = wadi_noise_sum(&coarse, u, v, 1), down = wadi_noise_sum(&coarse, u, v, 2);
    return wadi_noise_sum(context, u + 0.12 * across, v + 0.12 * down, 0);
}

wadi_status wadi_make_warped(const wadi_terrain *t, float *heights) {
    wadi_noise noise;
    wadi_noise_prepare(t, &noise);
    wadi_fill_places(t, heights, warped, &noise);
    return WADI_OK;
}
