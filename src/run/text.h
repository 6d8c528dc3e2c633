/* text.h: small strings and lists of them. */
#ifndef WADI_RUN_TEXT_H
#define WADI_RUN_TEXT_H

#include "wadi/status.h"

#include <float.h>
#include <math.h>

/* Not isfinite(): mingw's macro narrows a double under -Wconversion. */
static inline bool is_finite(double number) { return fabs(number) <= DBL_MAX; }

/* These never return NULL: without memory for a few bytes the command ends with status 3. */
void *text_allocate(size_t bytes);
void *text_grow(void *memory, size_t bytes);
char *text_format(const char *format, ...) WADI_PRINTF(1, 2);
char *text_copy(const char *text);
char *text_join(const char *folder, const char *name); /* folder/name */

typedef struct text_list {
    char **items; /* owned */
    size_t count;
} text_list;
void text_list_add(text_list *list, const char *text);
void text_list_free(text_list *list);

/* "1.5 GiB", "12 MiB"; "128 M", "3.4 k"; "1 h 02 min", "12 s". `text` has room for 32 characters; it is returned. */
const char *text_bytes(uint64_t bytes, char text[32]);
const char *text_rate(double value, char text[32]);
const char *text_duration(double seconds, char text[32]);

#endif
