/* gpu_maps.h: passes a simulation's maps to the landscape in OpenGL buffers. The maps of a CUDA simulation never leave
 * the GPU. For other engines the work's thread uploads them, so that no picture waits for an upload. The work's thread
 * fills one set of buffers while the window's thread draws the other. (bench/frames.c measures the same method.) */
#ifndef WADI_VIEWER_GPU_MAPS_H
#define WADI_VIEWER_GPU_MAPS_H

#include "wadi/landscape.h"
#include "wadi/wadi.h"

/* The layers that come this way, and their fields. The last one is ice, which few models have. */
enum { GPU_MAPS = 5 };
typedef struct gpu_map {
    wadi_layer layer;
    const char *field;
} gpu_map;
extern const gpu_map gpu_map_list[GPU_MAPS];

typedef struct gpu_maps gpu_maps;
gpu_maps *gpu_maps_new(void);       /* NULL: out of memory */
void gpu_maps_free(gpu_maps *maps); /* call after gpu_maps_end */

/* --- the window's thread --- */
/* Makes a context for the work's thread. The window's context must be current. Where no second context is possible, it
 * does nothing. */
void gpu_maps_begin(gpu_maps *maps);
/* Buffers with this terrain's maps, in the order of the list; 0: the model has no such map. NULL: there are no new
 * ones.
 */
const unsigned *gpu_maps_take(gpu_maps *maps, uint64_t terrain);
void gpu_maps_done(gpu_maps *maps); /* OpenGL no longer uses the buffers that were taken */
bool gpu_maps_wait(gpu_maps *maps); /* whether gpu_maps_take would return buffers */
void gpu_maps_stop(gpu_maps *maps); /* OpenGL cannot draw from them: maps come as frames instead */
bool gpu_maps_flow(gpu_maps *maps); /* whether maps come this way, as far as is known; for both threads */

/* --- the work's thread --- */
/* Sends at most 30 times a second, and spends at most a fifth of the time on it. false: not due now, or not possible.
 */
bool gpu_maps_send(gpu_maps *maps, const wadi_sim *sim, uint64_t terrain);
void gpu_maps_again(gpu_maps *maps); /* this thread has used another context meanwhile */
void gpu_maps_end(gpu_maps *maps);   /* the thread's last call; its simulations are destroyed before */

#endif
