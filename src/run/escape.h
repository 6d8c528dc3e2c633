/* escape.h: makes foreign text safe to print. */
#ifndef WADI_RUN_ESCAPE_H
#define WADI_RUN_ESCAPE_H

#include <stddef.h>

/* Length of the UTF-8 character at `text` (terminated by 0). 0 if it is invalid; overlong forms and surrogates are
 * invalid. */
int run_escape_utf8_length(const unsigned char *text);
/* The code point of the UTF-8 character at `text` if it is a control character or a bidirectional format character,
 * else 0. */
unsigned run_escape_control(const unsigned char *text, int length);
/* The next character of `text` in printable form: "\n", "\x1b" and "\u202e" for control characters, "\xff" for invalid
 * bytes. Returns its number of bytes in `text`. Messages are escaped when they are printed. */
enum { ESCAPE_LENGTH = 8 };
int run_escape_next(const char *text, char shown[ESCAPE_LENGTH]);
char *run_escape_text(const char *text); /* NULL without memory; free it */
/* Writes to `shown`, which has `size` bytes; longer text is cut. */
void run_escape_into(char *shown, size_t size, const char *text);

#endif
