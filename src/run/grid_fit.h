/* grid_fit.h: a map on the samples that an engine wants: resampled from border to border, or cropped. */
#ifndef WADI_RUN_GRID_FIT_H
#define WADI_RUN_GRID_FIT_H

#include "wadi/io.h"

typedef enum grid_fit { FIT_RESAMPLE, FIT_CROP } grid_fit;
extern const char *const run_grid_fit_names[]; /* "resample", "crop", ended by NULL */

/* The first and last samples stay where they are when it is resampled: by a cubic through the neighbours where samples
 * become more, by means where they become fewer. Cropped, the middle stays, and argument error for a larger size. The
 * caller destroys *made. */
wadi_status run_grid_fit(const wadi_raster *from, int width, int height, grid_fit fit, wadi_raster **made);

#endif
