/* resample.h: a map of cells brought to a picture's pixels, smooth when enlarged and averaged when made smaller. */
#ifndef RENDER_RESAMPLE_H
#define RENDER_RESAMPLE_H

#include "wadi/status.h"

/* Turns a row of cells into what is averaged; NaN takes no part in the average. */
typedef void render_read_row(const float *cells, float *values, int count, const void *context);

typedef struct render_map {
    const float *cells;
    int width, height;
    render_read_row *read;
    const void *context;
    bool straight; /* enlarged, the border's slope goes on beyond it; else the border takes what is inside alone */
} render_map;

/* values and coverage have out_width * out_height values each; coverage (may be NULL) is the share of a pixel's weight
 * that came from cells with a value. Where it is below RENDER_COVERED the value is 0. */
#define RENDER_COVERED 0.4f
wadi_status render_resample(const render_map *map, int out_width, int out_height, int threads, float *values,
                            float *coverage);

#endif
