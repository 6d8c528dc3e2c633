#include "lines.h"

#include "gdal_dataset.h"
#include "gdal_local.h"

#include <stdlib.h>
#include <string.h>

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

static bool add_fields(OGRLayerH layer, const io_lines *lines) {
    bool good = true;
    for (size_t i = 0; i < lines->attributes && good; i++) {
        OGRFieldDefnH field = OGR_Fld_Create(lines->names[i], lines->whole[i] ? OFTInteger64 : OFTReal);
        good = OGR_L_CreateField(layer, field, TRUE) == OGRERR_NONE;
        OGR_Fld_Destroy(field);
    }
    return good;
}

static void set_values(OGRFeatureH feature, const io_lines *lines, const double *values) {
    for (size_t i = 0; i < lines->attributes; i++) {
        if (!io_is_finite(values[i]))
            OGR_F_SetFieldNull(feature, (int)i);
        else if (lines->whole[i])
            OGR_F_SetFieldInteger64(feature, (int)i, (GIntBig)values[i]);
        else
            OGR_F_SetFieldDouble(feature, (int)i, values[i]);
    }
}

static bool add_line(OGRLayerH layer, const io_lines *lines, size_t index, double *values) {
    OGRFeatureH feature = OGR_F_Create(OGR_L_GetLayerDefn(layer));
    OGRGeometryH geometry = OGR_G_CreateGeometry(wkbLineString);
    const size_t places = lines->places(lines->context, index);
    lines->values(lines->context, index, values);
    set_values(feature, lines, values);
    for (size_t i = 0; i < places; i++) {
        double xy[2];
        lines->place(lines->context, index, i, xy);
        OGR_G_AddPoint_2D(geometry, xy[0], xy[1]);
    }
    const bool good = OGR_F_SetGeometryDirectly(feature, geometry) == OGRERR_NONE &&
                      OGR_L_CreateFeature(layer, feature) == OGRERR_NONE;
    OGR_F_Destroy(feature);
    return good;
}

static bool write_layer(GDALDatasetH file, OGRSpatialReferenceH crs, const io_lines *lines) {
    OGRLayerH layer = GDALDatasetCreateLayer(file, lines->layer, crs, wkbLineString, NULL);
    double *values = malloc(lines->attributes * sizeof *values);
    bool good = layer != NULL && values != NULL && add_fields(layer, lines);
    const bool together = good && GDALDatasetTestCapability(file, ODsCTransactions) == TRUE &&
                          GDALDatasetStartTransaction(file, FALSE) == OGRERR_NONE;
    for (size_t i = 0; i < lines->count && good; i++) good = add_line(layer, lines, i, values);
    if (together) good = GDALDatasetCommitTransaction(file) == OGRERR_NONE && good;
    free(values);
    return good;
}

/* In memory first: GDAL does not tell if the last bytes do not get onto the disk. FlatGeobuf is written when closed. */
static wadi_status write_by_gdal(io_output *output, const wadi_raster *terrain, const io_lines *lines, char *message) {
    OGRSpatialReferenceH crs;
    wadi_status status = io_gdal_crs_of(terrain, "1", &crs);
    if (status != WADI_OK) return status;
    const char *dot = strrchr(output->path, '.');
    const bool package = dot != NULL && strcmp(dot, ".gpkg") == 0;
    char *path = CPLStrdup(CPLSPrintf("/vsimem/wadi-%p.%s", (void *)output, package ? "gpkg" : "fgb"));
    GDALDriverH driver = GDALGetDriverByName(package ? "GPKG" : "FlatGeobuf");
    *message = '\0';
    GDALDatasetH file = driver != NULL ? GDALCreate(driver, path, 0, 0, 0, GDT_Unknown, NULL) : NULL;
    const bool good = file != NULL && write_layer(file, crs, lines);
    if (file != NULL) GDALClose(file);
    if (!good || *message != '\0')
        status = wadi_fail(WADI_ERROR_IO, "%s: cannot be written: %s", output->path,
                           *message != '\0' ? message : "this GDAL cannot do it");
    else if (!io_gdal_copy(path, output))
        status = wadi_fail(WADI_ERROR_IO, "%s: cannot be written", output->path);
    VSIUnlink(path);
    CPLFree(path);
    if (crs != NULL) OSRRelease(crs);
    return status;
}

wadi_status wadi_io_lines_write(const char *path, const wadi_raster *terrain, const io_lines *lines) {
    io_output output;
    char message[160];
    wadi_status status = io_gdal_load();
    if (status == WADI_OK) status = io_output_open(&output, path);
    if (status != WADI_OK) return status;
    const bool closed = io_gdal_enter(message);
    const wadi_status written = io_output_close(&output, write_by_gdal(&output, terrain, lines, message));
    io_gdal_leave(closed);
    return written;
}

#else

wadi_status wadi_io_lines_write(const char *path, const wadi_raster *terrain, const io_lines *lines) {
    (void)terrain, (void)lines;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: GeoPackage and FlatGeobuf not built: install %s and build again",
                     path, io_format_GDAL.facts.package);
}

#endif
