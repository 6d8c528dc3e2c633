/* manual.h: a command's help for other programs: a manual page for man, and lines for the completion of shells. Both
 * come from the tables of --help. */
#ifndef WADI_CLI_MANUAL_H
#define WADI_CLI_MANUAL_H

#include "options.h"

/* Whether a word asks for help, and then for which: --help or -h, --help-man, --help-words. */
typedef enum help_kind { HELP_NONE, HELP_TEXT, HELP_MAN, HELP_WORDS } help_kind;
help_kind manual_asked(const char *word);

void manual_command(const command *command, help_kind kind);

/* The command `wadi` itself. */
typedef struct manual_entry {
    const char *name, *summary;
} manual_entry;
void manual_overview(const manual_entry *commands, size_t count, help_kind kind);

#endif
