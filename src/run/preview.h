/* preview.h: the flat picture of a run's current state. */
#ifndef WADI_RUN_PREVIEW_H
#define WADI_RUN_PREVIEW_H

#include "run_state.h"
#include "wadi/render.h"

/* The maps of a picture. Its water is in the raster's values. */
typedef struct run_picture {
    float *heights, *ice; /* ice: NULL if no stage of the run has any */
} run_picture;
wadi_status run_picture_create(const run *run, run_picture *picture); /* after an error there is nothing to destroy */
void run_picture_destroy(run_picture *picture);
wadi_status run_picture_read(const run *run, const run_picture *picture); /* sets all three */
wadi_view run_picture_view(const run *run, const run_picture *picture);
char *run_picture_title(const run *run); /* what stands above it; NULL without memory; free it */

#endif
