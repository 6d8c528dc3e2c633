/* surface.h (internal): what the 3 x 3 cells around a cell say of the ground: its slopes and its curvatures. */
#ifndef WADI_CORE_SURFACE_H
#define WADI_CORE_SURFACE_H

#include "wadi/status.h"

typedef struct wadi_surface {
    const float *heights;
    int width, height;
    double lx, ly;    /* m */
    double light[3];  /* unit vector to the light: east, north, up */
    double stretched; /* factor of the heights in the hillshade */
} wadi_surface;

/* The heights of the 3 x 3 cells from the north-west to the south-east; the middle one is 4. */
typedef struct wadi_window {
    double z[9];
} wadi_window;

/* A cell's value, float32 or NaN. */
typedef double wadi_surface_fn(const wadi_surface *surface, const wadi_window *window);
/* Fills a map; NaN where there are no data. */
void wadi_surface_map(const wadi_surface *surface, wadi_surface_fn *value, float *values);

wadi_surface_fn wadi_surface_tangent, wadi_surface_slope, wadi_surface_aspect, wadi_surface_shade,
    wadi_surface_profile_curvature, wadi_surface_plan_curvature, wadi_surface_curvature;
/* The unit vector of the ground's normal. */
wadi_surface_fn wadi_surface_normal_x, wadi_surface_normal_y, wadi_surface_normal_z;

#endif
