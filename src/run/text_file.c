#include "text_file.h"

#include "fail.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

wadi_status run_text_file_write(const char *path, const char *text) {
    platform_new_file made;
    int error = platform_new_file_begin(path, &made);
    if (error == 0) {
        errno = 0;
        const bool written = fputs(text, made.file) >= 0;
        error = platform_new_file_end(&made, path, written ? 0 : errno != 0 ? errno : EIO);
    }
    if (error == 0) return WADI_OK;
    const wadi_status status = wadi_fail(WADI_ERROR_IO, "%s: cannot be written: %s", path, strerror(error));
    return run_fail_errno(status, error);
}

static bool make_room(long_text *text, size_t more) {
    if (text->length + more < text->room) return true;
    const size_t room = 2 * (text->length + more) + 256;
    char *longer = realloc(text->text, room);
    if (!longer) return false;
    text->text = longer;
    text->room = room;
    return true;
}

void run_long_text_add(long_text *text, const char *format, ...) {
    va_list values, again;
    va_start(values, format);
    va_copy(again, values);
    const int length = vsnprintf(NULL, 0, format, values);
    text->failed |= length < 0 || !make_room(text, (size_t)length + 1);
    if (!text->failed) {
        vsnprintf(text->text + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
    va_end(values);
}

wadi_status run_long_text_write(long_text *text, const char *path) {
    wadi_status status = text->failed ? wadi_fail(WADI_ERROR_MEMORY, "%s: no memory for its text", path)
                                      : run_text_file_write(path, text->text ? text->text : "");
    free(text->text);
    *text = (long_text){0};
    return status;
}
