/* ground_layers.h: what the ground is made of, by rules: layers, each of which covers those before it where its maps
 * have certain values. The weights of a cell add up to 1: these are an engine's weight maps and splat maps. */
#ifndef WADI_RUN_GROUND_LAYERS_H
#define WADI_RUN_GROUND_LAYERS_H

#include "textures.h"

enum { MOST_GROUND_LAYERS = 16, MOST_GROUND_RULES = 8 };

/* From 0 to 1 and, with four ends, back to 0. Two ends that fall go from 1 to 0. */
typedef struct ground_rule {
    const wadi_map_facts *map;
    range_end ends[4];
    int count; /* 2 or 4 */
} ground_rule;

typedef struct ground_layer {
    char name[32];
    double strength;                      /* of the whole layer, 0 to 1 */
    ground_rule rules[MOST_GROUND_RULES]; /* their product */
    int rule_count;
} ground_layer;

typedef struct ground_layers {
    ground_layer layers[MOST_GROUND_LAYERS]; /* from below to above; the first is everywhere */
    int count;
} ground_layers;

/* From a YAML file; NULL: the usual ones. A layer of these whose maps the terrain does not have is left out. */
wadi_status run_ground_layers_read(const char *path, const textures *textures, ground_layers *layers);
/* weights: layers->count maps, each of the terrain's cells; the caller frees each. Rounded to 255 parts, so that the
 * samples of 8 bits add up to 255 in every cell. */
wadi_status run_ground_layers_weigh(const ground_layers *layers, textures *textures,
                                    float *weights[MOST_GROUND_LAYERS]);

#endif
