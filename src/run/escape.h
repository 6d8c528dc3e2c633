/* escape.h: text that others wrote, as it may be shown. */
#ifndef WADI_RUN_ESCAPE_H
#define WADI_RUN_ESCAPE_H

#include <stddef.h>

/* Length of the UTF-8 character at `text` (ended by a 0), 0 if it is none (overlong forms and surrogates are none). */
int escape_utf8_length(const unsigned char *text);
/* The code point of the UTF-8 character at `text` if it is a control or bidirectional formatting character, else 0. */
unsigned escape_control(const unsigned char *text, int length);
/* The next character of `text` as it may be shown: "\n", "\x1b" and "\u202e" for control characters, "\xff" for bytes
 * that are no UTF-8. Returns how many bytes it has in `text`. Messages are escaped where they
 * are shown. */
enum { ESCAPE_LENGTH = 8 };
int escape_next(const char *text, char shown[ESCAPE_LENGTH]);
char *escape_text(const char *text); /* NULL without memory; free it */
/* Into `shown`, with room for `size` bytes; what does not fit is left out. */
void escape_into(char *shown, size_t size, const char *text);

#endif
