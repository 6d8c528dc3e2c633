/* read_args.h: the options for reading a heightmap, shared by all commands that read one. */
#ifndef WADI_RUN_READ_ARGS_H
#define WADI_RUN_READ_ARGS_H

#include "option.h"

#include "wadi/io.h"

typedef struct read_args {
    int size[2];
    number_pair cell, range, nodata;
    const char *band, *z_unit;
    int encoding; /* a wadi_encoding */
    int byte_order;
    bool map;   /* values, not heights: 0 to 1 from integers */
    bool exact; /* maps on another grid than the height's are refused */
} read_args;

enum { BYTES_LITTLE, BYTES_BIG };
/* Ended by NULL. */
extern const char *const run_encoding_names[]; /* indexed by wadi_encoding */
extern const char *const run_byte_order_names[];

/* Rows for a command's table of options: `struct_` is its struct, `args` its read_args. */
#define READ_OPTIONS(struct_, args) \
    OPTION_ROW(struct_, SIZE, "size", args.size, "WxH", .recipe = RECIPE_TOP, \
               .help = "cells of a RAW heightmap; without it a square"), \
        OPTION_ROW(struct_, PAIR, "cell-size", args.cell, "M", .recipe = RECIPE_TOP, .minimum = 1e-6, .maximum = 1e6, \
                   .help = "metres a cell measures (M or MX,MY), where the file does not say or is wrong"), \
        READ_SAMPLE_OPTIONS(struct_, args)
/* Those about samples alone, for commands that have sizes of their own. */
#define READ_SAMPLE_OPTIONS(struct_, args) \
    OPTION_ROW(struct_, PAIR, "height-range", args.range, "LO,HI", .recipe = RECIPE_TOP, \
               .help = "metres that 0 and full scale stand for: of uint8, uint16 and int16 the largest, of others 1"), \
        OPTION_ROW(struct_, PAIR, "nodata", args.nodata, "V", .recipe = RECIPE_TOP, \
                   .help = "samples that mean no data (V or V,V2), besides those that the file names"), \
        OPTION_ROW(struct_, TEXT, "band", args.band, "N|NAME", .recipe = RECIPE_TOP, \
                   .help = "the band with the heights, of a file with several"), \
        OPTION_ROW(struct_, TEXT, "z-unit", args.z_unit, "UNIT", .recipe = RECIPE_TOP, \
                   .help = "the heights' unit (m, ft, us-ft, cm, km), where the file does not say or is wrong"), \
        OPTION_ROW(struct_, CHOICE, "encoding", args.encoding, "E", .recipe = RECIPE_TOP, \
                   .choices = run_encoding_names, \
                   .help = "how a picture's colours hold the height; without it a picture must be grey"), \
        OPTION_ROW(struct_, CHOICE, "byte-order", args.byte_order, "B", .recipe = RECIPE_TOP, \
                   .choices = run_byte_order_names, .help = "of RAW files (little)")

/* Reads a heightmap. */
wadi_status run_read_height(const char *path, const read_args *args, wadi_raster **raster);
/* Refuses a terrain with cells that look like nodata, and one whose slopes no land has: a wrong unit, or a wrong cell
 * size. An option that sets one of these permits it. */
wadi_status run_check_doubts(const char *path, const read_args *args, const wadi_raster *raster);
/* Reads a map of values (0 to 1 from integers) on the height's grid. A georeferenced one from another grid or CRS is
 * resampled to it, unless args->exact. `args` are the height's; `option` names the map in messages. A mask keeps its
 * values where it is resampled, and may be a picture. */
wadi_status run_read_map_file(const char *option, const char *path, bool is_mask, const read_args *args,
                              const wadi_raster *height, wadi_raster **raster);
/* Reports the reader's assumptions and changes as notes. */
void run_note_assumptions(const char *path, const read_args *args, const wadi_raster *raster);
/* "GeoTIFF float32", "PNG uint16" */
const char *run_format_text(const wadi_raster *raster, char text[64]);
/* "EPSG:32617" from a CRS's name, "WGS 84 / UTM zone 17N (EPSG:32617)"; "" if it has no code. */
void run_epsg_code(const char *name, char code[24]);

#endif
