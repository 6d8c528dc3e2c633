/* gdal_text.h: grids of numbers as text, which GDAL reads with zeros where values are missing or are no numbers. */
#ifndef WADI_IO_GDAL_TEXT_H
#define WADI_IO_GDAL_TEXT_H

#include "formats.h"
#include "gdal_calls.h"

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

/* Refuses other than width * height numbers after the header; other formats than ASCII grids pass. */
wadi_status io_gdal_check_text(const io_input *input, GDALDatasetH from);

#endif
#endif
