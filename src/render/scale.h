/* scale.h: maps values to positions along a colour ramp. The range is chosen from the map. */
#ifndef RENDER_SCALE_H
#define RENDER_SCALE_H

#include "wadi/status.h"

typedef struct render_scale {
    double low, high; /* the ramp's ends; low < high */
    bool logarithmic, diverging;
    bool empty; /* the map had nothing to show */
} render_scale;

typedef enum render_scale_kind {
    RENDER_SCALE_OPEN,     /* of an unknown map: around 0 if its values have both signs, else from end to end */
    RENDER_SCALE_AMOUNT,   /* water, erosion: begins at 0; around 0 if a value is negative */
    RENDER_SCALE_LOG,      /* flow: such an amount, logarithmic over at most four decades */
    RENDER_SCALE_RANGE,    /* height, hardness: from end to end, whatever the signs */
    RENDER_SCALE_AROUND_0, /* change, curvature: diverges around 0, whatever the signs */
} render_scale_kind;

static inline bool render_scale_is_amount(render_scale_kind kind) {
    return kind == RENDER_SCALE_AMOUNT || kind == RENDER_SCALE_LOG;
}

/* The ends are 99.5 % quantiles, so that single extreme cells do not matter. */
wadi_status render_scale_choose(const float *values, size_t count, size_t looked_at, render_scale_kind kind,
                                render_scale *scale);

/* Quantiles of the values above `above`, from at most `looked_at` evenly chosen values; 0 if there are none. */
#define RENDER_SAMPLE ((size_t)1 << 18)
wadi_status render_quantiles(const float *values, size_t count, size_t looked_at, float above, const double *shares,
                             double *quantiles, int wanted);

typedef struct render_grid {
    int width, height;
    double lx, ly;
} render_grid;
/* The film: see wadi_view_film. Its upper limit is for terrain that is under shallow water for the most part.
 * river: the depth of the smallest rivers that a picture shows, at most the film's. It is less where a cell is much
 * wider than a river. It is half the depth that a hundredth of such shallow water exceeds, but at least 8 times the
 * median. */
wadi_status render_film_depth(const float *water, const render_grid *grid, size_t looked_at, double *film,
                              double *river);

double render_scale_position(const render_scale *scale, double value); /* 0..1; NaN stays NaN */

#define RENDER_TICKS 16
/* At most `most` round values within the scale. Returns how many. */
int render_scale_ticks(const render_scale *scale, int most, double ticks[RENDER_TICKS]);

/* The largest of 1, 2, 5, 10, ... times a power of ten that is at most `value` (positive, finite). */
double render_round_down(double value);

#endif
