/* stream_file.h: a stream network as lines in a file: GeoJSON, GeoPackage or FlatGeobuf. */
#ifndef WADI_RUN_STREAM_FILE_H
#define WADI_RUN_STREAM_FILE_H

#include "wadi/derive.h"
#include "wadi/io.h"

extern const char *const run_line_endings[]; /* "geojson" first, ended by NULL */

/* Whether the name ends in one of them. */
bool run_is_line_file(const char *path);
/* Writes a line for each reach, through the centres of its cells, in the terrain's CRS. Without a georeference the
 * place of the top left corner is 0, 0, and y is up. */
wadi_status run_stream_file_write(const char *path, const wadi_raster *terrain, const wadi_streams *streams);

#endif
