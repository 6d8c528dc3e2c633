/* layers.h: a terrain of layers, each combined with those before it: generated terrain, heightmaps, numbers, and groups
 * of layers. */
#ifndef WADI_RUN_LAYERS_H
#define WADI_RUN_LAYERS_H

#include "generator.h"
#include "recipe_options.h"

enum { LAYERS_DEPTH = 4, MOST_LAYERS = 256 };

typedef enum layer_source {
    LAYER_KIND,   /* a kind of terrain, made with `options` */
    LAYER_FILE,   /* a heightmap, stretched over the map */
    LAYER_VALUE,  /* one number everywhere */
    LAYER_HEIGHT, /* masks: from 0 at the first height of what lies below to 1 at the second */
    LAYER_GROUP,  /* layers */
} layer_source;

typedef struct layer {
    layer_source source;
    generate_options options; /* of a kind; of files and groups: base, relief, warp, feature size and seed */
    const char *kind, *file;
    double value, smooth; /* smooth: m over which min and max are rounded */
    number_pair height;
    int combine;
    struct layer *layers, *mask; /* owned lists */
    struct layer *next;
    place at;
} layer;

/* Reads the list of layers at `node`. Messages have line and column. Free the layers in any case; their texts belong to
 * the reader. */
wadi_status run_layers_read(const recipe_reader *reader, const yaml_node *node, layer **layers);
void run_layers_free(layer *layers); /* takes NULL */
/* The list at `node`, which was read without errors, as a line of JSON with paths from the current folder. NULL without
 * memory; free it. */
char *run_layers_text(const recipe_reader *reader, const yaml_node *node);
/* Whether a layer differs from cell to cell, whatever their size (grain). */
bool run_layers_have_grain(const layer *layers);
uint64_t run_layers_maps(const layer *layers); /* how many maps of the terrain's size are needed at once */

/* Adds up the layers in `raster`, which is 0 and has size and cell size. `file` is the recipe, for messages. `terrain`:
 * NULL, or that of a map of a parameter. Then masks by height look at it, and not at the layers so far. Noise with
 * features smaller than a cell is the middle of its range, and other features are a cell at least. *too_fine
 * says whether there were any; too_fine is NULL: such features are refused. */
wadi_status run_layers_make(const char *file, const layer *layers, uint64_t seed, const wadi_raster *terrain,
                            bool *too_fine, wadi_raster *raster);
/* From base to base + relief; with relief 0, base is added. */
void run_layers_stretch(wadi_raster *raster, double base, double relief);
/* The file's heights over the whole of `raster`: means of its cells where they are finer, linear where they are
 * coarser. */
wadi_status run_layers_file(const char *path, wadi_raster *raster);

#endif
