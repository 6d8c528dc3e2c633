/* message.h: errors, notes and warnings, with the place in a file that they are about. */
#ifndef WADI_RUN_MESSAGE_H
#define WADI_RUN_MESSAGE_H

#include "wadi/status.h"

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_MEMORY = 3, CLI_INTERRUPTED = 130 };

/* One line for the reporter: what, where, what to do. Returns `code`. */
int cli_fail(int code, const char *format, ...) WADI_PRINTF(2, 3);
bool cli_has_failed(void);         /* one was said */
int cli_code(int code, int error); /* `code`, but CLI_MEMORY where the errno says so */
/* The library's message of the call that gave `status`; returns the exit code that status.h names. */
int cli_fail_status(wadi_status status);
/* The same for what the user handed in: a file that cannot be read is bad input, not a failed run. */
int cli_fail_input(wadi_status status);

/* From here on errors begin "file:line:column: " (column 0: without it), and name options without their dashes. `file`
 * must live until cli_place_none(). */
void cli_place(const char *file, int line, int column);
void cli_place_none(void);

/* Where lines go that are said from here on; NULL, as at first: nowhere. Nothing here prints. */
typedef void cli_reporter(void *context, const char *line);
void cli_report_to(cli_reporter *to, void *context);

void cli_set_quiet(bool quiet);
void cli_note(const char *format, ...) WADI_PRINTF(1, 2); /* not with --quiet */
void cli_warn(const char *format, ...) WADI_PRINTF(1, 2);

#endif
