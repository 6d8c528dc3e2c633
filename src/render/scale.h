/* scale.h: from a map's values to positions along a colour ramp, chosen from the map itself. */
#ifndef RENDER_SCALE_H
#define RENDER_SCALE_H

#include "wadi/status.h"

typedef struct render_scale {
    double low, high; /* the ramp's ends; low < high */
    bool logarithmic, diverging;
    bool empty; /* the map had nothing to show */
} render_scale;

/* Amounts (water, flow, erosion) begin at 0; a logarithmic one spans at most four decades. A map with both signs
 * diverges around 0. Single wild cells do not set the ends: these are the 99.5 % quantiles. */
wadi_status render_scale_choose(const float *values, size_t count, size_t looked_at, bool amount, bool logarithmic,
                                render_scale *scale);

/* Quantiles of the values above `above`, from at most `looked_at` of all taken evenly; 0 where there are none. */
#define RENDER_SAMPLE ((size_t)1 << 18)
wadi_status render_quantiles(const float *values, size_t count, size_t looked_at, float above, const double *shares,
                             double *quantiles, int wanted);

double render_scale_position(const render_scale *scale, double value); /* 0..1; NaN stays NaN */

#define RENDER_TICKS 16
/* Round values within the scale, no more than `most`. Returns how many. */
int render_scale_ticks(const render_scale *scale, int most, double ticks[RENDER_TICKS]);

/* The largest of 1, 2, 5, 10, ... times a power of ten that is at most `value` (positive, finite). */
double render_round_down(double value);

#endif
