/* help.h: a command and its options, as one table. It serves parsing (options.h), --help, manual pages for man, and
 * lines for the completion of shells. */
#ifndef WADI_CLI_HELP_H
#define WADI_CLI_HELP_H

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

/* Whether a word asks for help, and then for which: --help or -h, --help-man, --help-words. */
typedef enum help_kind { HELP_NONE, HELP_TEXT, HELP_MAN, HELP_WORDS } help_kind;
help_kind help_asked(const char *word);

void help_print(const command *command, help_kind kind);

/* The command `wadi` itself. */
typedef struct help_entry {
    const char *name, *summary;
} help_entry;
void help_overview(const help_entry *commands, size_t count, help_kind kind);

#endif
