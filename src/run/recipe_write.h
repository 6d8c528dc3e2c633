/* recipe_write.h: writes a run as a recipe, a member of run.json. */
#ifndef WADI_RUN_RECIPE_WRITE_H
#define WADI_RUN_RECIPE_WRITE_H

#include "json.h"
#include "run_state.h"

/* The member "knobs": those that were moved; nothing if none was. */
void run_knobs_write(json *json, const wadi_def *def);
void run_recipe_write(json *json, const run *run);
/* A file of its own for `wadi run --recipe`. It appears whole or not at all. */
wadi_status run_recipe_write_file(const run *run, const char *path);

#endif
