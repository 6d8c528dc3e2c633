/* demo.c: wadi demo: a landscape from nothing. */
#include "run_command.h"

#include "run/looks.h"
#include "run/run_start.h"

#include <stdio.h>
#include <string.h>

static wadi_status read_look(const run_options *given, const arguments *arguments, recipe *recipe) {
    if (given->recipe || given->resume)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--%s: belongs to wadi run", given->recipe ? "recipe" : "resume");
    const wadi_status status = run_check_with_recipe(arguments->given);
    return status != WADI_OK ? status : run_look_recipe(arguments->items[0], given, arguments->given, recipe);
}

static const command demo_command = {
    .name = "demo",
    .usage = "NAME [--size WxH] [--seed N | --seeds A..B] [-o DIR] [options] | --list",
    .summary =
        "Makes a landscape from nothing: it generates terrain, and erodes it from coarse to fine. The run folder is "
        "like that of wadi run, whose options hold too. --size and --seed are the terrain's.",
    .options = run_option_rows,
    .arguments = "NAME",
    .arguments_from = 1,
    .arguments_to = 1,
    .notes = "'wadi demo --list' names the landscapes.",
};

static void list(void) {
    char summary[LOOK_SUMMARY];
    for (size_t i = 0; run_look_name(i); i++) printf("%-12s %s\n", run_look_name(i), run_look_summary(i, summary));
}

int wadi_cmd_demo(int argc, char **argv) {
    if (argc != 2 || strcmp(argv[1], "--list") != 0) return run_by_command(&demo_command, argc, argv, read_look);
    list();
    return EXIT_DONE;
}
