/* sources.c: river sources from a CSV file: x,y,radius_m,rate_m3s,start_s,end_s. */
#include "sources.h"

#include "array.h"
#include "fail.h"
#include "message.h"
#include "option.h"
#include "text.h"

#include "platform/platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = SOURCE_FIELDS, FIELDS_NEEDED = SOURCE_FIELDS_NEEDED, LONGEST_FILE = 1 << 26 };
const char *const run_source_fields[] = {"x", "y", "radius_m", "rate_m3s", "start_s", "end_s"};

typedef struct reader {
    const char *path;
    int line;
    source_rows *rows;
} reader;

/* Splits at commas, in place. Returns the number of fields (FIELDS + 1: more). */
static int split(char *line, char *fields[FIELDS]) {
    int count = 0;
    for (char *at = line; at; count++) {
        if (count == FIELDS) return FIELDS + 1;
        char *comma = strchr(at, ',');
        if (comma) *comma = '\0';
        fields[count] = run_text_trim(at);
        at = comma ? comma + 1 : NULL;
    }
    while (count > FIELDS_NEEDED && !*fields[count - 1]) count--;
    return count;
}

static wadi_status parse_fields(char *fields[FIELDS], int count, double values[FIELDS]) {
    if (count < FIELDS_NEEDED || count > FIELDS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "x,y,radius_m,rate_m3s[,start_s[,end_s]] is wanted");
    for (int i = 0; i < count; i++) {
        bool open_end = i >= FIELDS_NEEDED && !*fields[i];
        if (open_end || run_parse_number(fields[i], &values[i])) continue;
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s is '%.40s'; a number is wanted", run_source_fields[i], fields[i]);
    }
    return WADI_OK;
}

/* Columns in another order would be taken for each other. */
static wadi_status check_header(char *fields[FIELDS], int count) {
    for (int i = 0; i < count; i++)
        if (i >= FIELDS || strcmp(fields[i], run_source_fields[i]) != 0)
            return wadi_fail(WADI_ERROR_ARGUMENT,
                             "the columns are not x,y,radius_m,rate_m3s[,start_s[,end_s]]; give them these names, in "
                             "this order");
    return WADI_OK;
}

/* Whether the first line has names; it is skipped. */
static bool is_header(const reader *reader, char *fields[FIELDS], int count) {
    return reader->rows->count == 0 && count >= 2 && strcmp(fields[0], "x") == 0 && strcmp(fields[1], "y") == 0;
}

static wadi_status read_line(reader *reader, char *line) {
    char *fields[FIELDS];
    source_row row = {.values = {0, 0, 0, 0, 0, INFINITY}, .at = {reader->line, 0}};
    line = run_text_trim(line);
    if (!*line || *line == '#') return WADI_OK;
    int count = split(line, fields);
    if (is_header(reader, fields, count > FIELDS ? FIELDS : count))
        return run_fail_at(reader->path, row.at, check_header(fields, count));
    wadi_status status = run_fail_at(reader->path, row.at, parse_fields(fields, count, row.values));
    if (status != WADI_OK) return status;
    source_rows *rows = reader->rows;
    source_row *added = run_array_add(&rows->rows, &rows->count, sizeof *added);
    if (!added) return WADI_ERROR_MEMORY;
    *added = row;
    return WADI_OK;
}

/* Reads the file into *text, which grows. */
static wadi_status read_all(FILE *file, char **text, size_t *size) {
    size_t room = 1 << 16;
    for (;;) {
        char *longer = realloc(*text, room);
        if (!longer) return WADI_ERROR_MEMORY;
        *text = longer;
        *size += fread(*text + *size, 1, room - *size - 1, file);
        (*text)[*size] = '\0';
        if (room - *size > 1) break;
        if (room >= LONGEST_FILE) break;
        room *= 2;
    }
    return !ferror(file) && feof(file) && !memchr(*text, 0, *size) ? WADI_OK : WADI_ERROR_ARGUMENT;
}

wadi_status run_text_file_read(const char *option, const char *path, char **text, size_t *size) {
    FILE *file = platform_is_folder(path) ? NULL : platform_open(path, "r");
    *text = NULL;
    *size = 0;
    if (!file)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s %s: cannot be read: %s", option, path,
                         platform_is_folder(path) ? "is a folder" : strerror(errno));
    const wadi_status status = read_all(file, text, size);
    fclose(file);
    if (status == WADI_OK) return status;
    free(*text);
    *text = NULL;
    return wadi_fail(status,
                     status == WADI_ERROR_MEMORY ? "%s %s: no memory to read it"
                                                 : "%s %s: is not a text file of at most 64 MiB",
                     option, path);
}

wadi_status run_sources_read(const char *path, source_rows *rows) {
    size_t size;
    char *text;
    wadi_status status = run_text_file_read("--sources", path, &text, &size);
    if (!text) return status; /* status is an error then */
    reader reader = {.path = path, .rows = rows};
    char *start = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text; /* a spreadsheet's byte order mark */
    for (char *line = start; line && status == WADI_OK;) {
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        reader.line++;
        status = read_line(&reader, line);
        line = end ? end + 1 : NULL;
    }
    free(text);
    if (status == WADI_OK && rows->count == 0)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "--sources %s: holds no source", path);
    return status;
}

wadi_status run_source_check(const wadi_source *source) {
    if (source->radius_m < 0 || source->rate_m3s < 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s is negative", run_source_fields[source->radius_m < 0 ? 2 : 3]);
    return source->start_s > source->end_s ? wadi_fail(WADI_ERROR_ARGUMENT, "end_s lies before start_s") : WADI_OK;
}

static wadi_status place_row(const double values[FIELDS], bool pixel, const wadi_raster *raster, wadi_source *source) {
    const double *t = raster->georef.transform;
    double x = pixel ? values[0] : (values[0] - t[0]) / t[1];
    double y = pixel ? values[1] : (values[1] - t[3]) / t[5];
    *source = (wadi_source){x, y, values[2], values[3], values[4], values[5]};
    const wadi_status status = run_source_check(source);
    if (status != WADI_OK) return status;
    if (x >= 0 && y >= 0 && x < raster->width && y < raster->height) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "(%.10g, %.10g) lies outside the terrain (cell %.6g, %.6g of %d x %d)",
                     values[0], values[1], x, y, raster->width, raster->height);
}

wadi_status run_sources_check_place(const char *file, bool pixel, const wadi_raster *raster) {
    if (pixel || raster->has_georef) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "--sources %s: the terrain has no georeference; add --pixel if x and y are in cells", file);
}

wadi_status run_sources_place(const source_rows *rows, const char *file, bool pixel, const wadi_raster *raster,
                              wadi_source **sources) {
    *sources = run_array_new(rows->count, sizeof **sources);
    wadi_status status = *sources ? WADI_OK : WADI_ERROR_MEMORY;
    for (size_t i = 0; i < rows->count && status == WADI_OK; i++) {
        status = place_row(rows->rows[i].values, pixel, raster, &(*sources)[i]);
        status = run_fail_at(file, rows->rows[i].at, status);
    }
    return status;
}
