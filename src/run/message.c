#include "message.h"

#include "escape.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool be_quiet;
static bool failed;            /* an error was said */
static cli_reporter *reporter; /* NULL: standard error */
static void *reporter_context;

static struct {
    const char *file; /* NULL: none */
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

typedef struct line {
    char text[1024];
    size_t used;
    bool to_reporter;
} line;

/* What a reporter is given ends where there is no more room. */
static void add_escaped(line *line, const char *text) {
    while (*text) {
        const bool full = line->used + CLI_ESCAPED > sizeof line->text;
        if (full && line->to_reporter) return;
        if (full) fwrite(line->text, 1, line->used, stderr);
        if (full) line->used = 0;
        text += cli_escape(text, line->text + line->used);
        line->used += strlen(line->text + line->used);
    }
}

/* What does not fit into the message is left out where there is no memory for it: that may be what it is about. */
static void add_message(line *line, const char *format, va_list arguments) {
    char small[1024];
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(small, sizeof small, format, arguments);
    char *whole = length >= (int)sizeof small ? malloc((size_t)length + 1) : NULL;
    if (whole) vsnprintf(whole, (size_t)length + 1, format, again);
    va_end(again);
    add_escaped(line, whole ? whole : small);
    free(whole);
}

static void say(const char *kind, const char *format, va_list arguments) {
    line line = {.to_reporter = reporter != NULL};
    if (!reporter) {
        fflush(stdout); /* so that the two streams keep their order where both are the same terminal or file */
        add_escaped(&line, "wadi: ");
    }
    add_escaped(&line, kind);
    add_message(&line, format, arguments);
    line.text[line.used] = '\0';
    if (reporter)
        reporter(reporter_context, line.text);
    else
        fprintf(stderr, "%s\n", line.text);
}

/* Takes no memory: it also says that there is none. */
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
