/* gdal_dataset.c: a raster and its CRS as GDAL has them, for what GDAL does with them: warping, vector files, other
 * formats. */
#include "gdal_dataset.h"

#include <string.h>

const double *io_place_of(const wadi_raster *raster, double bare[6]) {
    memcpy(bare, (double[6]){0, raster->lx, 0, 0, 0, -raster->ly}, 6 * sizeof *bare);
    return raster->has_georef ? raster->georef.transform : bare;
}

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

#include <errno.h>
#include <math.h>
#include <stdlib.h>

/* GDAL's CRS of a GeoTIFF in memory. The caller releases it. NULL: none. */
static OGRSpatialReferenceH crs_in(GByte *bytes, size_t count) {
    static const char *const tiff[] = {"GTiff", NULL};
    char path[64];
    snprintf(path, sizeof path, "/vsimem/wadi-%p.tif", (void *)bytes);
    VSIFCloseL(VSIFileFromMemBuffer(path, bytes, count, FALSE));
    GDALDatasetH file = GDALOpenEx(path, GDAL_OF_RASTER, tiff, NULL, NULL);
    const OGRSpatialReferenceH found = file != NULL ? GDALGetSpatialRef(file) : NULL;
    const OGRSpatialReferenceH crs = found != NULL ? OSRClone(found) : NULL;
    if (file != NULL) GDALClose(file);
    VSIUnlink(path);
    return crs;
}

/* By way of a GeoTIFF of 2 x 2 cells. */
wadi_status io_gdal_crs_of(const wadi_raster *raster, const char *unit, OGRSpatialReferenceH *crs) {
    float values[4] = {0};
    wadi_raster small = {.width = 2, .height = 2, .values = values, .lx = 1, .ly = 1};
    wadi_write_options options = {.format = WADI_FORMAT_TIFF, .unit = unit};
    *crs = NULL;
    if (!raster->has_georef || raster->georef.crs_bytes == 0) return WADI_OK;
    small.has_georef = true;
    small.georef = raster->georef;
    io_output output = {.path = "a CRS", .file = tmpfile()};
    if (output.file == NULL)
        return wadi_fail(WADI_ERROR_IO, "no temporary file for a CRS can be made; make room in TMPDIR or /tmp");
    wadi_status status = io_tiff_write(&output, &small, &options);
    GByte *bytes = status == WADI_OK ? malloc(output.size) : NULL;
    if (bytes != NULL && io_output_read(&output, 0, bytes, output.size) == output.size)
        *crs = crs_in(bytes, output.size);
    free(bytes);
    fclose(output.file);
    if (status == WADI_OK && *crs == NULL && *raster->georef.name != '\0')
        status = wadi_fail(WADI_ERROR_UNSUPPORTED, "GDAL does not understand the CRS %s", raster->georef.name);
    return status;
}

GDALDatasetH io_gdal_dataset(const wadi_raster *raster, OGRSpatialReferenceH crs) {
    GDALDriverH driver = GDALGetDriverByName("MEM");
    GDALDatasetH dataset =
        driver != NULL ? GDALCreate(driver, "", raster->width, raster->height, 0, GDT_Float32, NULL) : NULL;
    if (dataset == NULL) return NULL;
    double bare[6], transform[6];
    memcpy(transform, io_place_of(raster, bare), sizeof transform);
    char place[64] = "", option[80];
    CPLPrintPointer(place, raster->values, sizeof place - 1);
    snprintf(option, sizeof option, "DATAPOINTER=%s", place);
    char **options = CSLAddString(NULL, option);
    const bool good = GDALAddBand(dataset, GDT_Float32, options) == CE_None &&
                      GDALSetGeoTransform(dataset, transform) == CE_None &&
                      (crs == NULL || GDALSetSpatialRef(dataset, crs) == CE_None) &&
                      GDALSetRasterNoDataValue(GDALGetRasterBand(dataset, 1), (double)NAN) == CE_None;
    CSLDestroy(options);
    if (good) return dataset;
    GDALClose(dataset);
    return NULL;
}

bool io_gdal_copy(const char *from, io_output *output) {
    enum { PIECE = 1 << 20 };
    uint8_t *bytes = malloc(PIECE);
    VSILFILE *file = bytes != NULL ? VSIFOpenL(from, "rb") : NULL;
    uint64_t at = 0;
    size_t count = 0;
    while (file != NULL && (count = VSIFReadL(bytes, 1, PIECE, file)) > 0 && io_output_write(output, at, bytes, count))
        at += count;
    const bool good = file != NULL && count == 0;
    if (file != NULL) VSIFCloseL(file);
    if (bytes == NULL) output->error = ENOMEM;
    free(bytes);
    return good;
}

wadi_status io_gdal_write(io_output *output, GDALDatasetH from, const char *driver, char **options,
                          const char *message) {
    GDALDriverH writer = from != NULL ? GDALGetDriverByName(driver) : NULL;
    char *path = CPLStrdup(CPLSPrintf("%s.gdal", output->made.temporary));
    GDALDatasetH made = writer != NULL ? GDALCreateCopy(writer, path, from, FALSE, options, NULL, NULL) : NULL;
    if (made != NULL) GDALClose(made);
    wadi_status status = WADI_OK;
    if (made == NULL || *message != '\0')
        status = wadi_fail(WADI_ERROR_IO, "%s: cannot be written as %s: %s", output->path, driver,
                           *message != '\0' ? message : "this GDAL cannot do it");
    else if (!io_gdal_copy(path, output))
        status = wadi_fail(WADI_ERROR_IO, "%s: cannot be written", output->path);
    VSIUnlink(path);
    CPLFree(path);
    return status;
}

#endif
