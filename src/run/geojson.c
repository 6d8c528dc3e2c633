#include "geojson.h"

#include "fail.h"
#include "json.h"
#include "message.h"
#include "read_args.h"
#include "stream_fields.h"

#include "platform/platform.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* OGC's name for longitude and latitude in this order says more than the EPSG code of WGS 84, which has the other. */
static void write_crs(json *json, const wadi_raster *terrain) {
    char code[24], name[64];
    run_epsg_code(terrain->georef.name, code);
    if (!terrain->has_georef || !*code) return;
    snprintf(name, sizeof name, "urn:ogc:def:crs:%s%s", strcmp(code, "EPSG:4326") == 0 ? "OGC:1.3:CRS84" : "EPSG::",
             strcmp(code, "EPSG:4326") == 0 ? "" : code + strlen("EPSG:"));
    run_json_object(json, "crs");
    run_json_text(json, "type", "name");
    run_json_object(json, "properties");
    run_json_text(json, "name", name);
    run_json_end(json);
    run_json_end(json);
}

static void write_point(json *json, const wadi_raster *terrain, uint32_t cell) {
    double xy[2];
    run_stream_place(terrain, cell, xy);
    run_json_numbers(json, NULL, xy[0], xy[1]);
}

static void write_properties(json *json, const wadi_raster *terrain, const wadi_streams *streams, size_t index) {
    double values[STREAM_FIELDS];
    run_stream_values(terrain, streams, index, values);
    for (int i = 0; i < STREAM_FIELDS; i++) {
        if (isnan(values[i]))
            run_json_raw(json, run_stream_fields[i], "null");
        else if (run_stream_whole[i])
            run_json_integer(json, run_stream_fields[i], (int64_t)values[i]);
        else
            run_json_number(json, run_stream_fields[i], values[i]);
    }
}

static void write_stream(json *json, const wadi_raster *terrain, const wadi_streams *streams, size_t index) {
    const wadi_stream *stream = &streams->streams[index];
    const uint32_t *cells = streams->cells + stream->first;
    run_json_object(json, NULL);
    run_json_text(json, "type", "Feature");
    run_json_object(json, "properties");
    write_properties(json, terrain, streams, index);
    run_json_end(json);
    run_json_object(json, "geometry");
    run_json_text(json, "type", "LineString");
    run_json_array(json, "coordinates");
    for (size_t i = 0; i < stream->points; i++) write_point(json, terrain, cells[i]);
    run_json_end(json);
    run_json_end(json);
    run_json_end(json);
}

static void write_all(FILE *file, const wadi_raster *terrain, const wadi_streams *streams) {
    json json = run_json_to(file, false);
    run_json_object(&json, NULL);
    run_json_text(&json, "type", "FeatureCollection");
    run_json_text(&json, "name", "streams");
    write_crs(&json, terrain);
    run_json_array(&json, "features");
    for (size_t i = 0; i < streams->count; i++) write_stream(&json, terrain, streams, i);
    run_json_end(&json);
    run_json_end(&json);
}

static void note_crs(const char *path, const wadi_raster *terrain) {
    char code[24];
    run_epsg_code(terrain->georef.name, code);
    if (terrain->has_georef && !*code)
        run_message_note("%s: does not name its CRS, because the terrain's has no EPSG code: coordinates are the "
                         "terrain's",
                         path);
}

wadi_status run_geojson_write(const char *path, const wadi_raster *terrain, const wadi_streams *streams) {
    platform_new_file made;
    int error = platform_new_file_begin(path, &made);
    if (error == 0) {
        errno = 0;
        write_all(made.file, terrain, streams);
        const int failure = errno != 0 ? errno : EIO;
        error = platform_new_file_end(&made, path, fflush(made.file) != 0 || ferror(made.file) ? failure : 0);
    }
    if (error != 0)
        return wadi_fail(run_fail_errno(WADI_ERROR_IO, error), "%s: cannot be written: %s", path, strerror(error));
    note_crs(path, terrain);
    return WADI_OK;
}
