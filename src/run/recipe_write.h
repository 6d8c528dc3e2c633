/* recipe_write.h: writes a run as a recipe, a member of run.json. */
#ifndef WADI_RUN_RECIPE_WRITE_H
#define WADI_RUN_RECIPE_WRITE_H

#include "json.h"
#include "run_state.h"

void recipe_write(json *json, const run *run);

#endif
