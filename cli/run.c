/* run.c: wadi run: erodes a heightmap, or does what a recipe says. */
#include "run_command.h"

#include <string.h>

#include "run/run_start.h"

static const command run_command = {
    .name = "run",
    .usage = "INPUT [-o DIR] [--model ID] [--preset NAME] [options]",
    .summary = "Erodes the heightmap INPUT. The run folder gets the eroded height, maps, a picture, and run.json, "
               "which says what was done. Ctrl-C writes a checkpoint, from which --resume goes on.",
    .options = run_option_rows,
    .arguments = "INPUT",
    .arguments_to = 1,
    .notes = "With a recipe that generates its terrain, --size sets the terrain's cells.",
};

static bool names_recipe(const char *path) {
    const char *ending = strrchr(path, '.');
    return ending != NULL && (strcmp(ending, ".yaml") == 0 || strcmp(ending, ".yml") == 0);
}

/* Makes a recipe from the command line's options, or reads one. */
static wadi_status read_recipe(const run_options *given, const arguments *arguments, recipe *recipe) {
    const char *input = arguments->count ? arguments->items[0] : NULL;
    if (!given->recipe && input && names_recipe(input))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: is a recipe: wadi run --recipe %s", input, input);
    if (!given->recipe && input) return run_recipe_from_options(given, input, recipe);
    if (!given->recipe) return wadi_fail(WADI_ERROR_ARGUMENT, "INPUT is missing: wadi run %s", run_command.usage);
    const wadi_status status = run_check_with_recipe(arguments->given);
    return status == WADI_OK ? run_recipe_read(given->recipe, given, arguments->given, input, recipe) : status;
}

int wadi_cmd_run(int argc, char **argv) { return run_by_command(&run_command, argc, argv, read_recipe); }
