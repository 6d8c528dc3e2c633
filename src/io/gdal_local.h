/* gdal_local.h: restricts GDAL to local files, see gdal_local.c. */
#ifndef WADI_IO_GDAL_LOCAL_H
#define WADI_IO_GDAL_LOCAL_H

#include "formats.h"

/* The most bytes of a .aux.xml beside a raster. GDAL reads the whole file into memory. */
enum { IO_SIDE_XML_BYTES = 1 << 26 };

/* Registers the drivers for local files, unless the program has registered GDAL's drivers before. True: no other driver
 * is registered, so files that name other files may be read. */
bool io_gdal_begin(void);
/* The drivers for an outer file, for GDALOpenEx; the caller frees the list by CSLDestroy. */
char **io_gdal_drivers(bool closed);
char **io_gdal_vector_drivers(void); /* the same for points, lines and areas */
/* Settings of this thread while GDAL is in use: nothing but local files; the first error goes to `message` (160 bytes).
 * Returns io_gdal_begin(), which io_gdal_leave wants back. */
bool io_gdal_enter(char *message);
void io_gdal_leave(bool closed);
/* The georeference of a GDAL dataset. */
wadi_status io_gdal_georef(const io_input *input, void *dataset, wadi_raster *raster, io_meaning *meaning);
/* Refuses names that do not refer to ordinary local files, also in a VRT's sources. `given`: the name for messages. */
wadi_status io_gdal_check(const char *given, const char *name, bool closed);

#endif
