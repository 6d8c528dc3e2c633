/* status.c: this thread's last error message, and "did you mean". */
#include "wadi/status.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "wadi/model.h"

static _Thread_local char message[10240]; /* names two files, and each name may have 4096 bytes */

const char *wadi_error_message(void) { return message; }

static atomic_bool dashes;

void wadi_name_options(bool with_dashes) { atomic_store(&dashes, with_dashes); }

static bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

/* An option stands at the beginning of a word: "--steps", "(--band", "'--size". A command to type, "wadi run --resume
 * DIR", stays as it is, and so does what follows it. */
void wadi_rename_options(char *text) {
    if (text == NULL || atomic_load(&dashes)) return;
    char *to = text;
    bool command = false;
    for (const char *from = text; *from != '\0';) {
        const bool begins = from == text || strchr(" (,;'\"", from[-1]) != NULL;
        command = command || (begins && strncmp(from, "wadi ", 5) == 0);
        if (begins && !command && from[0] == '-' && from[1] == '-' && is_word(from[2])) from += 2;
        if (from == text && strncmp(from, "-o ", 3) == 0) from += 3;
        *to++ = *from++;
    }
    *to = '\0';
}

void wadi_free(void *memory) { free(memory); }

wadi_status wadi_fail(wadi_status status, const char *format, ...) {
    char text[sizeof message] = ""; /* a separate buffer: the old message may be an argument of the new one */
    va_list arguments;
    va_start(arguments, format);
    if (format != NULL) vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    wadi_rename_options(text);
    memcpy(message, text, sizeof message);
    return status;
}

const char *wadi_version(void) { return WADI_VERSION; }

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Levenshtein distance that ignores case. Names longer than the row never match. */
static size_t edit_distance(const char *a, const char *b) {
    size_t row[64];
    const size_t columns = strlen(b);
    if (columns >= sizeof row / sizeof *row) return SIZE_MAX;
    for (size_t j = 0; j <= columns; j++) row[j] = j;
    for (size_t i = 0; a[i] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= columns; j++) {
            const size_t replaced = diagonal + (lower(a[i]) != lower(b[j - 1]));
            const size_t inserted = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < inserted ? replaced : inserted;
        }
    }
    return row[columns];
}

const char *wadi_nearest_name(const char *wrong, const char *const *names, size_t count) {
    if (wrong == NULL || names == NULL) return NULL;
    const char *nearest = NULL;
    size_t least = strlen(wrong) / 3 + 2; /* a larger distance is not a typing mistake */
    for (size_t i = 0; i < count; i++) {
        if (names[i] == NULL) continue;
        const size_t distance = edit_distance(wrong, names[i]);
        if (distance < least) {
            least = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
