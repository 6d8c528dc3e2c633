/* rasters.h (internal): sets the mask and the maps of parameters. For the core and for src/run. */
#ifndef WADI_CORE_RASTERS_H
#define WADI_CORE_RASTERS_H

#include "wadi/sim.h"

/* Gives the next map: "mask" or a parameter, and the values of all cells, which must stay until the next call. *field
 * is NULL before the call; if it stays so, there are no more. */
typedef wadi_status wadi_next_map_fn(void *context, const char **field, const float **values);

/* Sets several maps, each as wadi_sim_set does, and then makes once what follows from all of them. Each is checked
 * before the next is asked for. If one is refused, or `next` fails, all maps stay as they were. */
WADI_API wadi_status wadi_sim_set_maps(wadi_sim *sim, wadi_next_map_fn *next, void *context);

/* Returns the error that this map would give, and sets nothing. */
wadi_status wadi_check_map(const wadi_sim *sim, const char *field, const float *values);

#endif
