/* sources.h: river sources from a CSV file or a recipe. */
#ifndef WADI_RUN_SOURCES_H
#define WADI_RUN_SOURCES_H

#include "fail.h"
#include "wadi/io.h"
#include "wadi/wadi.h"

enum { SOURCE_FIELDS = 6, SOURCE_FIELDS_NEEDED = 4 };

/* A river source as given: x and y in cells or in the terrain's CRS. */
typedef struct source_row {
    double values[SOURCE_FIELDS];
    place at;
} source_row;
typedef struct source_rows {
    source_row *rows;
    size_t count;
} source_rows;

extern const char *const run_source_fields[];

wadi_status run_sources_read(const char *path, source_rows *rows); /* a CSV file; free the rows */
/* Checks that x and y of the rows can be converted to cells; run_sources_place does so. They are cells, or coordinates
 * in the terrain's CRS. */
wadi_status run_sources_check_place(const char *file, bool pixel, const wadi_raster *raster);
wadi_status run_sources_place(const source_rows *rows, const char *file, bool pixel, const wadi_raster *raster,
                              wadi_source **sources);
wadi_status run_source_check(const wadi_source *source); /* its numbers, not its place */
/* Reads a text file of at most 64 MiB, and ends it with a 0. `option` names it in messages. *text is NULL after an
 * error; free it. */
wadi_status run_text_file_read(const char *option, const char *path, char **text, size_t *size);

#endif
