#include "read_args.h"

#include "fail.h"
#include "message.h"
#include "text.h"

#include "wadi/analysis.h"
#include "wadi/warp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const run_encoding_names[] = {"none", "luminance", "red", "green", "blue", "terrarium", "mapbox-rgb", NULL};
const char *const run_byte_order_names[] = {"little", "big", NULL};

wadi_status run_read_height(const char *path, const read_args *args, wadi_raster **raster) {
    wadi_read_options options = {
        .width = args->size[0],
        .height = args->size[1],
        .has_range = args->range.count == 2,
        .low = args->range.first,
        .high = args->range.second,
        .lx = args->cell.first,
        .ly = args->cell.second,
        .nodata_count = args->nodata.count,
        .nodata = {args->nodata.first, args->nodata.second},
        .band = args->band,
        .z_unit = args->z_unit,
        .encoding = (wadi_encoding)args->encoding,
        .big_endian = args->byte_order == BYTES_BIG,
        .plain_values = args->map,
    };
    if (args->range.count == 1 || (options.has_range && !(options.low < options.high)))
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "--height-range: two heights are wanted, the lower first: --height-range 0,2500");
    const wadi_status status = run_fail_as_input(wadi_raster_read(path, &options, raster));
    if (status == WADI_OK && args->map && !*(*raster)->map_unit) strcpy((*raster)->map_unit, "1");
    return status;
}

enum { STEEPEST_MEDIAN = 85 }; /* degrees: 11 m of height for each of ground */

wadi_status run_check_doubts(const char *path, const read_args *args, const wadi_raster *raster) {
    if (raster->asks_nodata)
        return wadi_fail(
            WADI_ERROR_ARGUMENT,
            "%s: does not say whether its cells of %.9g are heights; leave them out by --nodata %.9g, or keep "
            "them by --nodata with a value that no cell has",
            path, raster->asked_nodata, raster->asked_nodata);
    if (args->cell.count > 0 || args->range.count > 0 || args->z_unit) return WADI_OK;
    wadi_slopes slopes;
    const wadi_status status =
        wadi_slope_histogram(raster->values, raster->width, raster->height, raster->lx, raster->ly, &slopes);
    if (status != WADI_OK || slopes.median < STEEPEST_MEDIAN) return status;
    const wadi_range range = wadi_range_of(raster->values, (size_t)raster->width * (size_t)raster->height);
    return wadi_fail(
        WADI_ERROR_ARGUMENT,
        "%s: half of its slopes are steeper than %d degrees, with cells of %.6g x %.6g m%s and heights from "
        "%.6g to %.6g m; say what is right: --cell-size, --z-unit or --height-range",
        path, STEEPEST_MEDIAN, raster->lx, raster->ly, raster->cell_assumed ? " (assumed)" : "", (double)range.minimum,
        (double)range.maximum);
}

static void warn_swapped(const char *path, const wadi_raster *raster, int byte_order) {
    if (raster->looks_swapped)
        run_message_warn("%s: looks like noise, and like land in the other byte order (--byte-order %s)", path,
                         run_byte_order_names[byte_order == BYTES_LITTLE ? BYTES_BIG : BYTES_LITTLE]);
}

void run_epsg_code(const char *name, char code[24]) {
    const char *found = strstr(name, "EPSG:");
    snprintf(code, 24, "%.*s", found ? (int)(5 + strspn(found + 5, "0123456789")) : 0, found ? found : "");
}

/* What brings a map onto the height's grid. */
static char *warp_command(const char *path, const wadi_raster *height, bool placed) {
    return placed ? run_text_format("wadi reproject %s --map --like HEIGHTMAP -o there.tif", path)
                  : run_text_format("wadi resample %s --map --size %dx%d -o there.tif", path, height->width,
                                    height->height);
}

static bool same_grid(const wadi_raster *a, const wadi_raster *b) {
    const double *p = a->georef.transform, *q = b->georef.transform, part = 0.05; /* tolerance: a part of a cell */
    const double across = a->width * p[1] - b->width * q[1], down = a->height * p[5] - b->height * q[5];
    return fabs(p[0] - q[0]) < part * p[1] && fabs(p[3] - q[3]) < -part * p[5] && fabs(across) < part * p[1] &&
           fabs(down) < -part * p[5];
}

static bool same_crs(const wadi_raster *a, const wadi_raster *b) {
    return !*a->georef.name || !*b->georef.name || strcmp(a->georef.name, b->georef.name) == 0;
}

static bool same_size(const wadi_raster *a, const wadi_raster *b) {
    return a->width == b->width && a->height == b->height;
}

static bool both_placed(const wadi_raster *a, const wadi_raster *b) { return a->has_georef && b->has_georef; }

/* Whether a map's cells correspond to the height's. If both have a georeference, it must be the same place. */
static bool corresponds(const wadi_raster *map, const wadi_raster *height) {
    return same_size(map, height) && (!both_placed(map, height) || (same_crs(map, height) && same_grid(map, height)));
}

