/* warp.h: rasters on another grid (library wadi_io): resampled, reprojected, clipped. The first two need GDAL. */
#ifndef WADI_WARP_H
#define WADI_WARP_H

#include "wadi/io.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The methods of resampling, one per line: METHOD(constant, name, GDAL's name). docs/grids.md explains them.
 */
#define WADI_EACH_RESAMPLING(METHOD) \
    METHOD(BILINEAR, bilinear, bilinear) \
    METHOD(NEAREST, nearest, near) \
    METHOD(CUBIC, cubic, cubic) \
    METHOD(CUBICSPLINE, cubicspline, cubicspline) \
    METHOD(LANCZOS, lanczos, lanczos) \
    METHOD(AVERAGE, average, average) \
    METHOD(MEDIAN, median, med) \
    METHOD(MODE, mode, mode) \
    METHOD(MINIMUM, minimum, min) \
    METHOD(MAXIMUM, maximum, max)
typedef enum wadi_resampling {
#define WADI_RESAMPLING_CONSTANT(constant, name, gdal) WADI_RESAMPLING_##constant,
    WADI_EACH_RESAMPLING(WADI_RESAMPLING_CONSTANT)
#undef WADI_RESAMPLING_CONSTANT
} wadi_resampling;

typedef struct wadi_warp {
    wadi_resampling method;  /* default WADI_RESAMPLING_BILINEAR */
    const char *crs;         /* "EPSG:32611"; NULL: the raster's own */
    int width, height;       /* cells; 0, 0: from the cell size. With a new CRS they must be 0 */
    double cell_x, cell_y;   /* in units of the CRS, of a raster without one in m; 0, 0: chosen */
    const wadi_raster *like; /* this raster's CRS, extent and cells, in place of the others; NULL: none. If one of both
                                has no CRS, it is taken to have the other's */
} wadi_warp;

/* The raster on another grid. Without a new CRS its top left corner stays, and with a size its extent too. Cells
 * outside the raster are NaN. The caller destroys *made. Argument error for a grid or CRS that cannot be, and for a
 * grid without any of its cells; unsupported without GDAL; memory error. *made is then NULL. */
WADI_API wadi_status wadi_raster_warp(const wadi_raster *raster, const wadi_warp *how, wadi_raster **made);
/* Some of the raster's cells: width x height of them from column x and row y. Argument error for cells outside. */
WADI_API wadi_status wadi_raster_clip(const wadi_raster *raster, int x, int y, int width, int height,
                                      wadi_raster **made);

#ifdef __cplusplus
}
#endif
#endif
