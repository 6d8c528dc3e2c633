/* map_load.h: gives simulations the maps that they begin with. A path is that of a file, or layers of noise. */
#ifndef WADI_RUN_MAP_LOAD_H
#define WADI_RUN_MAP_LOAD_H

#include "run_options.h"
#include "run_state.h"

/* Adds the input with the hash of its values. */
wadi_status run_add_field_input(run_inputs *inputs, const char *name, const char *path, const wadi_raster *raster);
/* A field of state: "hardness" or "water". `option`: for messages. */
wadi_status run_map_load(const run *run, wadi_sim *sim, run_inputs *inputs, const char *option, const char *field,
                         const char *path);
/* The mask of a stage and its maps of parameters, "symbol=path" each, all or none. */
wadi_status run_maps_load(const run_options *options, const text_list *maps, const run *run, run_stage *stage);
/* The definition gets the largest values of these maps of parameters. */
wadi_status run_maps_take_largest(const run_options *options, const text_list *maps, const run *run, wadi_def *def);

#endif
