#include "stream_file.h"

#include "geojson.h"
#include "stream_fields.h"

#include "io/lines.h"

#include <string.h>

const char *const run_line_endings[] = {"geojson", "gpkg", "fgb", NULL};

static const char *ending_of(const char *path) {
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && run_line_endings[i]; i++)
        if (strcmp(dot + 1, run_line_endings[i]) == 0) return run_line_endings[i];
    return NULL;
}

bool run_is_line_file(const char *path) { return ending_of(path) != NULL; }

typedef struct network {
    const wadi_raster *terrain;
    const wadi_streams *streams;
} network;

static void values(void *context, size_t line, double *values) {
    const network *network = context;
    run_stream_values(network->terrain, network->streams, line, values);
}

static size_t places(void *context, size_t line) {
    const network *network = context;
    return network->streams->streams[line].points;
}

static void place(void *context, size_t line, size_t index, double xy[2]) {
    const network *network = context;
    run_stream_place(network->terrain, network->streams->cells[network->streams->streams[line].first + index], xy);
}

wadi_status run_stream_file_write(const char *path, const wadi_raster *terrain, const wadi_streams *streams) {
    const char *ending = ending_of(path);
    if (!ending || ending == run_line_endings[0]) return run_geojson_write(path, terrain, streams);
    network network = {terrain, streams};
    const io_lines lines = {"streams", streams->count, STREAM_FIELDS, run_stream_fields, run_stream_whole,
                            values,    places,         place,         &network};
    return wadi_io_lines_write(path, terrain, &lines);
}
