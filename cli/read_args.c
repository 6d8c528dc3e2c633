#include "read_args.h"

#include <stdio.h>
#include <stdlib.h>

int read_height(const char *path, const read_args *args, wadi_raster **raster) {
    wadi_read_options options = {
        .width = args->size[0],
        .height = args->size[1],
        .has_range = args->range.count == 2,
        .low = args->range.first,
        .high = args->range.second,
        .lx = args->cell.first,
        .ly = args->cell.second,
        .z_unit = args->z_unit,
    };
    if (args->range.count == 1 || (options.has_range && !(options.low < options.high)))
        return cli_fail(CLI_USAGE, "--height-range: two heights are wanted, the lower first: --height-range 0,2500");
    return cli_fail_input(wadi_raster_read(path, &options, raster));
}

int read_map(const char *option, const char *path, int width, int height, wadi_raster **raster) {
    wadi_read_options options = {.width = width, .height = height, .plain_values = true};
    wadi_raster *map = NULL;
    int code = cli_fail_input(wadi_raster_read(path, &options, &map));
    if (code) return code;
    if (map->width != width || map->height != height) {
        code = cli_fail(CLI_USAGE, "%s: %s has %d x %d cells, the height %d x %d; resample it to that size", option,
                        path, map->width, map->height, width, height);
        wadi_raster_destroy(map);
        return code;
    }
    *raster = map;
    return CLI_OK;
}

void note_assumptions(const char *path, const wadi_raster *raster) {
    if (raster->scale_assumed)
        cli_note("%s: says no heights in metres; full scale is taken as %.6g m, 0.2 of the longer side "
                 "(--height-range LO,HI sets it)",
                 path, 0.2 * fmax(raster->width * raster->lx, raster->height * raster->ly));
    if (raster->flipped) cli_note("%s: is stored south-up; its rows were reversed, north is at the top", path);
    if (raster->lx_variation > 0.05)
        cli_warn("%s: is in degrees, and a cell's width varies by %.0f%% from top to bottom; %.6g m, that of the "
                 "centre, is used throughout (gdalwarp to a metric CRS does better)",
                 path, 100 * raster->lx_variation, raster->lx);
}

const char *sample_name(wadi_sample sample) {
    static const char *const names[] = {"float32", "uint8", "uint16", "int16"};
    return names[sample];
}

const char *format_text(const wadi_raster *raster, char text[64]) {
    static const char *const names[] = {"?", "PNG", "TIFF", "OpenEXR", "RAW r16", "RAW r32", "NPY", "(read by GDAL)"};
    bool geotiff = raster->format == WADI_FORMAT_TIFF && raster->has_georef;
    snprintf(text, 64, "%s%s, %s", geotiff ? "Geo" : "", names[raster->format], sample_name(raster->sample));
    return text;
}
