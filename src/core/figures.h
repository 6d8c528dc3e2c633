/* figures.h: what the figures of a map share. */
#ifndef WADI_CORE_FIGURES_H
#define WADI_CORE_FIGURES_H

#include "wadi/status.h"

wadi_status wadi_check_figures(const float *heights, int width, int height, double lx, double ly);

#endif
