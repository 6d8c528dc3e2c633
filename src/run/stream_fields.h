/* stream_fields.h: the attributes and the course of a reach of the stream network, for every format of lines. */
#ifndef WADI_RUN_STREAM_FIELDS_H
#define WADI_RUN_STREAM_FIELDS_H

#include "wadi/derive.h"
#include "wadi/io.h"

enum { STREAM_FIELDS = 7 };
extern const char *const run_stream_fields[STREAM_FIELDS];
extern const bool run_stream_whole[STREAM_FIELDS]; /* integers */

/* NaN: none. */
void run_stream_values(const wadi_raster *terrain, const wadi_streams *streams, size_t index,
                       double values[STREAM_FIELDS]);
/* The centre of a cell, in the terrain's CRS. Without a georeference in metres from the top left corner, y up. */
void run_stream_place(const wadi_raster *terrain, uint32_t cell, double xy[2]);

#endif
