#include "stream_fields.h"

#include <math.h>
#include <string.h>

const char *const run_stream_fields[] = {"id", "next_id", "strahler", "length_m", "area_m2", "from_m", "to_m"};
const bool run_stream_whole[] = {true, true, true, false, false, false, false};

void run_stream_values(const wadi_raster *terrain, const wadi_streams *streams, size_t index,
                       double values[STREAM_FIELDS]) {
    const wadi_stream *stream = &streams->streams[index];
    const uint32_t *cells = streams->cells + stream->first;
    const double all[STREAM_FIELDS] = {(double)(index + 1),
                                       stream->next == WADI_NO_STREAM ? (double)NAN : (double)(stream->next + 1),
                                       stream->order,
                                       stream->length_m,
                                       stream->area_m2,
                                       (double)terrain->values[cells[0]],
                                       (double)terrain->values[cells[stream->points - 1]]};
    memcpy(values, all, sizeof all);
}

void run_stream_place(const wadi_raster *terrain, uint32_t cell, double xy[2]) {
    const double bare[6] = {0, terrain->lx, 0, 0, 0, -terrain->ly};
    const double *t = terrain->has_georef ? terrain->georef.transform : bare;
    const uint32_t width = (uint32_t)terrain->width, x = cell % width, y = cell / width;
    xy[0] = t[0] + t[1] * (x + 0.5);
    xy[1] = t[3] + t[5] * (y + 0.5);
}
