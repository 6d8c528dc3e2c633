#include "message.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static _Atomic(const wadi_run_listener *) listening;

void wadi_run_listen(const wadi_run_listener *listener) { atomic_store(&listening, listener); }

/* Without memory for a long message, its end is cut. */
static void say(wadi_run_message kind, const char *format, va_list arguments) {
    const wadi_run_listener *listener = atomic_load(&listening);
    char small[1024];
    va_list again;
    if (!listener) return;
    va_copy(again, arguments);
    const int length = vsnprintf(small, sizeof small, format, arguments);
    const size_t size = length > 0 ? (size_t)length + 1 : 1;
    char *whole = size > sizeof small ? malloc(size) : NULL;
    if (whole) vsnprintf(whole, size, format, again);
    va_end(again);
    wadi_rename_options(whole ? whole : small);
    listener->hear(listener->context, kind, whole ? whole : small);
    free(whole);
}

void run_message_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(WADI_RUN_NOTE, format, arguments);
    va_end(arguments);
}

void run_message_warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say(WADI_RUN_WARNING, format, arguments);
    va_end(arguments);
}
