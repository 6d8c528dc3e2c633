/* resample.h: resamples a map of cells to pixels: smooth when enlarged, averaged when reduced. */
#ifndef RENDER_RESAMPLE_H
#define RENDER_RESAMPLE_H

#include "wadi/status.h"

/* Converts a row of cells to the values to average. The average leaves out NaN. */
typedef void render_read_row(const float *cells, float *values, int count, const void *context);

typedef struct render_map {
    const float *cells;
    int width, height;
    render_read_row *read;
    const void *context;
    bool straight; /* when enlarged, the slope continues beyond the border; else only values inside count */
} render_map;

/* values and coverage have out_width * out_height values each; coverage (may be NULL) is the share of a pixel's weight
 * from cells with a value. If it is below RENDER_COVERED, the value is 0. */
#define RENDER_COVERED 0.4f
wadi_status render_resample(const render_map *map, int out_width, int out_height, int threads, float *values,
                            float *coverage);

#endif
