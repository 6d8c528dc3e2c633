/* escape.c: makes foreign text (file names, file contents, messages of other programs) safe to print. A terminal obeys
 * control characters, and bidirectional ones change the visible order of a text. */
#include "escape.h"

#include "array.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int run_escape_utf8_length(const unsigned char *text) {
    unsigned char lead = text[0];
    int length = lead < 0x80 ? 1 : lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : 0;
    if (lead >= 0xf0 && lead < 0xf5) length = 4;
    for (int i = 1; i < length; i++)
        if ((text[i] & 0xc0) != 0x80) return 0;
    if (lead == 0xe0 && text[1] < 0xa0) return 0;
    if (lead == 0xed && text[1] >= 0xa0) return 0;
    if (lead == 0xf0 && text[1] < 0x90) return 0;
    if (lead == 0xf4 && text[1] >= 0x90) return 0;
    return length;
}

static unsigned code_point(const unsigned char *text, int length) {
    static const unsigned char lead_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    unsigned code = text[0] & lead_bits[length];
    for (int i = 1; i < length; i++) code = code << 6 | (text[i] & 0x3fu);
    return code;
}

unsigned run_escape_control(const unsigned char *text, int length) {
    const unsigned code = code_point(text, length);
    const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const bool direction = code == 0x61c || code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                           (code >= 0x2066 && code <= 0x2069);
    return control || direction ? code : 0;
}

int run_escape_next(const char *text, char shown[ESCAPE_LENGTH]) {
    const unsigned char *bytes = (const unsigned char *)text;
    const int length = run_escape_utf8_length(bytes);
    const unsigned control = length > 0 ? run_escape_control(bytes, length) : 0;
    const char *const letter = control > 0 && control < 0x80 ? strchr("\nn\tt\rr", (int)control) : NULL;
    if (length == 0)
        snprintf(shown, ESCAPE_LENGTH, "\\x%02x", bytes[0]);
    else if (control == 0)
        snprintf(shown, ESCAPE_LENGTH, "%.*s", length, text);
    else if (letter)
        snprintf(shown, ESCAPE_LENGTH, "\\%c", letter[1]);
    else
        snprintf(shown, ESCAPE_LENGTH, control < 0x80 ? "\\x%02x" : "\\u%04x", control);
    return length > 0 ? length : 1;
}

void run_escape_into(char *shown, size_t size, const char *text) {
    size_t used = 0;
    shown[0] = '\0';
    while (*text && used + ESCAPE_LENGTH <= size) {
        text += run_escape_next(text, shown + used);
        used += strlen(shown + used);
    }
}

char *run_escape_text(const char *text) {
    char *shown = run_array_new(strlen(text) + 1, ESCAPE_LENGTH - 1), *end = shown;
    while (shown && *text) {
        text += run_escape_next(text, end);
        end += strlen(end);
    }
    return shown;
}
