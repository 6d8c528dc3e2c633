/* warp.c: rasters on another grid, by GDAL's warper: what gdalwarp makes, with exact transformations. The raster lies
 * in GDAL's memory driver, and the result is a virtual raster, whose size is checked before its cells are computed. */
#include "wadi/warp.h"
#include "core/need.h"
#include "gdal_dataset.h"
#include "gdal_local.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- clip --------------------------------------------------------------------------------------------------------- */

/* A part of a raster in degrees has cells of another width in metres, unless the caller said how wide they are. */
static wadi_status size_cells(const wadi_raster *raster, wadi_raster *part) {
#ifdef WADI_WITH_TIFF
    if (raster->from.cell != WADI_ORIGIN_OPTION) return io_georef_cells(part);
#endif
    (void)raster, (void)part;
    return WADI_OK;
}

wadi_status wadi_raster_clip(const wadi_raster *raster, int x, int y, int width, int height, wadi_raster **made) {
    WADI_IEEE_MODE;
    WADI_NEED(made);
    *made = NULL;
    WADI_NEED(raster);
    const bool inside =
        x >= 0 && y >= 0 && width > 0 && height > 0 && x <= raster->width - width && y <= raster->height - height;
    if (!inside)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%d x %d cells from %d, %d: not all are in a raster of %d x %d", width,
                         height, x, y, raster->width, raster->height);
    const wadi_raster of_size = {.width = width,
                                 .height = height,
                                 .lx = raster->lx,
                                 .ly = raster->ly,
                                 .has_nodata = raster->has_nodata,
                                 .nodata = raster->nodata,
                                 .has_georef = raster->has_georef,
                                 .georef = raster->georef};
    const wadi_status status = wadi_raster_like(&of_size, made);
    if (status != WADI_OK) return status;
    double *t = (*made)->georef.transform;
    t[0] += x * t[1];
    t[3] += y * t[5];
    const wadi_status sized = size_cells(raster, *made);
    if (sized != WADI_OK) {
        wadi_raster_destroy(*made);
        *made = NULL;
        return sized;
    }
    (*made)->format = raster->format;
    memcpy((*made)->map_unit, raster->map_unit, sizeof raster->map_unit);
    const wadi_status told = io_metadata_copy(raster, *made);
    if (told != WADI_OK) {
        wadi_raster_destroy(*made);
        *made = NULL;
        return told;
    }
    for (int row = 0; row < height; row++)
        memcpy((*made)->values + (size_t)row * (size_t)width,
               raster->values + (size_t)(y + row) * (size_t)raster->width + (size_t)x, (size_t)width * sizeof(float));
    return WADI_OK;
}

/* --- warp --------------------------------------------------------------------------------------------------------- */

/* In the raster's own CRS. The extent stays where it is; cells of a size begin at the top left corner. */
typedef struct grid {
    double left, top, columns, rows, dx, dy;
} grid;

static grid grid_of(const wadi_raster *raster, const wadi_warp *how) {
    double bare[6];
    const double *t = io_place_of(how->like != NULL ? how->like : raster, bare);
    if (how->like != NULL) return (grid){t[0], t[3], how->like->width, how->like->height, t[1], -t[5]};
    const double across = raster->width * t[1], down = -raster->height * t[5];
    grid g = {t[0], t[3], how->width, how->height, how->cell_x, how->cell_y};
    if (how->width > 0) {
        g.dx = across / g.columns;
        g.dy = down / g.rows;
    } else {
        g.columns = floor(across / g.dx + 0.5);
        g.rows = floor(down / g.dy + 0.5);
    }
    return g;
}

static wadi_status check_grid(const grid *g) {
    if (g->columns >= 2 && g->rows >= 2 && g->columns <= INT_MAX && g->rows <= INT_MAX) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "cells of %g x %g make a grid of %.0f x %.0f; 2 x 2 is the least, 2^31 the most", g->dx, g->dy,
                     g->columns, g->rows);
}

static wadi_status check_like(const wadi_raster *raster, const wadi_warp *how) {
    if (how->crs != NULL || how->width > 0 || how->cell_x > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "the grid of another raster has its own CRS and cells; leave others out");
    if (raster->has_georef && how->like->has_georef) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s has no georeference; resample it to the number of cells",
                     raster->has_georef ? "the other raster" : "the raster");
}

static wadi_status no_crs(void) {
    return wadi_fail(WADI_ERROR_ARGUMENT, "the raster has no CRS; gdal_edit -a_srs gives it one");
}

