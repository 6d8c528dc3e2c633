/* shape.c: which path is taken, and in what shape. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/gpu.h"

/* WADI_GPU_SHAPE=levels,columns,strips,shuffle,prefetch,rows,groups,unroll: for trying and for tests; no bit depends on it. */
static bool shape_given(wadi_march_shape *shape) {
    const char *text = getenv("WADI_GPU_SHAPE");
    int v[8] = {0};
    if (text == NULL) return false;
    sscanf(text, "%d,%d,%d,%d,%d,%d,%d,%d", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7]);
    *shape = (wadi_march_shape){v[0], v[1], v[2], v[3] != 0, v[4] != 0, v[6], v[7], v[5]};
    return true;
}

void wadi_gpu_shape_default(const wadi_sim *sim, wadi_march_shape *shape) {
    const wadi_gpu_engine *engine = sim->engine_state;
    (void)engine;
    *shape = (wadi_march_shape){0};
    if (!shape_given(shape)) return;
    if (sim->def.steps_per_pass > 0) shape->levels = sim->def.steps_per_pass;
    if (shape->levels > WADI_MARCH_LEVELS) shape->levels = WADI_MARCH_LEVELS;
}
