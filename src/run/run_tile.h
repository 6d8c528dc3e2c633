/* run_tile.h: a run of one tile of a map. Each tile is a run of its own, on any machine, and sees a margin of the map
 * around it. What happens at the window's rim, where the map goes on, spreads no faster than wadi_def_reach says. So
 * with a margin of that reach, the tile has the bits of the whole map's run. */
#ifndef WADI_RUN_RUN_TILE_H
#define WADI_RUN_RUN_TILE_H

#include "json.h"
#include "note.h"
#include "run_options.h"
#include "run_state.h"

typedef struct tile_rect {
    int x, y, width, height; /* cells of the whole */
} tile_rect;

/* Whether its numbers fit together. */
bool run_tile_is_sound(const run_tile *tile);
tile_rect run_tile_own(const run_tile *tile);
tile_rect run_tile_window(const run_tile *tile); /* with the margin */

/* Reads --tile and --margin, refuses what needs the whole map, and makes the definitions those of the window. They
 * have the largest values of parameters that are maps. The raster is the whole's, as the run begins with it. Without
 * --tile it does nothing. */
wadi_status run_tile_plan(const run_options *top, run *run, wadi_def *defs);
/* The largest value of a map of the whole, in cells with a height. */
double run_tile_largest(const run *run, const wadi_raster *map);
/* Gives a map of the whole to a simulation, which may be of a tile. */
wadi_status run_tile_set(const run *run, wadi_sim *sim, const char *field, const wadi_raster *map);
/* A tile's part of a map of the whole. *part is NULL where the run is of the whole. */
wadi_status run_tile_part(const run *run, const wadi_raster *map, wadi_raster **part);
/* The sea that floods the whole, beside the water of a map (NULL: none). */
wadi_status run_tile_flood(const run *run, wadi_sim *sim, const wadi_raster *water);
/* From now on the run's raster is the window's. */
wadi_status run_tile_cut(run *run);

/* Whether the tile's own cells, and one around them, have the bits of the whole. */
wadi_status run_tile_is_exact(const run *run, bool *exact);
void run_tile_write(json *json, const run *run);  /* the member `tile` of run.json */
void run_tile_recipe(json *json, const run *run); /* the keys of a recipe */
void run_tile_put(note *note, const run_tile *tile);
void run_tile_take(note *note, const wadi_def *grid, run_tile *tile); /* nothing, at the end of an earlier file */

#endif
