/* slopes.h (internal): what the figures of a map share. */
#ifndef WADI_CORE_SLOPES_H
#define WADI_CORE_SLOPES_H

#include "wadi/status.h"

wadi_status wadi_check_figures(const float *heights, int width, int height, double lx, double ly);

#endif