static wadi_status check(const wadi_raster *raster, const wadi_warp *how) {
    if (how->width < 0 || how->height < 0 || (how->width > 0) != (how->height > 0) || how->width == 1 ||
        how->height == 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a grid of %d x %d cells cannot be; 2 x 2 is the least", how->width,
                         how->height);
    if (!(how->cell_x >= 0 && how->cell_x < 1e9 && how->cell_y >= 0 && how->cell_y < 1e9) ||
        (how->cell_x > 0) != (how->cell_y > 0))
        return wadi_fail(WADI_ERROR_ARGUMENT, "cells of %g x %g cannot be; give sizes above 0", how->cell_x,
                         how->cell_y);
    if ((unsigned)how->method > WADI_RESAMPLING_MAXIMUM)
        return wadi_fail(WADI_ERROR_ARGUMENT, "there is no method %d of resampling", (int)how->method);
    if (how->like != NULL) return check_like(raster, how);
    if (how->crs != NULL && how->width > 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "in a new CRS give the cell size, and no number of cells");
    if (how->crs == NULL && (how->width > 0) == (how->cell_x > 0))
        return wadi_fail(WADI_ERROR_ARGUMENT, "give the number of cells or the cell size, one of them");
    if (how->crs != NULL && (!raster->has_georef || raster->georef.crs_bytes == 0)) return no_crs();
    const grid grid = how->crs == NULL ? grid_of(raster, how) : (struct grid){.columns = 2, .rows = 2};
    return check_grid(&grid);
}

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

static const char *const gdal_names[] = {
#define NAME(constant, name, gdal) #gdal,
    WADI_EACH_RESAMPLING(NAME)
#undef NAME
};

static char **add_number(char **words, double number) {
    char text[40];
    io_format_number(number, text, sizeof text);
    return CSLAddString(words, text);
}

static char **add_grid(char **words, const grid *g) {
    words = CSLAddString(words, "-te");
    words = add_number(add_number(words, g->left), g->top - g->rows * g->dy);
    words = add_number(add_number(words, g->left + g->columns * g->dx), g->top);
    words = CSLAddString(words, "-ts");
    return add_number(add_number(words, g->columns), g->rows);
}

static char **add_crs(char **words, OGRSpatialReferenceH crs) {
    char *text = NULL;
    if (crs != NULL && OSRExportToWktEx(crs, &text, NULL) == OGRERR_NONE)
        words = CSLAddString(CSLAddString(words, "-t_srs"), text);
    CPLFree(text);
    return words;
}

/* like: the CRS of how->like; NULL: none. */
static char **words_of(const wadi_raster *raster, const wadi_warp *how, OGRSpatialReferenceH like) {
    static const char *const always[] = {"-of",        "VRT", "-et",        "0",   "-novshift",
                                         "-srcnodata", "nan", "-dstnodata", "nan", "-r"};
    char **words = NULL;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++) words = CSLAddString(words, always[i]);
    words = CSLAddString(words, gdal_names[how->method]);
    words = add_crs(words, like);
    if (how->crs == NULL) {
        const grid grid = grid_of(raster, how);
        return add_grid(words, &grid);
    }
    words = CSLAddString(CSLAddString(words, "-t_srs"), how->crs);
    if (how->cell_x > 0) words = add_number(add_number(CSLAddString(words, "-tr"), how->cell_x), how->cell_y);
    return words;
}

static wadi_status fill(GDALDatasetH from, const char *message, wadi_raster *made) {
    if (GDALRasterIO(GDALGetRasterBand(from, 1), GF_Read, 0, 0, made->width, made->height, made->values, made->width,
                     made->height, GDT_Float32, 0, 0) != CE_None)
        return wadi_fail(WADI_ERROR_FORMAT, "the raster cannot be brought onto the new grid: %s", message);
    return WADI_OK;
}

static bool is_empty(const wadi_raster *raster) {
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    size_t i = 0;
    while (i < count && isnan(raster->values[i])) i++;
    return i == count;
}

static wadi_status take_grid(const wadi_warp *how, GDALDatasetH from, wadi_raster **made) {
    static const wadi_read_options standard;
    const uint64_t limit = platform_memory_bytes() / 4 * 3;
    const io_input input = {.name = "the new grid", .options = &standard, .memory_limit = limit};
    io_meaning meaning = {0};
    if (how->like != NULL) return wadi_raster_like(how->like, made);
    const wadi_status status =
        io_begin(&input, (uint64_t)GDALGetRasterXSize(from), (uint64_t)GDALGetRasterYSize(from), made);
    return status == WADI_OK ? io_gdal_georef(&input, from, *made, &meaning) : status;
}

