/* slopes.h (internal): helpers for the figures of a map. */
#ifndef WADI_CORE_SLOPES_H
#define WADI_CORE_SLOPES_H

#include "wadi/status.h"

wadi_status wadi_check_figures(const float *heights, int width, int height, double lx, double ly);

#endif
