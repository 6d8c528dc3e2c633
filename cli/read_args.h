/* read_args.h: the options by which a heightmap is read, the same for every command that reads one. */
#ifndef WADI_CLI_READ_ARGS_H
#define WADI_CLI_READ_ARGS_H

#include "options.h"

#include "wadi/io.h"

typedef struct read_args {
    int size[2];
    number_pair cell, range;
    const char *z_unit;
} read_args;

/* Rows for a command's table: `struct_` is its struct, `args` the read_args in it. */
#define READ_OPTIONS(struct_, args) \
    OPTION_ROW(struct_, SIZE, "size", args.size, "WxH", .recipe = RECIPE_TOP, \
               .help = "cells of a RAW heightmap; without it a square"), \
        OPTION_ROW(struct_, PAIR, "cell-size", args.cell, "M", .recipe = RECIPE_TOP, .minimum = 1e-6, .maximum = 1e6, \
                   .help = "metres a cell measures (M or MX,MY), where the file does not say or is wrong"), \
        OPTION_ROW(struct_, PAIR, "height-range", args.range, "LO,HI", .recipe = RECIPE_TOP, \
                   .help = "metres that an integer heightmap's smallest and largest sample stand for"), \
        OPTION_ROW(struct_, TEXT, "z-unit", args.z_unit, "UNIT", .recipe = RECIPE_TOP, \
                   .help = "the heights' unit (m, ft, us-ft, cm, km), where the file does not say or is wrong")

/* A height. The error, if any, has been said; returns the exit code. */
int read_height(const char *path, const read_args *args, wadi_raster **raster);
/* A map of values (0 to 1 from integers) that must have this size; `option` names it in messages. */
int read_map(const char *option, const char *path, int width, int height, wadi_raster **raster);
/* What the reader took for granted or changed, as notes on stderr. */
void note_assumptions(const char *path, const wadi_raster *raster);
/* "GeoTIFF float32", "PNG uint16" */
const char *format_text(const wadi_raster *raster, char text[64]);
const char *sample_name(wadi_sample sample);

#endif
