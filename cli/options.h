/* options.h: reads a command's words by the table of its options. */
#ifndef WADI_CLI_OPTIONS_H
#define WADI_CLI_OPTIONS_H

#include "cli.h"
#include "help.h"

#include "run/option.h"

typedef struct arguments {
    const char *items[4]; /* plain arguments, from argv */
    size_t count;
    option_set given;
} arguments;

/* true: continue. false: return *status (WADI_OK: help was printed). */
bool options_parse(const command *command, int argc, char **argv, void *values, arguments *arguments,
                   wadi_status *status);

#endif
