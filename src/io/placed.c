/* placed.c: writes an RGB picture of a terrain as GeoTIFF, by GDAL. */
#include "core/need.h"
#include "gdal_dataset.h"
#include "gdal_local.h"

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

#include <stdlib.h>

typedef struct placed {
    const uint8_t *rgb;
    uint8_t *alpha;
    int width, height;
    const wadi_raster *terrain;
} placed;

/* Of the terrain's cell under the middle of each pixel. */
static void fill_alpha(const placed *picture) {
    const wadi_raster *terrain = picture->terrain;
    for (int y = 0; y < picture->height; y++) {
        const int row = (int)((y + 0.5) / picture->height * terrain->height);
        for (int x = 0; x < picture->width; x++) {
            const int column = (int)((x + 0.5) / picture->width * terrain->width);
            const float height = terrain->values[(size_t)row * (size_t)terrain->width + (size_t)column];
            picture->alpha[(size_t)y * (size_t)picture->width + (size_t)x] = height == height ? 255 : 0;
        }
    }
}

static bool add_band(GDALDatasetH dataset, const uint8_t *first, int step, int width) {
    char place[64] = "";
    CPLPrintPointer(place, (void *)(uintptr_t)first, sizeof place - 1);
    char **options = CSLSetNameValue(NULL, "DATAPOINTER", place);
    options = CSLSetNameValue(options, "PIXELOFFSET", CPLSPrintf("%d", step));
    options = CSLSetNameValue(options, "LINEOFFSET", CPLSPrintf("%lld", (long long)step * width));
    const bool good = GDALAddBand(dataset, GDT_Byte, options) == CE_None;
    CSLDestroy(options);
    return good;
}

static bool place(const placed *picture, OGRSpatialReferenceH crs, GDALDatasetH dataset) {
    double bare[6], t[6];
    const double *whole = io_place_of(picture->terrain, bare);
    for (int i = 0; i < 6; i++) t[i] = whole[i];
    t[1] *= (double)picture->terrain->width / picture->width;
    t[5] *= (double)picture->terrain->height / picture->height;
    return GDALSetGeoTransform(dataset, t) == CE_None && (crs == NULL || GDALSetSpatialRef(dataset, crs) == CE_None);
}

/* NULL: not possible. */
static GDALDatasetH dataset_of(const placed *picture, OGRSpatialReferenceH crs) {
    static const GDALColorInterp colours[] = {GCI_RedBand, GCI_GreenBand, GCI_BlueBand, GCI_AlphaBand};
    GDALDriverH driver = GDALGetDriverByName("MEM");
    GDALDatasetH dataset =
        driver != NULL ? GDALCreate(driver, "", picture->width, picture->height, 0, GDT_Byte, NULL) : NULL;
    bool good = dataset != NULL && place(picture, crs, dataset);
    for (int i = 0; i < 4 && good; i++)
        good = add_band(dataset, i < 3 ? picture->rgb + i : picture->alpha, i < 3 ? 3 : 1, picture->width) &&
               GDALSetRasterColorInterpretation(GDALGetRasterBand(dataset, i + 1), colours[i]) == CE_None;
    if (good || dataset == NULL) return dataset;
    GDALClose(dataset);
    return NULL;
}

static wadi_status write_placed(const placed *picture, io_output *output, const char *message) {
    OGRSpatialReferenceH crs;
    wadi_status status = io_gdal_crs_of(picture->terrain, "1", &crs);
    if (status != WADI_OK) return status;
    const bool cog = wadi_format_of_name(output->path) == WADI_FORMAT_COG;
    char **options = CSLSetNameValue(NULL, "COMPRESS", "DEFLATE");
    options = CSLSetNameValue(options, "PREDICTOR", "2");
    options = CSLSetNameValue(options, "BIGTIFF", "IF_SAFER");
    if (!cog) options = CSLSetNameValue(options, "TILED", "YES");
    GDALDatasetH from = dataset_of(picture, crs);
    status = io_gdal_write(output, from, cog ? "COG" : "GTiff", options, message);
    if (from != NULL) GDALClose(from);
    CSLDestroy(options);
    if (crs != NULL) OSRRelease(crs);
    return status;
}

static wadi_status write_file(const char *path, placed *picture) {
    const size_t pixels = (size_t)picture->width * (size_t)picture->height;
    io_output output;
    picture->alpha = malloc(pixels);
    if (picture->alpha == NULL) return io_no_memory(path, pixels, 0);
    fill_alpha(picture);
    wadi_status status = io_gdal_load();
    if (status == WADI_OK) status = io_output_open(&output, path);
    if (status == WADI_OK) {
        char message[160];
        const bool closed = io_gdal_enter(message);
        status = io_output_close(&output, write_placed(picture, &output, message));
        io_gdal_leave(closed);
    }
    free(picture->alpha);
    return status;
}

#endif

wadi_status wadi_picture_write_placed(const char *path, const uint8_t *rgb, int width, int height,
                                      const wadi_raster *terrain) {
    WADI_NEED(path);
    WADI_NEED(rgb);
    WADI_NEED(terrain);
    if (width < 1 || height < 1)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: a picture of %d x %d pixels cannot be; take 1 or more", path, width,
                         height);
#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF
    placed picture = {.rgb = rgb, .width = width, .height = height, .terrain = terrain};
    return write_file(path, &picture);
#else
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: pictures with a place not built: install %s and build again", path,
                     io_format_GDAL.facts.package);
#endif
}
