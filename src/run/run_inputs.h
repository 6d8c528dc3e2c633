/* run_inputs.h: reads the inputs and makes the simulations of the stages, ready to step. Nothing is written. */
#ifndef WADI_RUN_RUN_INPUTS_H
#define WADI_RUN_RUN_INPUTS_H

#include "recipe.h"

wadi_status run_load(const recipe *recipe, run *run);
uint64_t run_memory(const run *run, const wadi_def *defs); /* on the host */

#endif
