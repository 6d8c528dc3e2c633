/* reproject.c: wadi reproject: a raster in another coordinate reference system. */
#include "regrid.h"

typedef struct reproject_options {
    const char *output, *crs, *like;
    bool force;
    int method;
    number_pair cell;
    read_args read;
} reproject_options;

#define ROW(...) OPTION_ROW(reproject_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "FILE", .letter = 'o',
        .help = "the raster; its ending is its format:" WADI_FORMAT_ENDINGS),
    ROW(TEXT, "crs", crs, "EPSG:N", .help = "the new CRS, by its number in the EPSG register"),
    ROW(TEXT, "like", like, "RASTER", .help = "in place of --crs: the CRS, extent and cells of another raster"),
    ROW(PAIR, "cell-size", cell, "C", .minimum = 1e-9, .maximum = 1e9,
        .help = "what a cell measures (C or CX,CY), in units of the new CRS (about as many cells as before)"),
    ROW(CHOICE, "method", method, "M", .choices = regrid_methods, .help = "how values are computed (bilinear)"),
    ROW(FLAG, "force", force, NULL, .help = "replace an existing file"),
    REGRID_MAP_OPTION(reproject_options, read),
    READ_SAMPLE_OPTIONS(reproject_options, read),
    {0},
};

static const command reproject = {
    .name = "reproject",
    .usage = "FILE|RUN --crs EPSG:N|--like RASTER -o FILE [--cell-size C] [options]",
    .summary = "Brings a heightmap into another CRS, such as from degrees into metres. Cells that have no place in the "
               "input have no data. Heights stay as they are. GDAL does the work, as gdalwarp does.",
    .options = options,
    .arguments = "FILE|RUN",
    .arguments_from = 1,
    .arguments_to = 1,
};

int wadi_cmd_reproject(int argc, char **argv) {
    reproject_options given = {0};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&reproject, argc, argv, &given, &arguments, &status)) return report_end(status);
    const char *input = arguments.items[0];
    if (!given.crs == !given.like)
        return report_end(wadi_fail(WADI_ERROR_ARGUMENT, "one of --crs EPSG:N and --like RASTER is wanted: wadi %s %s",
                                    reproject.name, reproject.usage));
    const wadi_warp how = {.method = (wadi_resampling)given.method,
                           .crs = given.crs,
                           .cell_x = given.cell.first,
                           .cell_y = given.cell.second};
    status = regrid_check(&reproject, input, given.output, given.force);
    if (status == WADI_OK) status = regrid_warp(input, &given.read, given.like, &how, given.output);
    return report_end(status);
}
