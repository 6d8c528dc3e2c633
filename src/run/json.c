#include "json.h"

#include "escape.h"
#include "text.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

json run_json_to(FILE *file, bool one_line) {
    json json = {.file = file, .one_line = one_line};
    json.flat[0] = one_line;
    return json;
}

static void write_string(FILE *file, const char *before, const char *string) {
    const unsigned char *text = (const unsigned char *)string;
    fprintf(file, "\"%s", before);
    while (*text) {
        int length = run_escape_utf8_length(text);
        if (length == 0) {
            fputs("\\ufffd", file);
            length = 1;
        } else if (*text == '"' || *text == '\\') {
            fprintf(file, "\\%c", *text);
        } else if (run_escape_control(text, length)) {
            fprintf(file, "\\u%04x", run_escape_control(text, length));
        } else {
            fwrite(text, 1, (size_t)length, file);
        }
        text += length;
    }
    fputc('"', file);
}

/* Reads the bytes of one character, ended by 0. Returns 0 at the end of the file. */
static int read_character(FILE *file, unsigned char text[5]) {
    int length = 0, next = getc(file);
    if (next == EOF) return 0;
    memset(text, 0, 5);
    do {
        text[length++] = (unsigned char)next;
        next = length < 4 && text[0] >= 0xc0 ? getc(file) : EOF;
    } while (next != EOF && (next & 0xc0) == 0x80);
    if (next != EOF) ungetc(next, file);
    return length;
}

/* White space may be between values; other escaped characters occur only in strings. */
void run_json_copy(FILE *from, FILE *to) {
    unsigned char text[5];
    for (int length; (length = read_character(from, text)) > 0;) {
        const unsigned control = run_escape_utf8_length(text) == length ? run_escape_control(text, length) : 0xfffd;
        if (control == 0 || (length == 1 && strchr("\n\r\t", *text)))
            fwrite(text, 1, (size_t)length, to);
        else
            fprintf(to, "\\u%04x", control);
    }
}

/* Writes what comes before a value: comma, new line, key. `row`: an object in an array, on a line of its own. */
static void write_key(json *json, const char *key, bool row) {
    if (json->depth > 0) {
        if (json->filled[json->depth]) fputc(',', json->file);
        if (row && !json->one_line) json->rows[json->depth] = true;
        if (!json->flat[json->depth] || json->rows[json->depth])
            fprintf(json->file, "\n%*s", 2 * json->depth, "");
        else if (json->filled[json->depth])
            fputc(' ', json->file);
        json->filled[json->depth] = true;
    }
    if (!key) return;
    write_string(json->file, "", key);
    fputs(": ", json->file);
}

static void open_bracket(json *json, const char *key, char opening, char closing, bool flat) {
    write_key(json, key, opening == '{' && json->closing[json->depth] == ']');
    assert(json->depth + 1 < JSON_DEPTH);
    fputc(opening, json->file);
    flat = flat || json->flat[json->depth];
    json->depth++;
    json->filled[json->depth] = json->rows[json->depth] = false;
    json->closing[json->depth] = closing;
    json->flat[json->depth] = flat;
}

void run_json_object(json *json, const char *key) { open_bracket(json, key, '{', '}', false); }
void run_json_array(json *json, const char *key) { open_bracket(json, key, '[', ']', true); }

void run_json_end(json *json) {
    assert(json->depth > 0);
    bool filled = json->filled[json->depth], flat = json->flat[json->depth] && !json->rows[json->depth];
    char closing = json->closing[json->depth];
    json->depth--;
    if (filled && !flat) fprintf(json->file, "\n%*s", 2 * json->depth, "");
    fputc(closing, json->file);
    if (json->depth == 0) fputc('\n', json->file);
}

void run_json_text(json *json, const char *key, const char *text) {
    write_key(json, key, false);
    if (text)
        write_string(json->file, "", text);
    else
        fputs("null", json->file);
}

void run_json_raw(json *json, const char *key, const char *value) {
    write_key(json, key, false);
    fputs(value, json->file);
}

void run_json_map(json *json, const char *key, const char *path) {
    write_key(json, key, false);
    write_string(json->file, "@", path);
}

void run_json_text_begin(json *json, const char *key) {
    write_key(json, key, false);
    fputc('"', json->file);
}

void run_json_text_end(json *json) { fputc('"', json->file); }

const char *run_json_number_text(double number, char text[JSON_NUMBER]) {
    if (!is_finite(number)) return "null";
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, JSON_NUMBER, "%.*g", digits, number);
        if (strtod(text, NULL) == number) break;
    }
    return text;
}

void run_json_number(json *json, const char *key, double number) {
    char text[JSON_NUMBER];
    write_key(json, key, false);
    fputs(run_json_number_text(number, text), json->file);
}

void run_json_integer(json *json, const char *key, int64_t number) {
    write_key(json, key, false);
    fprintf(json->file, "%" PRId64, number);
}

void run_json_unsigned(json *json, const char *key, uint64_t number) {
    write_key(json, key, false);
    fprintf(json->file, "%" PRIu64, number);
}

void run_json_bool(json *json, const char *key, bool value) {
    write_key(json, key, false);
    fputs(value ? "true" : "false", json->file);
}

void run_json_integers(json *json, const char *key, int64_t first, int64_t second) {
    run_json_array(json, key);
    run_json_integer(json, NULL, first);
    run_json_integer(json, NULL, second);
    run_json_end(json);
}

void run_json_numbers(json *json, const char *key, double first, double second) {
    run_json_array(json, key);
    run_json_number(json, NULL, first);
    run_json_number(json, NULL, second);
    run_json_end(json);
}