static wadi_status refuse(const char *option, const char *path, const wadi_raster *height, const wadi_raster *map) {
    const bool placed = both_placed(map, height);
    char *command = warp_command(path, height, placed);
    if (!command) return WADI_ERROR_MEMORY;
    const double *p = map->georef.transform, *q = height->georef.transform;
    if (placed && !same_crs(map, height))
        wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s is in %s, the height in %s; %s", option, path, map->georef.name,
                  height->georef.name, command);
    else if (!same_size(map, height))
        wadi_fail(WADI_ERROR_ARGUMENT, "%s: %s has %d x %d cells, the height %d x %d; %s", option, path, map->width,
                  map->height, height->width, height->height, command);
    else
        wadi_fail(WADI_ERROR_ARGUMENT,
                  "%s: %s lies at (%.10g, %.10g) with cells of %.6g, the height at (%.10g, %.10g) of %.6g; %s", option,
                  path, p[0], p[3], p[1], q[0], q[3], q[1], command);
    free(command);
    return WADI_ERROR_ARGUMENT;
}

static wadi_status bring_there(const char *option, const char *path, bool is_mask, const wadi_raster *height,
                               wadi_raster **map) {
    const wadi_warp how = {.method = is_mask ? WADI_RESAMPLING_NEAREST : WADI_RESAMPLING_BILINEAR, .like = height};
    wadi_raster *placed = NULL;
    const wadi_status status = wadi_raster_warp(*map, &how, &placed);
    if (status == WADI_ERROR_ARGUMENT) return refuse(option, path, height, *map);
    if (status != WADI_OK) return wadi_fail(status, "%s: %s: %s", option, path, wadi_error_message());
    const char *crs = same_crs(*map, height) ? "" : (*map)->georef.name;
    run_message_note("%s: %s has another grid%s%s: resampled to the height's (%s; --exact refuses)", option, path,
                     *crs ? ", in " : "", crs, is_mask ? "nearest" : "bilinear");
    wadi_raster_destroy(*map);
    *map = placed;
    return WADI_OK;
}

wadi_status run_read_map_file(const char *option, const char *path, bool is_mask, const read_args *args,
                              const wadi_raster *height, wadi_raster **raster) {
    wadi_read_options options = {.width = height->width,
                                 .height = height->height,
                                 .plain_values = true,
                                 .encoding = is_mask ? WADI_ENCODING_LUMINANCE : WADI_ENCODING_NONE,
                                 .big_endian = args->byte_order == BYTES_BIG};
    wadi_raster *map = NULL;
    wadi_status status = run_fail_as_input(wadi_raster_read(path, &options, &map));
    if (status != WADI_OK) return status;
    warn_swapped(path, map, args->byte_order);
    if (!corresponds(map, height))
        status = both_placed(map, height) && !args->exact ? bring_there(option, path, is_mask, height, &map)
                                                          : refuse(option, path, height, map);
    if (status != WADI_OK) {
        wadi_raster_destroy(map);
        return status;
    }
    *raster = map;
    return WADI_OK;
}

/* Warns of flat land: its relief is below a thousandth of its extent. Georeferenced maps may be flatter. Floats from 0
 * to 1 may be fractions of a range, and have a stricter limit. */
static void warn_flat(const char *path, const wadi_raster *raster) {
    const wadi_range range = wadi_range_of(raster->values, (size_t)raster->width * (size_t)raster->height);
    const double low = (double)range.minimum, high = (double)range.maximum;
    const double extent = fmax(raster->width * raster->lx, raster->height * raster->ly), part = (high - low) / extent;
    const bool plain = wadi_sample_full_scale(raster->sample) == 0 && raster->scale == 1 && raster->offset == 0;
    const bool unit = plain && low >= 0 && high <= 1 && !raster->has_georef;
    if (!(part > 0) || part >= (unit ? 0.02 : raster->has_georef ? 0.0001 : 0.001)) return;
    run_message_warn(
        "%s: its heights reach from %.6g to %.6g m over %.6g m of land, which is very flat (%s)", path, low, high,
        extent, unit ? "--height-range LO,HI says what 0 and 1 stand for" : "--height-range, --z-unit, --cell-size");
}

void run_note_assumptions(const char *path, const read_args *args, const wadi_raster *raster) {
    if (raster->cell_assumed)
        run_message_note("%s: says no cell size; cells of 1 m are taken (--cell-size sets it)", path);
    if (raster->scale_assumed)
        run_message_note("%s: says no heights in metres; full scale is taken as %.6g m, 0.2 of the longer side "
                         "(--height-range LO,HI sets it)",
                         path, 0.2 * fmax(raster->width * raster->lx, raster->height * raster->ly));
    if (raster->flipped) run_message_note("%s: is stored south-up; its rows were reversed, north is at the top", path);
    if (raster->lx_variation > 0.05)
        run_message_warn(
            "%s: is in degrees, and a cell's width varies by %.0f%% from top to bottom; %.6g m, that of the "
            "centre, is used throughout (wadi reproject to a metric CRS does better)",
            path, 100 * raster->lx_variation, raster->lx);
    for (const char *line = raster->remarks; *line != '\0'; line += strcspn(line, "\n") + 1)
        run_message_warn("%s: %.*s", path, (int)strcspn(line, "\n"), line);
    warn_swapped(path, raster, args->byte_order);
    if (!raster->looks_swapped && !*raster->map_unit) warn_flat(path, raster);
}

const char *run_format_text(const wadi_raster *raster, char text[64]) {
    const wadi_format_facts *format = wadi_format_facts_of(raster->format);
    bool geotiff = raster->format == WADI_FORMAT_TIFF && raster->has_georef;
    const char *name = raster->format == WADI_FORMAT_GDAL && *raster->driver ? raster->driver
                       : format                                              ? format->name
                                                                             : "?";
    snprintf(text, 64, "%s%s, %s%s", geotiff ? "Geo" : "", name, wadi_sample_name(raster->sample),
             *raster->driver ? ", read by GDAL" : "");
    return text;
}
