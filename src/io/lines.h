/* lines.h (internal): writes lines with attributes as GeoPackage or FlatGeobuf, by GDAL. */
#ifndef WADI_IO_LINES_H
#define WADI_IO_LINES_H

#include "formats.h"

typedef struct io_lines {
    const char *layer;
    size_t count, attributes;
    const char *const *names;                                              /* of the attributes */
    const bool *whole;                                                     /* of them: integers */
    void (*values)(void *context, size_t line, double *values);            /* NaN: none */
    size_t (*places)(void *context, size_t line);                          /* how many it has */
    void (*place)(void *context, size_t line, size_t index, double xy[2]); /* in the terrain's CRS */
    void *context;
} io_lines;

/* By the path's ending: .gpkg or .fgb. In the terrain's CRS, if it has one. */
WADI_API wadi_status wadi_io_lines_write(const char *path, const wadi_raster *terrain, const io_lines *lines);

#endif
