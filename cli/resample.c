/* resample.c: wadi resample: the same ground in larger or smaller cells. */
#include "regrid.h"

typedef struct resample_options {
    const char *output, *like;
    bool force;
    int size[2], method;
    number_pair cell;
    read_args read;
} resample_options;

#define ROW(...) OPTION_ROW(resample_options, __VA_ARGS__)
static const option options[] = {
    ROW(TEXT, "output", output, "FILE", .letter = 'o',
        .help = "the raster; its ending is its format:" WADI_FORMAT_ENDINGS),
    ROW(SIZE, "size", size, "WxH", .help = "cells of the result; its extent stays"),
    ROW(PAIR, "cell-size", cell, "C", .minimum = 1e-9, .maximum = 1e9,
        .help = "in place of --size: what a cell measures (C or CX,CY), in units of the CRS; without a CRS in m"),
    ROW(TEXT, "like", like, "RASTER", .help = "in place of --size: the CRS, extent and cells of another raster"),
    ROW(CHOICE, "method", method, "M", .choices = regrid_methods, .help = "how values are computed (bilinear)"),
    ROW(FLAG, "force", force, NULL, .help = "replace an existing file"),
    REGRID_MAP_OPTION(resample_options, read),
    READ_SAMPLE_OPTIONS(resample_options, read),
    {0},
};

static const command resample = {
    .name = "resample",
    .usage = "FILE|RUN --size WxH|--cell-size C|--like RASTER -o FILE [options]",
    .summary =
        "Brings a heightmap onto larger or smaller cells. CRS, extent and cells without data are kept. GDAL does "
        "the work, as gdalwarp does.",
    .options = options,
    .arguments = "FILE|RUN",
    .arguments_from = 1,
    .arguments_to = 1,
};

int wadi_cmd_resample(int argc, char **argv) {
    resample_options given = {0};
    arguments arguments;
    wadi_status status;
    if (!options_parse(&resample, argc, argv, &given, &arguments, &status)) return report_end(status);
    const char *input = arguments.items[0];
    if ((given.size[0] > 0) + (given.cell.count > 0) + !!given.like != 1)
        return report_end(wadi_fail(WADI_ERROR_ARGUMENT, "one of --size, --cell-size and --like is wanted: wadi %s %s",
                                    resample.name, resample.usage));
    const wadi_warp how = {.method = (wadi_resampling)given.method,
                           .width = given.size[0],
                           .height = given.size[1],
                           .cell_x = given.cell.first,
                           .cell_y = given.cell.second};
    status = regrid_check(&resample, input, given.output, given.force);
    if (status == WADI_OK) status = regrid_warp(input, &given.read, given.like, &how, given.output);
    return report_end(status);
}
