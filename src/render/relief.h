/* relief.h: the light on the ground. */
#ifndef RENDER_RELIEF_H
#define RENDER_RELIEF_H

#include "wadi/status.h"

/* Planes of width * height pixels. */
typedef struct render_relief {
    int width, height, threads;
    const float *ground;   /* 0..1 */
    const float *coverage; /* below RENDER_COVERED: no data */
    bool holes;            /* any pixel without data */
    float steepness;       /* height of 0..1 in pixels, exaggerated */
    float *light;          /* out: 1 on flat ground, more towards the light, 0 away from it */
    float *sky;            /* out: visible share of the sky, 1 on a plain or a summit */
    float *bulge;          /* out: about -1 in hollows, 1 on ridges */
    float *slope;          /* out: tangent, exaggerated */
} render_relief;

/* The 80 % quantile of the slope, in ground units per pixel; 0 on a flat map. */
float render_relief_typical_slope(const render_relief *relief);
wadi_status render_relief_shade(const render_relief *relief);

/* Light from several sides on a plane of gradient gx, gy (tangents; y down): 1 where it is flat. */
float render_light(float gx, float gy);

#endif
