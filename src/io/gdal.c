/* gdal.c: every other raster, through GDAL: its first band. GDAL also turns the CRS into GeoKeys, which geotiff.c
 * understands and keeps. Nothing is fetched from a network. */
#include "gdal_local.h"

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

#include <cpl_conv.h>
#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <gdal.h>
#include <stdlib.h>
#include <string.h>

/* --- GDAL, quiet and on its own -------------------------------------------------------------------------------- */

static void on_error(CPLErr kind, CPLErrorNum number, const char *text) {
    (void)number;
    char *message = CPLGetErrorHandlerUserData(); /* of 160 bytes; the first error counts */
    if (kind < CE_Failure || message[0] != '\0') return;
    snprintf(message, 160, "%s", text);
    for (char *c = message; *c != '\0'; c++)
        if (*c == '\n' || *c == '\r') *c = ' ';
}

/* For this thread while GDAL is in use. The names that may be opened are checked besides, in gdal_local.c. */
static const struct {
    const char *name, *value;
} settings[] = {
    {"CPL_VSIL_CURL_ALLOWED_FILENAME", ""}, /* no address is the empty one */
    {"GDAL_HTTP_MAX_RETRY", "0"},
    {"GDAL_VRT_ENABLE_PYTHON", "NO"},
    {"CPL_VSIL_GZIP_WRITE_PROPERTIES", "NO"}, /* else a file would appear beside the one that is read */
    {"GDAL_NUM_THREADS", "1"},                /* other threads would not know these settings */
    {"VRT_NUM_THREADS", "1"},
};

static void set_up(bool on, bool closed) {
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        CPLSetThreadLocalConfigOption(settings[i].name, on ? settings[i].value : NULL);
    /* Files beside the file may name others. */
    CPLSetThreadLocalConfigOption("GDAL_DISABLE_READDIR_ON_OPEN", on && !closed ? "EMPTY_DIR" : NULL);
}

/* --- the CRS --------------------------------------------------------------------------------------------------- */

/* A GeoTIFF in GDAL's memory with the place and CRS of the file that is being read; tiff.c reads its tags. */
static bool make_sample(GDALDatasetH from, double transform[6], const char *path) {
    GDALDriverH driver = GDALGetDriverByName("GTiff");
    GDALDatasetH to = driver != NULL ? GDALCreate(driver, path, 2, 2, 1, GDT_Byte, NULL) : NULL;
    if (to == NULL) return false;
    const OGRSpatialReferenceH crs = GDALGetSpatialRef(from);
    bool good = GDALSetGeoTransform(to, transform) == CE_None;
    if (crs != NULL) good = GDALSetSpatialRef(to, crs) == CE_None && good;
    GDALClose(to);
    return good;
}

static wadi_status read_georef(io_input *input, GDALDatasetH from, wadi_raster *raster, io_meaning *meaning) {
    double transform[6];
    if (GDALGetGeoTransform(from, transform) != CE_None) return WADI_OK;
    char path[64];
    snprintf(path, sizeof path, "/vsimem/wadi-%p.tif", (void *)raster); /* one name for each thread's raster */
    vsi_l_offset count = 0;
    wadi_status status = WADI_OK;
    GByte *bytes = make_sample(from, transform, path) ? VSIGetMemFileBuffer(path, &count, TRUE) : NULL;
    if (bytes == NULL) {
        status = wadi_fail(WADI_ERROR_UNSUPPORTED,
                           "%s: its georeference has no GeoTIFF form; make one with gdalwarp -t_srs", input->name);
    } else {
        io_input sample = {.name = input->name, .bytes = bytes, .size = count, .memory_limit = input->memory_limit};
        status = io_tiff_georef(&sample, raster, meaning);
    }
    VSIFree(bytes);
    return status;
}

/* --- samples --------------------------------------------------------------------------------------------------- */

static wadi_status describe(const io_input *input, GDALRasterBandH band, io_samples *samples, wadi_raster *raster) {
    const GDALDataType type = GDALGetRasterDataType(band);
    if (GDALDataTypeIsComplex(type))
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: has complex samples; save it as float32", input->name);
    int there = 0;
    samples->nodata = GDALGetRasterNoDataValue(band, &there);
    samples->has_nodata = there != 0;
    samples->type = type == GDT_Float32 ? IO_F32 : IO_F64; /* the types that it is read as */
    samples->step = io_type_bytes(samples->type);
    samples->big_endian = wadi_big_endian();
    raster->has_nodata = samples->has_nodata;
    raster->nodata = samples->nodata;
    raster->sample = type == GDT_Byte     ? WADI_SAMPLE_UINT8
                     : type == GDT_UInt16 ? WADI_SAMPLE_UINT16
                     : type == GDT_Int16  ? WADI_SAMPLE_INT16
                                          : WADI_SAMPLE_FLOAT32;
    return WADI_OK;
}

