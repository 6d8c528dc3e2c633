#include "report.h"

#include "run/escape.h"
#include "run/message.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool be_quiet;
static bool failed;

/* Needs no memory, because it also reports that there is none. */
static void write_line(const char *kind, const char *text) {
    char shown[8192];
    fflush(stdout); /* keeps the order of the two streams if both are the same terminal or file */
    size_t used = (size_t)snprintf(shown, sizeof shown, "wadi: %s", kind);
    while (*text) {
        if (used + ESCAPE_LENGTH + 1 > sizeof shown) {
            fputs(shown, stderr);
            used = 0;
        }
        text += run_escape_next(text, shown + used);
        used += strlen(shown + used);
    }
    fprintf(stderr, "%s\n", shown);
}

static void hear(void *context, wadi_run_message kind, const char *text) {
    (void)context;
    if (kind == WADI_RUN_NOTE && be_quiet) return;
    write_line(kind == WADI_RUN_NOTE ? "note: " : "warning: ", text);
}

void report_begin(void) {
    static const wadi_run_listener listener = {hear, NULL};
    wadi_run_listen(&listener);
    wadi_name_options(true);
}

void report_set_quiet(bool quiet) { be_quiet = quiet; }

void report_line(const char *format, ...) {
    char text[4096 + 1024]; /* a path and words */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_line("", text);
    failed = true;
}

static int exit_code(wadi_status status) {
    switch (status) {
    case WADI_OK:
        return EXIT_DONE;
    case WADI_ERROR_ARGUMENT:
    case WADI_ERROR_FORMAT:
    case WADI_ERROR_UNSUPPORTED:
        return EXIT_USAGE;
    case WADI_ERROR_MEMORY:
        return EXIT_MEMORY;
    default:
        return EXIT_FAILED;
    }
}

int report_end(wadi_status status) {
    if (status != WADI_OK) write_line("", wadi_error_message());
    failed = failed || status != WADI_OK;
    return exit_code(status);
}

bool report_has_failed(void) { return failed; }

void *must_have(void *memory) {
    if (!memory) exit(report_end(WADI_ERROR_MEMORY));
    return memory;
}

const char *as_shown(const char *text) {
    enum { KEPT = 8 };
    static char *kept[KEPT];
    static int next;
    char **place = &kept[next++ % KEPT];
    free(*place);
    *place = NULL; /* in case this is the end */
    return *place = must_have(run_escape_text(text));
}