static wadi_status take_result(const wadi_raster *raster, const wadi_warp *how, GDALDatasetH from, const char *message,
                               wadi_raster **made) {
    wadi_status status = take_grid(how, from, made);
    if (status == WADI_OK) status = fill(from, message, *made);
    if (status == WADI_OK && is_empty(*made))
        status = wadi_fail(WADI_ERROR_ARGUMENT,
                           "no cell of the raster lies on the new grid; is it the place that is meant?");
    if (status != WADI_OK) return status;
    (*made)->has_georef = raster->has_georef;
    (*made)->format = raster->format;
    (*made)->has_nodata = raster->has_nodata;
    (*made)->nodata = raster->nodata;
    memcpy((*made)->map_unit, raster->map_unit, sizeof raster->map_unit);
    return io_metadata_copy(raster, *made);
}

static wadi_status warp_from(const wadi_raster *raster, OGRSpatialReferenceH crs, const wadi_warp *how,
                             OGRSpatialReferenceH like, const char *message, wadi_raster **made) {
    GDALDatasetH source = io_gdal_dataset(raster, crs);
    if (source == NULL) return wadi_fail(WADI_ERROR_UNSUPPORTED, "the raster cannot be given to GDAL: %s", message);
    char **words = words_of(raster, how, like);
    GDALWarpAppOptions *options = GDALWarpAppOptionsNew(words, NULL);
    int wrong = 0;
    GDALDatasetH result = options != NULL ? GDALWarp("", NULL, 1, &source, options, &wrong) : NULL;
    wadi_status status = result != NULL ? take_result(raster, how, result, message, made)
                                        : wadi_fail(WADI_ERROR_ARGUMENT, "the raster has no such grid: %s", message);
    if (result != NULL) GDALClose(result);
    GDALWarpAppOptionsFree(options);
    CSLDestroy(words);
    GDALClose(source);
    return status;
}

static wadi_status warp(const wadi_raster *raster, const wadi_warp *how, const char *message, wadi_raster **made) {
    OGRSpatialReferenceH crs, like = NULL;
    wadi_status status = io_gdal_crs_of(raster, NULL, &crs);
    if (status == WADI_OK && how->like != NULL) status = io_gdal_crs_of(how->like, NULL, &like);
    if (status == WADI_OK && how->crs != NULL && crs == NULL) status = no_crs();
    if (status == WADI_OK) status = warp_from(raster, crs, how, like, message, made);
    if (crs != NULL) OSRRelease(crs);
    if (like != NULL) OSRRelease(like);
    return status;
}

/* Only codes of the EPSG register: GDAL would take names of files and addresses too. */
static bool is_known(const char *crs) {
    const char *digits = strncmp(crs, "EPSG:", 5) == 0 ? crs + 5 : "";
    const size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 6 || digits[count] != '\0') return false;
    OGRSpatialReferenceH found = OSRNewSpatialReference(NULL);
    const bool known =
        OSRImportFromEPSG(found, atoi(digits)) == OGRERR_NONE && (OSRIsProjected(found) || OSRIsGeographic(found));
    OSRRelease(found);
    return known;
}

wadi_status wadi_raster_warp(const wadi_raster *raster, const wadi_warp *how, wadi_raster **made) {
    WADI_IEEE_MODE;
    WADI_NEED(made);
    *made = NULL;
    WADI_NEED(raster);
    WADI_NEED(how);
    wadi_status status = check(raster, how);
    if (status == WADI_OK) status = io_gdal_load();
    if (status != WADI_OK) return status;
    char message[160] = "";
    const bool closed = io_gdal_enter(message);
    status = how->crs == NULL || is_known(how->crs)
                 ? WADI_OK
                 : wadi_fail(WADI_ERROR_ARGUMENT, "%s: is no CRS of the ground in the EPSG register; give EPSG:NUMBER",
                             how->crs);
    message[0] = '\0';
    if (status == WADI_OK) status = warp(raster, how, message, made);
    io_gdal_leave(closed);
    if (status == WADI_OK) return WADI_OK;
    wadi_raster_destroy(*made);
    *made = NULL;
    return status;
}

#else

wadi_status wadi_raster_warp(const wadi_raster *raster, const wadi_warp *how, wadi_raster **made) {
    WADI_NEED(made);
    *made = NULL;
    WADI_NEED(raster);
    WADI_NEED(how);
    const wadi_status status = check(raster, how);
    if (status != WADI_OK) return status;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "resampling not built: install %s and build again",
                     io_format_GDAL.facts.package);
}

#endif
