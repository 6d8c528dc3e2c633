#include "read_args.h"

#include "wadi/analysis.h"

#include <stdio.h>
#include <stdlib.h>

const char *const encoding_names[] = {"none", "luminance", "red", "green", "blue", "terrarium", "mapbox-rgb", NULL};
const char *const byte_order_names[] = {"little", "big", NULL};

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
        .encoding = (wadi_encoding)args->encoding,
        .big_endian = args->byte_order == BYTES_BIG,
    };
    if (args->range.count == 1 || (options.has_range && !(options.low < options.high)))
        return cli_fail(CLI_USAGE, "--height-range: two heights are wanted, the lower first: --height-range 0,2500");
    return cli_fail_input(wadi_raster_read(path, &options, raster));
}

static void warn_swapped(const char *path, const wadi_raster *raster, int byte_order) {
    if (raster->looks_swapped)
        cli_warn("%s: looks like noise, and like land in the other byte order (--byte-order %s)", path,
                 byte_order_names[byte_order == BYTES_LITTLE ? BYTES_BIG : BYTES_LITTLE]);
}

int read_map(const char *option, const char *path, const read_args *args, const wadi_raster *height,
             wadi_raster **raster) {
    wadi_read_options options = {.width = height->width,
                                 .height = height->height,
                                 .plain_values = true,
                                 .big_endian = args->byte_order == BYTES_BIG};
    wadi_raster *map = NULL;
    int code = cli_fail_input(wadi_raster_read(path, &options, &map));
    if (code) return code;
    warn_swapped(path, map, args->byte_order);
    if (map->width != height->width || map->height != height->height) {
        code = cli_fail(CLI_USAGE, "%s: %s has %d x %d cells, the height %d x %d; resample it to that size", option,
                        path, map->width, map->height, height->width, height->height);
        wadi_raster_destroy(map);
        return code;
    }
    *raster = map;
    return CLI_OK;
}

/* Land rises by a thousandth of its extent or more; maps that say where they lie may be flatter. Floats of 0 to 1 may
 * be meant as parts of a range, and are looked at more closely. */
static void warn_flat(const char *path, const wadi_raster *raster) {
    const wadi_range range = wadi_range_of(raster->values, (size_t)raster->width * (size_t)raster->height);
    const double low = (double)range.minimum, high = (double)range.maximum;
    const double extent = fmax(raster->width * raster->lx, raster->height * raster->ly), part = (high - low) / extent;
    const bool plain = raster->sample == WADI_SAMPLE_FLOAT32 && raster->scale == 1 && raster->offset == 0;
    const bool unit = plain && low >= 0 && high <= 1 && !raster->has_georef;
    if (!(part > 0) || part >= (unit ? 0.02 : raster->has_georef ? 0.0001 : 0.001)) return;
    cli_warn("%s: its heights reach from %.6g to %.6g m over %.6g m of land, which is very flat (%s)", path, low, high,
             extent,
             unit ? "--height-range LO,HI says what 0 and 1 stand for" : "--height-range, --z-unit, --cell-size");
}

void note_assumptions(const char *path, const read_args *args, const wadi_raster *raster) {
    if (raster->cell_assumed) cli_note("%s: says no cell size; cells of 1 m are taken (--cell-size sets it)", path);
    if (raster->scale_assumed)
        cli_note("%s: says no heights in metres; full scale is taken as %.6g m, 0.2 of the longer side "
                 "(--height-range LO,HI sets it)",
                 path, 0.2 * fmax(raster->width * raster->lx, raster->height * raster->ly));
    if (raster->flipped) cli_note("%s: is stored south-up; its rows were reversed, north is at the top", path);
    if (raster->lx_variation > 0.05)
        cli_warn("%s: is in degrees, and a cell's width varies by %.0f%% from top to bottom; %.6g m, that of the "
                 "centre, is used throughout (gdalwarp to a metric CRS does better)",
                 path, 100 * raster->lx_variation, raster->lx);
    warn_swapped(path, raster, args->byte_order);
    if (!raster->looks_swapped) warn_flat(path, raster);
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
