/* spectrum.h (internal): the directions in a map's spectrum. */
#ifndef WADI_CORE_SPECTRUM_H
#define WADI_CORE_SPECTRUM_H

#include "wadi/status.h"

/* As realism.h says. NaN on maps that are flat or too small. false: not enough memory. */
bool wadi_axis_power(const float *heights, int width, int height, double lx, double ly, double *ratio);

#endif
