/* run_seeds.h: variations (--seeds): a run for each of several seeds, and one picture of all. */
#ifndef WADI_CLI_RUN_SEEDS_H
#define WADI_CLI_RUN_SEEDS_H

#include "options.h"

#include "run/recipe.h"

/* Makes the recipe that the command line asks for. */
typedef wadi_status recipe_reader_fn(const run_options *given, const arguments *arguments, recipe *recipe);

typedef struct seeds_call {
    const run_options *given;
    const arguments *arguments;
    recipe_reader_fn *read;
    int argc;
    char **argv;
} seeds_call;

bool run_seeds_wanted(const run_options *given); /* --seeds, or --resume of such a folder */
/* All runs begin before the first one steps. So what can be refused is refused at once, and a checkpoint holds all that
 * a resumption needs. */
wadi_status run_seeds_all(const seeds_call *call, bool *interrupted);

#endif
