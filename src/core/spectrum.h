/* spectrum.h (internal): the directions in a map's spectrum. */
#ifndef WADI_CORE_SPECTRUM_H
#define WADI_CORE_SPECTRUM_H

#include "wadi/status.h"

/* Power along the axes by that along the diagonals, and along both by that between them, as realism.h says. NaN on maps
 * that are flat or too small. */
typedef struct wadi_directions {
    double axis_power, grid_power;
} wadi_directions;

/* false: not enough memory. */
bool wadi_directions_of(const float *heights, int width, int height, double lx, double ly, wadi_directions *directions);

#endif
