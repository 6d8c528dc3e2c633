/* export_target.h: the programs that a terrain is exported for: one row each of export_targets.def, with what its files
 * are like. */
#ifndef WADI_RUN_EXPORT_TARGET_H
#define WADI_RUN_EXPORT_TARGET_H

#include "grid_fit.h"

typedef enum tile_sizes { SIZES_ANY, SIZES_POWER, SIZES_UNREAL } tile_sizes; /* POWER: 2^n + 1 */
typedef enum weight_files { WEIGHTS_GREY, WEIGHTS_SPLAT, WEIGHTS_NONE } weight_files;

typedef struct export_target {
    const char *name, *title;
    tile_sizes sizes;
    wadi_format format;    /* of the heights: PNG and R16 have 16 bits of the whole terrain's range, EXR metres */
    const char *ending;    /* of their files */
    bool from_south;       /* rows of the heights and numbers of the tiles begin in the south */
    const char *normals;   /* a texture_picture; NULL: none */
    weight_files weights;  /* of the ground's layers: a grey picture each, or four in a picture */
    const char *masks;     /* maps that become grey pictures, as far as the terrain has them */
    int chunk;             /* of the mesh, in cells; 0: in one object; -1: no mesh */
    int levels;            /* of detail: files with each cell, each second, each fourth */
    const char *templates; /* texts in src/run/targets, as "template=file" */
} export_target;

const export_target *run_export_target_at(size_t index); /* NULL beyond the last */
extern const char *const run_export_target_names[];      /* ended by NULL */

/* The samples of a whole terrain: tiles that share their edges. */
typedef struct export_grid {
    int tiles_x, tiles_y;
    int tile_width, tile_height; /* samples of a tile, with both edges */
    int width, height;           /* of all */
    grid_fit fit;
} export_grid;
/* tiles 0: 1 x 1. tile_size 0: chosen, near the samples that there are; cropped, the largest that fits. Argument error
 * for what the target does not take. */
wadi_status run_export_grid(const export_target *target, int width, int height, const int tiles[2], int tile_size,
                            grid_fit fit, export_grid *grid);

#endif
