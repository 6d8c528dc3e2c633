/* gdal_local.h: what GDAL may open: see gdal_local.c. */
#ifndef WADI_IO_GDAL_LOCAL_H
#define WADI_IO_GDAL_LOCAL_H

#include "formats.h"

/* Registers the drivers that read local files, unless the program has registered GDAL's own before. True: no other
 * driver is registered, so that files which name other files may be read. */
bool io_gdal_begin(void);
/* The drivers for an outer file, for GDALOpenEx; the caller frees the list by CSLDestroy. */
char **io_gdal_drivers(bool closed);
/* Refuses what does not lead to ordinary local files, a VRT's sources included. `given`: the name for messages. */
wadi_status io_gdal_check(const char *given, const char *name, bool closed);

#endif
