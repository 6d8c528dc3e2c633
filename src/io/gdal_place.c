/* gdal_place.c: the place of a raster that GDAL reads. GDAL converts the CRS to GeoKeys, which geotiff.c reads and
 * keeps. A .prj or .aux.xml beside the raster counts too. */
#include "gdal_place.h"
#include "gdal_calls.h"
#include "gdal_local.h"

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"

static bool is_there(const char *path) { return platform_exists(path) && !platform_is_special(path); }

/* The CRS in a .prj file beside the raster, as programs of ESRI write it. The caller releases it. NULL: none. */
static OGRSpatialReferenceH crs_beside(const char *name) {
    char *path = CPLStrdup(CPLResetExtension(name, "prj"));
    char **lines = is_there(path) ? CSLLoad2(path, 100, 8192, NULL) : NULL;
    OGRSpatialReferenceH crs = lines != NULL ? OSRNewSpatialReference(NULL) : NULL;
    const bool good = crs != NULL && OSRImportFromESRI(crs, lines) == OGRERR_NONE;
    if (good) OSRSetAxisMappingStrategy(crs, OAMS_TRADITIONAL_GIS_ORDER);
    if (!good && crs != NULL) OSRRelease(crs);
    CSLDestroy(lines);
    CPLFree(path);
    return good ? crs : NULL;
}

/* GDAL prints nothing about a damaged file. */
static CPLXMLNode *xml_in(const char *path) {
    GByte *text = NULL;
    CPLXMLNode *tree = NULL;
    CPLPushErrorHandler(CPLQuietErrorHandler);
    if (VSIIngestFile(NULL, path, &text, NULL, IO_SIDE_XML_BYTES)) tree = CPLParseXMLString((const char *)text);
    CPLPopErrorHandler();
    VSIFree(text);
    return tree;
}

/* The .aux.xml beside the raster, or NULL. GDAL is loaded only for a file that is there. */
static CPLXMLNode *xml_beside(const char *name) {
    static const char ending[] = ".aux.xml";
    char *path = malloc(strlen(name) + sizeof ending);
    if (path == NULL) return NULL;
    strcat(strcpy(path, name), ending);
    CPLXMLNode *tree = is_there(path) && io_gdal_load() == WADI_OK ? xml_in(path) : NULL;
    free(path);
    return tree;
}

io_told_beside io_gdal_read_beside(const char *name) {
    static const char *const band = "=PAMDataset.PAMRasterBand.";
    io_told_beside told = {0};
    CPLXMLNode *tree = xml_beside(name);
    if (tree == NULL) return told;
#define HAS(place, what) (CPLGetXMLNode(tree, CPLSPrintf("%s%s", place, what)) != NULL)
    told.crs = HAS("=PAMDataset.", "SRS");
    told.cell = HAS("=PAMDataset.", "GeoTransform") || HAS("=PAMDataset.", "GCPList");
    told.nodata = HAS(band, "NoDataValue");
    told.scale = HAS(band, "Scale") || HAS(band, "Offset");
    told.unit = HAS(band, "UnitType");
#undef HAS
    CPLDestroyXMLNode(tree);
    return told;
}

bool io_gdal_told_beside(const io_input *input) {
    const io_told_beside told = io_gdal_read_beside(input->name);
    return told.crs || told.cell || told.nodata || told.scale || told.unit;
}

/* A GeoTIFF in GDAL's memory with the georeference of the file. tiff.c reads its tags. */
static bool make_sample(GDALDatasetH from, const char *name, double *transform, const char *path) {
    GDALDriverH driver = GDALGetDriverByName("GTiff");
    GDALDatasetH to = driver != NULL ? GDALCreate(driver, path, 2, 2, 1, GDT_Byte, NULL) : NULL;
    if (to == NULL) return false;
    const OGRSpatialReferenceH own = GDALGetSpatialRef(from), beside = own == NULL ? crs_beside(name) : NULL;
    const OGRSpatialReferenceH crs = own != NULL ? own : beside;
    bool good = transform == NULL || GDALSetGeoTransform(to, transform) == CE_None;
    if (crs != NULL) good = GDALSetSpatialRef(to, crs) == CE_None && good;
    if (beside != NULL) OSRRelease(beside);
    GDALClose(to);
    return good;
}

wadi_status io_gdal_georef(const io_input *input, void *from, wadi_raster *raster, io_meaning *meaning) {
    double numbers[6], *transform = GDALGetGeoTransform(from, numbers) == CE_None ? numbers : NULL;
    if (transform == NULL && GDALGetGCPCount(from) > 0)
        return io_refuse_warped(input->name, "it is placed by ground control points, not by a grid");
    if (transform == NULL && GDALGetSpatialRef(from) == NULL) return WADI_OK;
    char path[64];
    snprintf(path, sizeof path, "/vsimem/wadi-%p.tif", (void *)raster); /* one name for each thread's raster */
    vsi_l_offset count = 0;
    wadi_status status = WADI_OK;
    GByte *bytes = make_sample(from, input->name, transform, path) ? VSIGetMemFileBuffer(path, &count, TRUE) : NULL;
    if (bytes == NULL) VSIUnlink(path);
    if (bytes == NULL && transform == NULL) return WADI_OK; /* without a place the CRS says little */
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

#else

bool io_gdal_told_beside(const io_input *input) {
    (void)input;
    return false;
}

#endif
