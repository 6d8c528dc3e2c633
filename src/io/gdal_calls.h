/* gdal_calls.h: GDAL's functions. On Linux GDAL is loaded when it is first needed: it brings a hundred libraries, which
 * take longer to load than most commands run. Each name then stands for a pointer of `io_gdal`. */
#ifndef WADI_IO_GDAL_CALLS_H
#define WADI_IO_GDAL_CALLS_H

#include "wadi/wadi.h"

/* Before any call of GDAL. An error says what is missing. */
wadi_status io_gdal_load(void);

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <gdal_alg.h>
#include <gdal_utils.h>
#include <ogr_api.h>
#include <ogr_srs_api.h>

#ifdef WADI_GDAL_LIBRARY
typedef struct gdal_calls {
#define GDAL_CALL(name) __typeof__(name) *name;
#include "gdal_calls.def"
#undef GDAL_CALL
} gdal_calls;
extern gdal_calls io_gdal;
#ifndef WADI_GDAL_OWN_NAMES
#include "gdal_names.h" /* made by cmake/formats.cmake from gdal_calls.def */
#endif
#endif

#endif
#endif
