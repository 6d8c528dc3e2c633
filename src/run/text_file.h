/* text_file.h: writes a text to a file, completely or not at all. */
#ifndef WADI_RUN_TEXT_FILE_H
#define WADI_RUN_TEXT_FILE_H

#include "text.h"

/* Replaces an existing file. */
wadi_status run_text_file_write(const char *path, const char *text);

/* A text that grows. */
typedef struct long_text {
    char *text; /* owned; NULL: empty, or no memory */
    size_t length, room;
    bool failed; /* no memory: what is added is lost */
} long_text;
void run_long_text_add(long_text *text, const char *format, ...) WADI_PRINTF(2, 3);
/* Writes it, and frees it in any case. */
wadi_status run_long_text_write(long_text *text, const char *path);

#endif
