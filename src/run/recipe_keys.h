/* recipe_keys.h: the keys of a recipe that are options: of its top, or of a stage. */
#ifndef WADI_RUN_RECIPE_KEYS_H
#define WADI_RUN_RECIPE_KEYS_H

#include "recipe_options.h"

/* Where a stage's options go. `sources`: those that are written out; NULL where there can be none. */
typedef struct recipe_target {
    run_options *options;
    run_places *places;
    source_rows *sources;
} recipe_target;

/* Every member of a map that is an option of `wanted` (RECIPE_TOP, RECIPE_STAGE). `others`: the other keys that may
 * stand there, ended by NULL. */
wadi_status run_read_recipe_options(const recipe_reader *reader, const yaml_node *map, unsigned wanted,
                                    const char *const *others, const recipe_target *target);

#endif
