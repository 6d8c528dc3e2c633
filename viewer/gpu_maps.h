/* gpu_maps.h: a simulation's maps on their way to the window's landscape without the host, where the simulation runs on
 * the GPU that draws. One set of OpenGL's buffers is filled by the work's thread and drawn by the window's, in turn. */
#ifndef WADI_VIEWER_GPU_MAPS_H
#define WADI_VIEWER_GPU_MAPS_H

#include "wadi/landscape.h"
#include "wadi/wadi.h"

enum { GPU_MAPS = 4 }; /* the first of wadi_layer */

typedef struct gpu_maps gpu_maps;
gpu_maps *gpu_maps_new(void);
void gpu_maps_free(gpu_maps *maps); /* after gpu_maps_end */

/* --- the window's thread --- */
/* A context for the work's thread, made while the window's is current; nothing happens where there can be none. */
void gpu_maps_begin(gpu_maps *maps);
/* Buffers of this terrain's maps, by wadi_layer; NULL: there are no new ones. */
const unsigned *gpu_maps_take(gpu_maps *maps, uint64_t terrain);
void gpu_maps_done(gpu_maps *maps); /* OpenGL has done with what was taken */
bool gpu_maps_wait(gpu_maps *maps); /* whether there are some to be taken */

/* --- any thread --- */
bool gpu_maps_flow(gpu_maps *maps); /* whether maps come this way, as far as is known */

/* --- the work's thread --- */
/* false: the last ones have not been drawn yet, or maps do not come this way. */
bool gpu_maps_send(gpu_maps *maps, const wadi_sim *sim, uint64_t terrain);
void gpu_maps_end(gpu_maps *maps); /* the last thing that this thread does with them */

#endif
