/* preview.h: the flat picture of a run's current state. */
#ifndef WADI_RUN_PREVIEW_H
#define WADI_RUN_PREVIEW_H

#include "run_state.h"
#include "wadi/render.h"

/* Height is written to `heights`, water to the raster's values. */
wadi_status run_picture_fields(const run *run, float *heights);
wadi_view run_picture_view(const run *run, const float *heights); /* a view of both */
char *run_picture_title(const run *run); /* what stands above it; NULL without memory; free it */

#endif
