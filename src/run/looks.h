/* looks.h: the landscapes that Wadi makes from nothing: the recipes in src/run/looks/, one file each. */
#ifndef WADI_RUN_LOOKS_H
#define WADI_RUN_LOOKS_H

#include "recipe.h"

/* The name of a look, in alphabetical order; NULL beyond the last. */
const char *run_look_name(size_t index);
/* The first comment of its recipe, a line without its end, into `text`, which is returned. */
enum { LOOK_SUMMARY = 160 };
const char *run_look_summary(size_t index, char text[LOOK_SUMMARY]);
/* Its recipe. --size and --seed of the command line are those of the terrain that it generates. Free it in any case. */
wadi_status run_look_recipe(const char *name, const run_options *given, option_set set_by_user, recipe *recipe);

#endif
