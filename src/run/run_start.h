/* run_start.h: begins and ends a run. */
#ifndef WADI_RUN_RUN_START_H
#define WADI_RUN_RUN_START_H

#include "recipe.h"
#include "run_options.h"
#include "run_state.h"

wadi_status run_check_backend(const run_options *given);
/* Refuses the options of a stage (bit i of `given`: option i): a recipe says them itself. */
wadi_status run_check_with_recipe(option_set given);

/* The run of a recipe up to its first step, in memory: inputs, simulations, the folder's name. All that can be refused
 * is refused here, and nothing is written. */
wadi_status run_prepare(const recipe *recipe, run *run);
/* The same without a folder, ready for its first step. */
wadi_status run_prepare_in_memory(const recipe *recipe, run *run);
/* Makes the folder, holds it, and writes the first checkpoint there. */
wadi_status run_begin(run *run, bool force);

void run_free(run *run);

#endif
