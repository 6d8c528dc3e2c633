/* gdal_dataset.h: a raster and its CRS as GDAL has them, see gdal_dataset.c. */
#ifndef WADI_IO_GDAL_DATASET_H
#define WADI_IO_GDAL_DATASET_H

#include "formats.h"
#include "gdal_calls.h"

/* The place of a raster, as GDAL's six numbers: in units of its CRS, of one without a georeference in m (`bare`). */
const double *io_place_of(const wadi_raster *raster, double bare[6]);

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

/* The raster's CRS, without its vertical part for a map in `unit` (NULL: heights). The caller releases it. NULL: it has
 * none. */
wadi_status io_gdal_crs_of(const wadi_raster *raster, const char *unit, OGRSpatialReferenceH *crs);
/* The raster in GDAL's memory driver, which uses its values. The caller closes it. NULL: not possible. */
GDALDatasetH io_gdal_dataset(const wadi_raster *raster, OGRSpatialReferenceH crs);
/* What GDAL wrote, into the file that will get the name. */
bool io_gdal_copy(const char *from, io_output *output);
/* Writes a dataset by a driver of GDAL. from: NULL: it could not be made. `message`: what GDAL says. */
wadi_status io_gdal_write(io_output *output, GDALDatasetH from, const char *driver, char **options,
                          const char *message);

#endif
#endif
