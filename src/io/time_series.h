/* time_series.h (internal): maps of many times in one file, by GDAL: netCDF with the names of CF-1.8, or Zarr. */
#ifndef WADI_IO_TIME_SERIES_H
#define WADI_IO_TIME_SERIES_H

#include "formats.h"

typedef struct io_series_map {
    const char *name, *meaning, *unit;
    const char *standard_name; /* in CF's table; NULL: none */
} io_series_map;

typedef bool io_frame_fn(void *context, size_t frame, size_t map, float *values); /* false: it cannot be read */

typedef struct io_series {
    const wadi_raster *grid; /* its values are not used */
    const io_series_map *maps;
    size_t map_count, frames;
    const double *times_s, *steps; /* of each frame */
    const char *source;            /* what made it */
    io_frame_fn *read;
    void *context;
} io_series;

/* By the path's ending: .zarr is a folder, any other name netCDF. There must be no such file. */
WADI_API wadi_status wadi_io_series_write(const char *path, const io_series *series);
/* Whether this build has the format. If not, *missing says what to install. */
WADI_API bool wadi_io_series_available(bool zarr, const char **missing);

#endif
