/* cli.h: what the commands share: exit codes, messages, small strings. */
#ifndef WADI_CLI_H
#define WADI_CLI_H

#include "wadi/status.h"

#include <float.h>
#include <math.h>

enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2, CLI_MEMORY = 3, CLI_INTERRUPTED = 130 };

/* Not isfinite(): mingw's macro narrows a double under -Wconversion. */
static inline bool cli_finite(double number) { return fabs(number) <= DBL_MAX; }

/* The commands. argv[0] is the command's own name, as in `wadi run`. They return the exit code. */
int wadi_cmd_run(int argc, char **argv);
int wadi_cmd_generate(int argc, char **argv);
int wadi_cmd_render(int argc, char **argv);
int wadi_cmd_export(int argc, char **argv);
int wadi_cmd_compare(int argc, char **argv);
int wadi_cmd_info(int argc, char **argv);
int wadi_cmd_models(int argc, char **argv);
int wadi_cmd_presets(int argc, char **argv);
int wadi_cmd_devices(int argc, char **argv);
int wadi_cmd_bench(int argc, char **argv);
int wadi_cmd_view(int argc, char **argv);

/* One line on stderr after "wadi: ": what, where, what to do. Returns `code`. */
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

/* Where lines go that are said from here on; NULL: standard error. For programs with a window. */
typedef void cli_reporter(void *context, const char *line);
void cli_report_to(cli_reporter *to, void *context);

void cli_set_quiet(bool quiet);
void cli_note(const char *format, ...) WADI_PRINTF(1, 2); /* not with --quiet */
void cli_warn(const char *format, ...) WADI_PRINTF(1, 2);

/* These never return NULL: without memory for a few bytes the command ends with exit code 3. */
void *cli_allocate(size_t bytes);
void *cli_grow(void *memory, size_t bytes);
char *cli_text(const char *format, ...) WADI_PRINTF(1, 2);
char *cli_copy(const char *text);
char *cli_join(const char *folder, const char *name); /* folder/name */

/* Length of the UTF-8 character at `text` (ended by a 0), 0 if it is none (overlong forms and surrogates are none). */
int cli_utf8_length(const unsigned char *text);
/* The code point of the UTF-8 character at `text` if it is a control or bidirectional formatting character, else 0. */
unsigned cli_control(const unsigned char *text, int length);
/* The next character of `text` as it may be shown: "\n", "\x1b" and "\u202e" for control characters, "\xff" for bytes
 * that are no UTF-8. Returns how many bytes it has in `text`. Messages are escaped by cli_fail, cli_note, cli_warn. */
enum { CLI_ESCAPED = 8 };
int cli_escape(const char *text, char shown[CLI_ESCAPED]);
char *cli_escaped(const char *text); /* free it */
/* The same for printf's arguments: for what others wrote, on standard output. Good until eight more calls. */
const char *cli_shown(const char *text);

typedef struct text_list {
    char **items; /* owned */
    size_t count;
} text_list;
void text_list_add(text_list *list, const char *text);
void text_list_free(text_list *list);

/* "1.5 GiB", "12 MiB"; "128 M", "3.4 k"; "1 h 02 min", "12 s". `text` has room for 32 characters; it is returned. */
const char *cli_bytes(uint64_t bytes, char text[32]);
const char *cli_rate(double value, char text[32]);
const char *cli_duration(double seconds, char text[32]);

#endif
