/* options.h: a command's options as one table, which serves parsing and --help. */
#ifndef WADI_CLI_OPTIONS_H
#define WADI_CLI_OPTIONS_H

#include "cli.h"

#include "run/option.h"

typedef struct command {
    const char *name;
    const char *usage; /* the text after the name: "INPUT [-o DIR] [options]" */
    const char *summary;
    const option *options; /* ended by a NULL name; at most 64 */
    const char *arguments; /* the names of the plain arguments: "KIND", "A B" */
    size_t arguments_from, arguments_to;
    const char *notes;  /* below the options in --help; NULL: none */
    void (*list)(void); /* in place of notes: prints a table there */
} command;

typedef struct arguments {
    const char *items[4]; /* plain arguments, from argv */
    size_t count;
    option_set given;
} arguments;

/* true: continue. false: return *status (WADI_OK: help was printed). */
bool options_parse(const command *command, int argc, char **argv, void *values, arguments *arguments,
                   wadi_status *status);
void options_help(const command *command);

#endif
