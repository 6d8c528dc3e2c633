/* map_load.h: gives a simulation the maps that it begins with. */
#ifndef WADI_RUN_MAP_LOAD_H
#define WADI_RUN_MAP_LOAD_H

#include "run_state.h"

/* Adds the input with the hash of its values. */
wadi_status run_add_field_input(run_inputs *inputs, const char *name, const char *path, const wadi_raster *raster);
/* `path`: a file or layers of noise. `option`: for messages. */
wadi_status run_map_load(const run *run, wadi_sim *sim, run_inputs *inputs, const char *option, const char *field,
                         const char *path);

#endif
