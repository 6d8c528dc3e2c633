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
    noise->stretched = wadi_stretch_of(t);
    for (int i = 0; i < 2; i++) {
        noise->stretched.across[i] *= 0.5 * noise->frequency;
        noise->stretched.along[i] *= 0.5 * noise->frequency;
    }
    noise->roughness = t->roughness;
    const double cell = t->lx < t->ly ? t->lx : t->ly;
    noise->octaves = 1; /* down to waves of about four cells: shorter ones would no longer be smooth */
    for (double cells = wadi_longer_side(t) / cell / noise->frequency; cells >= 8 && noise->octaves < 24; cells /= 2) {
        noise->octaves++;
    }
    if (t->octaves > 0 && noise->octaves > t->octaves) noise->octaves = t->octaves;
}

#define ALONG_X 0x9e3779b1u
#define ALONG_Y 0x85ebca77u
#define ALONG_OCTAVES 0x632be5abu

/* The gradient of a lattice node, from a hash of its place and octave. */
static const float *gradient(const wadi_noise *noise, wadi_u32 place) {
    wadi_u32 h = (place ^ place >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return noise->gradients[(h ^ h >> 15) % WADI_NOISE_GRADIENTS];
}

static double fade(double t) { return t * t * t * (t * (t * 6 - 15) + 10); }

/* As floor, which is a call where a compiler may not use SSE4.1. */
static int64_t whole_below(double v) {
    const int64_t towards_0 = (int64_t)v;
    return towards_0 - (v < (double)towards_0 ? 1 : 0);
}

static double slope_from(const float *gradient, double x, double y) {
    return (double)gradient[0] * x + (double)gradient[1] * y;
}

double wadi_noise_octave(const wadi_noise *noise, double x, double y, wadi_u32 octave) {
    const int64_t left = whole_below(x), top = whole_below(y);
    const double u = x - (double)left, v = y - (double)top;
    const wadi_u32 at_left = (wadi_u32)left * ALONG_X, at_right = at_left + ALONG_X;
    const wadi_u32 at_top = ((wadi_u32)top + octave * ALONG_OCTAVES) * ALONG_Y, at_bottom = at_top + ALONG_Y;
    const double top_left = slope_from(gradient(noise, at_left ^ at_top), u, v);
    const double top_right = slope_from(gradient(noise, at_right ^ at_top), u - 1, v);
    const double bottom_left = slope_from(gradient(noise, at_left ^ at_bottom), u, v - 1);
    const double bottom_right = slope_from(gradient(noise, at_right ^ at_bottom), u - 1, v - 1);
    const double s = fade(u), t = fade(v);
    const double above = top_left + s * (top_right - top_left), below = bottom_left + s * (bottom_right - bottom_left);
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
