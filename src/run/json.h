/* json.h: writing JSON: nested objects and arrays, numbers that read back as the same doubles. */
#ifndef WADI_RUN_JSON_H
#define WADI_RUN_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { JSON_DEPTH = 16, JSON_NUMBER = 40 };

typedef struct json {
    FILE *file;
    bool one_line; /* else indented, a member a line */
    int depth;
    bool filled[JSON_DEPTH]; /* something stands before at this depth */
    char closing[JSON_DEPTH];
    bool flat[JSON_DEPTH]; /* written on one line from here on */
    bool rows[JSON_DEPTH]; /* but its members, objects of an array, on a line each */
} json;

json json_to(FILE *file, bool one_line);
/* `key` is NULL inside an array and at the top. */
void json_object(json *json, const char *key);
void json_array(json *json, const char *key); /* on one line; of objects, a line each */
void json_end(json *json);                    /* of the object or array opened last; a new line after the outermost */
/* UTF-8; other bytes become U+FFFD, control characters are escaped. NULL: null */
void json_text(json *json, const char *key, const char *text);
void json_map(json *json, const char *key, const char *path); /* "@path", as options name a map */
/* A text that the caller writes to the file in pieces, none of which needs an escape. */
void json_text_begin(json *json, const char *key);
void json_text_end(json *json);
void json_number(json *json, const char *key, double number); /* the shortest that reads back equal; not finite: null */
/* Into `text`, which is returned. */
const char *json_number_text(double number, char text[JSON_NUMBER]);
void json_integer(json *json, const char *key, int64_t number);
void json_unsigned(json *json, const char *key, uint64_t number);
void json_bool(json *json, const char *key, bool value);

/* A file of JSON, its control characters escaped and bytes that are no UTF-8 made U+FFFD. */
void json_copy(FILE *from, FILE *to);

#endif
