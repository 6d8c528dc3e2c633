/* gpu_maps.h: a simulation's maps on their way to the landscape in OpenGL's buffers: a CUDA simulation's never leave
 * the GPU, another's are sent by the work's thread, so that no picture waits for them. One set of buffers is filled
 * there and drawn by the window's thread, in turn. (bench/frames.c does it with the same.) */
#ifndef WADI_VIEWER_GPU_MAPS_H
#define WADI_VIEWER_GPU_MAPS_H

#include "wadi/landscape.h"
#include "wadi/wadi.h"

enum { GPU_MAPS = 4 }; /* the first of wadi_layer */
extern const char *const gpu_map_fields[GPU_MAPS];

typedef struct gpu_maps gpu_maps;
gpu_maps *gpu_maps_new(void);       /* NULL: no memory */
void gpu_maps_free(gpu_maps *maps); /* after gpu_maps_end */

/* --- the window's thread --- */
/* A context for the work's thread, made while the window's is current; nothing happens where there can be none. */
void gpu_maps_begin(gpu_maps *maps);
/* Buffers of this terrain's maps, by wadi_layer; NULL: there are no new ones. */
const unsigned *gpu_maps_take(gpu_maps *maps, uint64_t terrain);
void gpu_maps_done(gpu_maps *maps); /* OpenGL has done with what was taken */
bool gpu_maps_wait(gpu_maps *maps); /* whether there are some to be taken */
void gpu_maps_stop(gpu_maps *maps); /* OpenGL does not draw them: maps come another way */
bool gpu_maps_flow(gpu_maps *maps); /* whether maps come this way, as far as is known; for both threads */

/* --- the work's thread --- */
/* At most 30 times a second, and in a fifth of the time. false: not now, or not this way. */
bool gpu_maps_send(gpu_maps *maps, const wadi_sim *sim, uint64_t terrain);
void gpu_maps_end(gpu_maps *maps); /* the last thing that this thread does with them, after its simulations' end */

#endif
