/* cog.c: writes GeoTIFFs in tiles with overviews (cloud optimized GeoTIFF), by GDAL. They are read as any TIFF. */
#include "gdal_dataset.h"
#include "gdal_local.h"

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

#include <math.h>
#include <string.h>

static bool describe(const wadi_raster *raster, const wadi_write_options *options, GDALDatasetH dataset) {
    GDALRasterBandH band = GDALGetRasterBand(dataset, 1);
    const char *unit = options->unit == NULL || strcmp(options->unit, "m") == 0 ? "metre" : options->unit;
    GDALSetDescription(band, options->description != NULL ? options->description : raster->band_name);
    for (const char *item = NULL;
         options->description == NULL && (item = wadi_raster_metadata(raster, item)) != NULL;) {
        const char *value = strchr(item, '=');
        char *name = CPLStrdup(CPLSPrintf("%.*s", (int)(value - item), item));
        const bool set = GDALSetMetadataItem(dataset, name, value + 1, NULL) == CE_None;
        CPLFree(name);
        if (!set) return false;
    }
    return GDALSetRasterUnitType(band, unit) == CE_None;
}

/* Whole numbers may be codes, as flow directions: their mean is none. */
static bool is_whole(const wadi_raster *raster) {
    const size_t count = (size_t)raster->width * (size_t)raster->height;
    size_t i = 0;
    while (i < count && (isnan(raster->values[i]) || raster->values[i] == rintf(raster->values[i]))) i++;
    return i == count;
}

static wadi_status write_by_gdal(io_output *output, const wadi_raster *raster, const wadi_write_options *options,
                                 const char *message) {
    OGRSpatialReferenceH crs;
    wadi_status status = io_gdal_crs_of(raster, options->unit, &crs);
    if (status != WADI_OK) return status;
    char **layout = CSLSetNameValue(NULL, "COMPRESS", "DEFLATE");
    layout = CSLSetNameValue(layout, "PREDICTOR", "YES");
    layout = CSLSetNameValue(layout, "BIGTIFF", "IF_SAFER");
    layout = CSLSetNameValue(layout, "OVERVIEW_RESAMPLING", is_whole(raster) ? "NEAREST" : "AVERAGE");
    GDALDatasetH from = io_gdal_dataset(raster, crs);
    const bool good = from != NULL && describe(raster, options, from);
    status = io_gdal_write(output, good ? from : NULL, "COG", layout, message);
    if (from != NULL) GDALClose(from);
    CSLDestroy(layout);
    if (crs != NULL) OSRRelease(crs);
    return status;
}

static wadi_status io_cog_write(io_output *output, const wadi_raster *raster, wadi_write_options *options) {
    const wadi_status loaded = io_gdal_load();
    if (loaded != WADI_OK) return loaded;
    char message[160];
    const bool closed = io_gdal_enter(message);
    const wadi_status status = write_by_gdal(output, raster, options, message);
    io_gdal_leave(closed);
    return status;
}

#endif

const io_format io_format_COG = {
    .facts = {.name = "COG",
              .endings = "cog.tif cog.tiff",
              .package = "libgdal-dev libgeotiff-dev",
              .samples = 1 << WADI_SAMPLE_FLOAT32},
#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF
    .write = io_cog_write,
#endif
};
