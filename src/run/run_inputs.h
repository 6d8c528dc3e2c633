/* run_inputs.h: reads what a run is given and makes the stages' simulations, ready to step. Nothing is written. */
#ifndef WADI_RUN_RUN_INPUTS_H
#define WADI_RUN_RUN_INPUTS_H

#include "recipe.h"

int run_load(const recipe *recipe, run *run);              /* says its errors and returns the exit code */
uint64_t run_memory(const run *run, const wadi_def *defs); /* of the host */

#endif
