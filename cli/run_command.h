/* run_command.h: what `wadi run` and `wadi demo` share: from a recipe to a finished run folder. */
#ifndef WADI_CLI_RUN_COMMAND_H
#define WADI_CLI_RUN_COMMAND_H

#include "options.h"

#include "run/recipe.h"

/* Makes the recipe that the command line asks for. */
typedef wadi_status recipe_reader_fn(const run_options *given, const arguments *arguments, recipe *recipe);
/* All of the command; returns its exit code. */
int run_by_command(const command *command, int argc, char **argv, recipe_reader_fn *read);

#endif
