/* json.h: writes JSON: nested objects and arrays, and numbers that read back as the same doubles. */
#ifndef WADI_RUN_JSON_H
#define WADI_RUN_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16, JSON_NUMBER = 40 };

typedef struct json {
    FILE *file;
    bool one_line; /* otherwise indented, one member a line */
    int depth;
    bool filled[JSON_DEPTH]; /* whether the level has a member already */
    char closing[JSON_DEPTH];
    bool flat[JSON_DEPTH]; /* the level is written on one line */
    bool rows[JSON_DEPTH]; /* but its objects have a line each */
} json;

json run_json_to(FILE *file, bool one_line);
/* `key` is NULL inside an array and at the top. */
void run_json_object(json *json, const char *key);
void run_json_array(json *json, const char *key); /* on one line; objects have a line each */
/* closes the innermost object or array; a new line follows the outermost */
void run_json_end(json *json);
/* UTF-8; invalid bytes become U+FFFD, control characters are escaped. NULL: null */
void run_json_text(json *json, const char *key, const char *text);
void run_json_raw(json *json, const char *key, const char *value); /* a value that is JSON already */
void run_json_map(json *json, const char *key, const char *path);  /* "@path", as options name a map */
/* A text that the caller writes to the file in parts. None of them needs an escape. */
void run_json_text_begin(json *json, const char *key);
void run_json_text_end(json *json);
/* the shortest text that reads back equal; null if not finite */
void run_json_number(json *json, const char *key, double number);
/* Writes to `text`, and returns it. */
const char *run_json_number_text(double number, char text[JSON_NUMBER]);
void run_json_integer(json *json, const char *key, int64_t number);
void run_json_unsigned(json *json, const char *key, uint64_t number);
void run_json_bool(json *json, const char *key, bool value);
/* arrays of two */
void run_json_integers(json *json, const char *key, int64_t first, int64_t second);
void run_json_numbers(json *json, const char *key, double first, double second);

/* Copies a JSON file, with control characters escaped and invalid UTF-8 replaced by U+FFFD. */
void run_json_copy(FILE *from, FILE *to);

#endif
