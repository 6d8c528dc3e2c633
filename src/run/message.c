#include "message.h"

#include "escape.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool be_quiet;
static bool failed;            /* an error was said */
static cli_reporter *reporter; /* NULL: nobody hears it */
static void *reporter_context;

static _Thread_local struct { /* the window reads on another thread than it draws */
    const char *file;         /* NULL: none */
    int line, column;
} place;

void cli_place(const char *file, int line, int column) {
    place.file = file;
    place.line = line;
    place.column = column;
}

void cli_place_none(void) { place.file = NULL; }

void cli_report_to(cli_reporter *to, void *context) {
    reporter = to;
    reporter_context = context;
}

/* As it may be shown. `shown` has room for `size` bytes; what does not fit is left out. */
static void escape_into(char *shown, size_t size, const char *text) {
    size_t used = 0;
    shown[0] = '\0';
    while (*text && used + CLI_ESCAPED <= size) {
        text += cli_escape(text, shown + used);
        used += strlen(shown + used);
    }
}

/* Where there is no memory for a long message its end is left out: memory may be what it is about. */
static void report_escaped(const char *text) {
    char small[1024];
    const size_t size = strlen(text) * (CLI_ESCAPED - 1) + CLI_ESCAPED;
    char *whole = size > sizeof small ? malloc(size) : NULL;
    escape_into(whole ? whole : small, whole ? size : sizeof small, text);
    reporter(reporter_context, whole ? whole : small);
    free(whole);
}

/* `kind`: what the line begins with. */
static void say(const char *kind, const char *format, va_list arguments) {
    char small[1024];
    va_list again;
    if (!reporter) return;
    va_copy(again, arguments);
    const size_t begun = strlen(kind);
    const int length = vsnprintf(NULL, 0, format, arguments);
    const size_t size = begun + (length > 0 ? (size_t)length : 0) + 1;
    char *whole = size > sizeof small ? malloc(size) : NULL, *text = whole ? whole : small;
    const size_t room = whole ? size : sizeof small;
    const int used = snprintf(text, room, "%s", kind);
    if (used >= 0 && (size_t)used < room) vsnprintf(text + used, room - (size_t)used, format, again);
    va_end(again);
    report_escaped(text);
    free(whole);
}

/* Takes no memory for a short message: it also says that there is none. */
int cli_fail(int code, const char *format, ...) {
    char where[4200] = "";
    if (place.file && place.column > 0 && strncmp(format, "--", 2) == 0) format += 2;
    if (place.file)
        snprintf(where, sizeof where, place.column > 0 ? "%s:%d:%d: " : "%s:%d: ", place.file, place.line,
                 place.column);
    va_list arguments;
    va_start(arguments, format);
    say(where, format, arguments);
    va_end(arguments);
    failed = true;
    return code;
}

bool cli_has_failed(void) { return failed; }

int cli_fail_status(wadi_status status) {
    switch (status) {
    case WADI_OK:
        return CLI_OK;
    case WADI_ERROR_ARGUMENT:
    case WADI_ERROR_FORMAT:
    case WADI_ERROR_UNSUPPORTED:
        return cli_fail(CLI_USAGE, "%s", wadi_error_message());
    case WADI_ERROR_MEMORY:
        return cli_fail(CLI_MEMORY, "%s", wadi_error_message());
    default:
        return cli_fail(CLI_FAILED, "%s", wadi_error_message());
    }
}

int cli_code(int code, int error) { return error == ENOMEM ? CLI_MEMORY : code; }

int cli_fail_input(wadi_status status) {
    int code = cli_fail_status(status);
    return code == CLI_FAILED && status != WADI_ERROR_DEVICE ? CLI_USAGE : code;
}

void cli_set_quiet(bool quiet) { be_quiet = quiet; }

void cli_note(const char *format, ...) {
    if (be_quiet) return;
    va_list arguments;
    va_start(arguments, format);
    say("note: ", format, arguments);
    va_end(arguments);
}

void cli_warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("warning: ", format, arguments);
    va_end(arguments);
}