static void read_scale(GDALRasterBandH band, io_meaning *meaning, wadi_raster *raster) {
    int has_scale = 0, has_offset = 0;
    meaning->scale = GDALGetRasterScale(band, &has_scale);
    meaning->offset = GDALGetRasterOffset(band, &has_offset);
    if (!has_scale) meaning->scale = 1;
    if (!has_offset) meaning->offset = 0;
    meaning->scaled = (meaning->scale != 1 && meaning->scale != 0) || meaning->offset != 0;
    meaning->scaled = meaning->scaled && io_is_finite(meaning->scale) && io_is_finite(meaning->offset);
    const io_unit *unit = io_unit_of_name(GDALGetRasterUnitType(band));
    if (unit == NULL || meaning->unit_m > 0) return;
    meaning->unit_m = unit->metres;
    snprintf(raster->georef.vertical_unit, sizeof raster->georef.vertical_unit, "%s", unit->name);
}

static wadi_status read_rows(const io_input *input, GDALRasterBandH band, const io_samples *samples,
                             const char *message, wadi_raster *raster) {
    const size_t width = (size_t)raster->width;
    void *row = malloc(width * samples->step);
    if (row == NULL) return io_no_memory(input->name, width * samples->step, input->memory_limit);
    wadi_status status = WADI_OK;
    for (int y = 0; y < raster->height && status == WADI_OK; y++) {
        const GDALDataType type = samples->type == IO_F32 ? GDT_Float32 : GDT_Float64;
        if (GDALRasterIO(band, GF_Read, 0, y, raster->width, 1, row, raster->width, 1, type, 0, 0) != CE_None)
            status = io_truncated(input, message);
        else
            io_decode(samples, row, width, raster->values + (size_t)y * width, 1);
    }
    free(row);
    return status;
}

static wadi_status refuse_container(const io_input *input, GDALDatasetH from) {
    const char *first = CSLFetchNameValue(GDALGetMetadata(from, "SUBDATASETS"), "SUBDATASET_1_NAME");
    return wadi_fail(WADI_ERROR_FORMAT,
                     "%s: holds no raster of its own; name one of those inside%s%.300s, or convert it", input->name,
                     first != NULL ? ", such as " : "", first != NULL ? first : "");
}

static wadi_status read_dataset(io_input *input, GDALDatasetH from, const char *message, wadi_raster **raster) {
    GDALRasterBandH band = GDALGetRasterCount(from) > 0 ? GDALGetRasterBand(from, 1) : NULL;
    if (band == NULL) return refuse_container(input, from);
    io_meaning meaning = {0};
    io_samples samples = {0};
    wadi_status status =
        io_begin(input, (uint64_t)GDALGetRasterXSize(from), (uint64_t)GDALGetRasterYSize(from), raster);
    if (status == WADI_OK) status = describe(input, band, &samples, *raster);
    if (status == WADI_OK) status = read_georef(input, from, *raster, &meaning);
    if (status != WADI_OK) return status;
    read_scale(band, &meaning, *raster);
    status = read_rows(input, band, &samples, message, *raster);
    return status == WADI_OK ? io_finish(input, *raster, &meaning) : status;
}

/* Compressed files are opened through GDAL's file systems. */
static char *name_for_gdal(io_input *input, const char **archive) {
    uint8_t head[4] = {0};
    io_input_read(input, 0, head, sizeof head);
    *archive = memcmp(head, "\x1f\x8b", 2) == 0 ? "/vsigzip/" : memcmp(head, "PK\3\4", 4) == 0 ? "/vsizip/" : "";
    return CPLStrdup(CPLSPrintf("%s%s", *archive, input->name));
}

static wadi_status refuse_unknown(const io_input *input, const char *name, const char *archive, const char *message) {
    char **files = strcmp(archive, "/vsizip/") == 0 ? VSIReadDir(name) : NULL;
    const wadi_status status =
        files != NULL ? wadi_fail(WADI_ERROR_FORMAT, "%s: is an archive; name a raster in it, such as %s/%.200s",
                                  input->name, name, files[0])
                      : wadi_fail(WADI_ERROR_FORMAT, "%s: is no raster that is known here%s%s%s; convert it to GeoTIFF",
                                  input->name, message[0] != '\0' ? " (" : "", message, message[0] != '\0' ? ")" : "");
    CSLDestroy(files);
    return status;
}

/* With GDAL set up and its errors caught in `message`. */
static wadi_status open_and_read(io_input *input, bool closed, const char *message, wadi_raster **raster) {
    const char *archive;
    char *name = name_for_gdal(input, &archive);
    wadi_status status = io_gdal_check(input->name, name, closed);
    if (status == WADI_OK) {
        char **drivers = io_gdal_drivers(closed);
        const unsigned how = GDAL_OF_RASTER | GDAL_OF_READONLY;
        GDALDatasetH from = GDALOpenEx(name, how, (const char *const *)drivers, NULL, NULL);
        status =
            from != NULL ? read_dataset(input, from, message, raster) : refuse_unknown(input, name, archive, message);
        if (from != NULL) GDALClose(from);
        CSLDestroy(drivers);
    }
    CPLFree(name);
    return status;
}

wadi_status io_gdal_read(io_input *input, wadi_raster **raster) {
    char message[160] = "";
    CPLPushErrorHandlerEx(on_error, message);
    const bool closed = io_gdal_begin();
    set_up(true, closed);
    message[0] = '\0';
    const wadi_status status = open_and_read(input, closed, message, raster);
    set_up(false, closed);
    CPLPopErrorHandler();
    return status;
}

#endif
