/* map_input.h: the maps that a run takes from files, raster or vector: mask, hardness, water, and parameters that may
 * differ from cell to cell. In place of a file, a map may be generated: its path is the text of a layer (layers.h). */
#ifndef WADI_RUN_MAP_INPUT_H
#define WADI_RUN_MAP_INPUT_H

#include "run_state.h"

/* The names of those that the model takes: of fields, and of parameters by symbol. NULL: no more. */
const char *run_map_input_at(const wadi_model *model, size_t index);
/* The name by which it is listed, for a parameter's alias too. NULL, with a message: the model takes no such map. */
const char *run_map_input_name(const wadi_model *model, const char *name);

/* A map for a field or parameter of `def`, on the grid of the run. `option` names it in messages. */
wadi_status run_map_input_read(const run *run, const wadi_def *def, const char *option, const char *field,
                               const char *path, wadi_raster **map);
/* The same for a parameter on the grid of a coarser level, which has its height already, if it is made of layers with
 * grain. Their means would be nearly the same everywhere. *map stays NULL for other maps, whose means are taken. */
wadi_status run_map_input_of_level(const run *run, const wadi_sim *coarse, const char *name, const char *path,
                                   wadi_raster **map);
/* Sets it to 0 where the terrain has no data, by the heights in the run's raster. Elsewhere it must have values. */
wadi_status run_map_input_fill(const run *run, const char *option, const char *path, wadi_raster *map);

/* Reads the file of an event, for a simulation of the run, whose raster has the heights. Checks the name and the
 * values. Values that are not those that a run.json names are reported; `strict`: refused. */
wadi_status run_map_input_load(map_event *map, const run *run, const wadi_sim *sim, bool strict);

#endif
