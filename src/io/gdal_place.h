/* gdal_place.h: where GDAL's rasters lie, see gdal_place.c. */
#ifndef WADI_IO_GDAL_PLACE_H
#define WADI_IO_GDAL_PLACE_H

#include "formats.h"

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

/* What the .aux.xml beside the raster says of it. That counts before what the raster says itself. */
typedef struct io_told_beside {
    bool crs, cell, nodata, scale, unit;
} io_told_beside;
io_told_beside io_gdal_read_beside(const char *name);

#endif
#endif
