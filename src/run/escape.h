/* escape.h: text that others wrote, as it may be shown. */
#ifndef WADI_RUN_ESCAPE_H
#define WADI_RUN_ESCAPE_H

/* Length of the UTF-8 character at `text` (ended by a 0), 0 if it is none (overlong forms and surrogates are none). */
int cli_utf8_length(const unsigned char *text);
/* The code point of the UTF-8 character at `text` if it is a control or bidirectional formatting character, else 0. */
unsigned cli_control(const unsigned char *text, int length);
/* The next character of `text` as it may be shown: "\n", "\x1b" and "\u202e" for control characters, "\xff" for bytes
 * that are no UTF-8. Returns how many bytes it has in `text`. Messages are escaped by cli_fail, cli_note, cli_warn. */
enum { CLI_ESCAPED = 8 };
int cli_escape(const char *text, char shown[CLI_ESCAPED]);
char *cli_escaped(const char *text); /* free it */
/* The same for printf's arguments: for what others wrote, on standard output. Good until eight more calls. */
const char *cli_shown(const char *text);

#endif
