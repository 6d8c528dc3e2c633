/* recipe_generator.h: the generated terrain of a recipe: one kind, or layers. */
#ifndef WADI_RUN_RECIPE_GENERATOR_H
#define WADI_RUN_RECIPE_GENERATOR_H

#include "recipe.h"
#include "recipe_options.h"

/* Reads the value of `generate`, a map, into the recipe's kind, generate, layers and generator. */
wadi_status run_recipe_read_generator(const recipe_reader *reader, const yaml_node *map, recipe *recipe);
wadi_status run_recipe_check_generator(const recipe *recipe); /* the options go together, and there is memory */
/* Makes the terrain. The caller destroys *raster. */
wadi_status run_recipe_generate(const recipe *recipe, wadi_raster **raster);

#endif
