/* source_text.h (internal): assembles the source of GPU programs from texts that the build embeds. */
#ifndef WADI_GPU_SOURCE_TEXT_H
#define WADI_GPU_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct wadi_text {
    const char *path; /* "models/common_cell.h" */
    const char *text;
} wadi_text;

extern const wadi_text wadi_texts[]; /* ended by a NULL path */

/* A text that grows. After a failed allocation it stays what it was and `failed` is true. */
typedef struct wadi_program_text {
    char *text; /* malloc'ed, ended by a 0; NULL while empty */
    size_t length, room;
    bool failed;
} wadi_program_text;

void wadi_text_add(wadi_program_text *program, const char *format, ...) __attribute__((__format__(__printf__, 2, 3)));
/* Adds an embedded text. The texts that it includes take the place of its #include lines. */
void wadi_text_include(wadi_program_text *program, const char *path);
void wadi_text_free(wadi_program_text *program);

#endif
