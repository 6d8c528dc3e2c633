/* run_command.h: what `wadi run` and `wadi demo` share: from a recipe to a finished run folder. */
#ifndef WADI_CLI_RUN_COMMAND_H
#define WADI_CLI_RUN_COMMAND_H

#include "run_seeds.h"

/* All of the command; returns its exit code. */
int run_by_command(const command *command, int argc, char **argv, recipe_reader_fn *read);

#endif
