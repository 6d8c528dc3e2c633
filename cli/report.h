/* report.h: a command's messages on standard error, and its exit code. */
#ifndef WADI_CLI_REPORT_H
#define WADI_CLI_REPORT_H

#include "wadi/status.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_MEMORY = 3, EXIT_INTERRUPTED = 130 };

/* From here on, notes and warnings of the library are written. */
void report_begin(void);
void report_set_quiet(bool quiet); /* no notes */
/* Writes an error without a status: the result of a comparison, an interruption. */
void report_line(const char *format, ...) WADI_PRINTF(1, 2);
/* Writes the error, if there is one. Returns the exit code. */
int report_end(wadi_status status);
/* For the command's own few allocations: without memory the command ends here, with exit code 3. */
void *must_have(void *memory);
/* What others wrote, escaped, for printf's arguments. Good until eight more calls. */
const char *as_shown(const char *text);
bool report_has_failed(void); /* whether an error was written */

#endif
