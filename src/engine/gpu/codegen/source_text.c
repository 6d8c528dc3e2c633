/* source_text.c: assembles the source of a program. */
#include "engine/gpu/codegen/source_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool reserve(wadi_program_text *program, size_t more) {
    const size_t need = program->length + more + 1;
    if (program->failed) return false;
    if (need <= program->room) return true;
    const size_t room = need < 2 * program->room ? 2 * program->room : need + 4096;
    char *text = realloc(program->text, room);
    program->failed = text == NULL;
    if (text == NULL) return false;
    program->text = text;
    program->room = room;
    return true;
}

static void add_bytes(wadi_program_text *program, const char *text, size_t bytes) {
    if (!reserve(program, bytes)) return;
    memcpy(program->text + program->length, text, bytes);
    program->length += bytes;
    program->text[program->length] = '\0';
}

void wadi_text_add(wadi_program_text *program, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    const int bytes = vsnprintf(NULL, 0, format, arguments);
    if (bytes >= 0 && reserve(program, (size_t)bytes)) {
        vsnprintf(program->text + program->length, (size_t)bytes + 1, format, again);
        program->length += (size_t)bytes;
    }
    va_end(again);
    va_end(arguments);
}

static const char *find(const char *path, size_t length) {
    for (const wadi_text *text = wadi_texts; text->path != NULL; text++)
        if (strlen(text->path) == length && memcmp(text->path, path, length) == 0) return text->text;
    return NULL;
}

/* The path of a line #include "path", and its length. NULL: another line. */
static const char *included(const char *line, size_t *length) {
    static const char word[] = "#include \"";
    if (strncmp(line, word, sizeof word - 1) != 0) return NULL;
    const char *path = line + sizeof word - 1;
    *length = strcspn(path, "\"\n");
    return path;
}

static void include(wadi_program_text *program, const char *path, size_t length) {
    const char *line = find(path, length);
    if (line == NULL) {
        wadi_text_add(program, "#error no text \"%.*s\"\n", (int)length, path);
        return;
    }
    while (*line != '\0') {
        const size_t bytes = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
        size_t inner;
        const char *what = included(line, &inner);
        if (what != NULL)
            include(program, what, inner);
        else
            add_bytes(program, line, bytes);
        line += bytes;
    }
}

void wadi_text_include(wadi_program_text *program, const char *path) { include(program, path, strlen(path)); }

void wadi_text_free(wadi_program_text *program) {
    free(program->text);
    *program = (wadi_program_text){0};
}
