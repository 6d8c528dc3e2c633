/* text.h: short strings and lists of strings. */
#ifndef WADI_RUN_TEXT_H
#define WADI_RUN_TEXT_H

#include "wadi/status.h"

#include <float.h>
#include <math.h>

/* Not isfinite(): mingw's macro narrows a double under -Wconversion. */
static inline bool is_finite(double number) { return fabs(number) <= DBL_MAX; }

/* NULL without memory, with wadi_error_message(). free() them. */
char *run_text_format(const char *format, ...) WADI_PRINTF(1, 2);
char *run_text_copy(const char *text);
char *run_text_join(const char *folder, const char *name); /* folder/name */

/* At the end of what stands in `text`, which has room for `size` bytes. What does not fit is left out. */
void run_text_add(char *text, size_t size, const char *format, ...) WADI_PRINTF(3, 4);

typedef struct text_list {
    char **items; /* owned */
    size_t count;
} text_list;
wadi_status run_text_list_add(text_list *list, const char *text);
wadi_status run_text_list_take(text_list *list, char *text); /* owned from here on, and freed on an error; takes NULL */
void run_text_list_free(text_list *list);

/* "1.5 GiB", "12 MiB"; "128 M", "3.4 k"; "1 h 02 min", "12 s". `text` has room for 32 characters; it is returned. */
const char *run_text_bytes(uint64_t bytes, char text[32]);
const char *run_text_rate(double value, char text[32]);
const char *run_text_duration(double seconds, char text[32]);
/* Simulated time: "1000 s"; "2.5e+06 years" from a year on. */
const char *run_text_simulated(double seconds, char text[32]);

/* Equal but for the case of ASCII letters. */
bool run_text_same(const char *one, const char *other);

/* The text without white space at its ends, in place. */
char *run_text_trim(char *text);

#endif
