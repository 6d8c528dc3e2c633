/* time_series.c: maps of many times in one file, by GDAL's arrays of several dimensions: time, y and x. */
#include "time_series.h"

#include "gdal_dataset.h"
#include "gdal_local.h"

#include <stdlib.h>
#include <string.h>

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

#include <math.h>

enum { TIME, Y, X, DIMENSIONS, BLOCK = 512 };

typedef struct file {
    GDALDatasetH dataset;
    GDALGroupH root;
    GDALDimensionH dimensions[DIMENSIONS];
    OGRSpatialReferenceH crs;
    bool zarr;
} file;

/* --- attributes --------------------------------------------------------------------------------------------------- */

static bool write_text(GDALAttributeH attribute, const char *text) {
    const bool good = attribute != NULL && GDALAttributeWriteString(attribute, text);
    if (attribute != NULL) GDALAttributeRelease(attribute);
    return good;
}

/* Of an array; of the whole file if it is NULL. text NULL: none. */
static bool put(GDALGroupH group, GDALMDArrayH array, const char *name, const char *text) {
    if (text == NULL) return true;
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreateString(0);
    const bool good = write_text(array != NULL ? GDALMDArrayCreateAttribute(array, name, 0, NULL, type, NULL)
                                               : GDALGroupCreateAttribute(group, name, 0, NULL, type, NULL),
                                 text);
    GDALExtendedDataTypeRelease(type);
    return good;
}

static bool put_text(GDALMDArrayH array, const char *name, const char *text) { return put(NULL, array, name, text); }
static bool put_global(GDALGroupH group, const char *name, const char *text) { return put(group, NULL, name, text); }

/* --- coordinates -------------------------------------------------------------------------------------------------- */

static const char *const names[] = {"time", "y", "x", NULL};

/* Zarr itself has no names of dimensions; xarray and GDAL look for them here. */
static bool put_names(GDALMDArrayH array, int first, int count) {
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreateString(0);
    const GUInt64 size = (GUInt64)count;
    char **list = NULL;
    for (int i = 0; i < count; i++) list = CSLAddString(list, names[first + i]);
    GDALAttributeH attribute = GDALMDArrayCreateAttribute(array, "_ARRAY_DIMENSIONS", 1, &size, type, NULL);
    const bool good = attribute != NULL && GDALAttributeWriteStringArray(attribute, list);
    if (attribute != NULL) GDALAttributeRelease(attribute);
    GDALExtendedDataTypeRelease(type);
    CSLDestroy(list);
    return good;
}

static GDALMDArrayH new_array(const file *file, const char *name, int first, int count, GDALDataType kind,
                              char **options) {
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate(kind);
    GDALDimensionH dimensions[DIMENSIONS];
    memcpy(dimensions, file->dimensions + first, (size_t)count * sizeof *dimensions);
    GDALMDArrayH array = GDALGroupCreateMDArray(file->root, name, (size_t)count, dimensions, type, options);
    GDALExtendedDataTypeRelease(type);
    if (array == NULL || !file->zarr || put_names(array, first, count)) return array;
    GDALMDArrayRelease(array);
    return NULL;
}

static bool write_numbers(GDALMDArrayH array, const double *numbers, size_t count) {
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate(GDT_Float64);
    const GUInt64 start = 0;
    const bool good =
        GDALMDArrayWrite(array, &start, &count, NULL, NULL, type, numbers, numbers, count * sizeof *numbers);
    GDALExtendedDataTypeRelease(type);
    return good;
}

typedef struct coordinate {
    const char *name, *axis, *standard_name, *meaning, *unit;
} coordinate;

static bool put_coordinate(const file *file, int dimension, const coordinate *about, const double *numbers,
                           size_t count) {
    GDALMDArrayH array = new_array(file, about->name, dimension, 1, GDT_Float64, NULL);
    const bool good = array != NULL && write_numbers(array, numbers, count) && put_text(array, "axis", about->axis) &&
                      put_text(array, "standard_name", about->standard_name) &&
                      put_text(array, "long_name", about->meaning) && GDALMDArraySetUnit(array, about->unit);
    if (array != NULL) GDALMDArrayRelease(array);
    return good;
}

/* The middles of the cells. */
static bool put_places(const file *file, const wadi_raster *grid, bool down) {
    const bool degrees = grid->has_georef && grid->georef.geographic;
    const double unit_m = file->crs != NULL && !degrees ? OSRGetLinearUnits(file->crs, NULL) : 1;
    const char *length = unit_m == 1 ? "m" : unit_m == 0.3048 ? "foot" : "US_survey_foot";
    const coordinate across[] = {{"x", "X", "projection_x_coordinate", NULL, length},
                                 {"x", "X", "longitude", NULL, "degrees_east"}};
    const coordinate along[] = {{"y", "Y", "projection_y_coordinate", NULL, length},
                                {"y", "Y", "latitude", NULL, "degrees_north"}};
    double bare[6];
    const double *t = io_place_of(grid, bare);
    const size_t count = (size_t)(down ? grid->height : grid->width);
    double *numbers = malloc(count * sizeof *numbers);
    for (size_t i = 0; numbers != NULL && i < count; i++)
        numbers[i] = down ? t[3] + ((double)i + 0.5) * t[5] : t[0] + ((double)i + 0.5) * t[1];
    const bool good =
        numbers != NULL && put_coordinate(file, down ? Y : X, &(down ? along : across)[degrees], numbers, count);
    free(numbers);
    return good;
}

/* CF asks for a date. Programs that show a series want one too. */
static bool put_times(const file *file, const io_series *series) {
    static const coordinate time = {"time", "T", "time", "simulated time; the run begins at a date that means nothing",
                                    "seconds since 1970-01-01 00:00:00"};
    GDALMDArrayH steps = NULL;
    bool good = put_coordinate(file, TIME, &time, series->times_s, series->frames);
    if (good) steps = new_array(file, "step", TIME, 1, GDT_Float64, NULL);
    good = steps != NULL && write_numbers(steps, series->steps, series->frames) &&
           put_text(steps, "long_name", "number of the time step") && GDALMDArraySetUnit(steps, "1");
    if (steps != NULL) GDALMDArrayRelease(steps);
    return good;
}

/* --- maps --------------------------------------------------------------------------------------------------------- */

static char **layout_of(const wadi_raster *grid, bool zarr) {
    const int rows = grid->height < BLOCK ? grid->height : BLOCK, columns = grid->width < BLOCK ? grid->width : BLOCK;
    char size[64];
    snprintf(size, sizeof size, "1,%d,%d", rows, columns);
    char **options = CSLSetNameValue(NULL, "BLOCKSIZE", size);
    options = CSLSetNameValue(options, "COMPRESS", zarr ? "ZLIB" : "DEFLATE");
    return CSLSetNameValue(options, zarr ? "ZLIB_LEVEL" : "ZLEVEL", "1");
}

static bool write_frames(GDALMDArrayH array, const io_series *series, size_t map) {
    const size_t rows = (size_t)series->grid->height, columns = (size_t)series->grid->width;
    const size_t count[DIMENSIONS] = {1, rows, columns};
    float *values = malloc(rows * columns * sizeof *values);
    GDALExtendedDataTypeH type = GDALExtendedDataTypeCreate(GDT_Float32);
    bool good = values != NULL;
    for (size_t frame = 0; frame < series->frames && good; frame++) {
        const GUInt64 start[DIMENSIONS] = {frame, 0, 0};
        good = series->read(series->context, frame, map, values) &&
               GDALMDArrayWrite(array, start, count, NULL, NULL, type, values, values, rows * columns * sizeof *values);
    }
    GDALExtendedDataTypeRelease(type);
    free(values);
    return good;
}

static bool put_map(const file *file, const io_series *series, size_t index) {
    const io_series_map *map = &series->maps[index];
    char **options = layout_of(series->grid, file->zarr);
    GDALMDArrayH array = new_array(file, map->name, TIME, DIMENSIONS, GDT_Float32, options);
    const bool good = array != NULL && GDALMDArraySetNoDataValueAsDouble(array, (double)NAN) &&
                      (file->crs == NULL || GDALMDArraySetSpatialRef(array, file->crs)) &&
                      GDALMDArraySetUnit(array, map->unit) && put_text(array, "long_name", map->meaning) &&
                      put_text(array, "standard_name", map->standard_name) && write_frames(array, series, index);
    if (array != NULL) GDALMDArrayRelease(array);
    CSLDestroy(options);
    return good;
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

static bool make_dimensions(file *file, const io_series *series) {
    static const char *const kinds[] = {GDAL_DIM_TYPE_TEMPORAL, GDAL_DIM_TYPE_HORIZONTAL_Y, GDAL_DIM_TYPE_HORIZONTAL_X};
    const GUInt64 sizes[] = {series->frames, (GUInt64)series->grid->height, (GUInt64)series->grid->width};
    bool good = true;
    for (int i = 0; i < DIMENSIONS && good; i++) {
        file->dimensions[i] = GDALGroupCreateDimension(file->root, names[i], kinds[i], NULL, sizes[i], NULL);
        good = file->dimensions[i] != NULL;
    }
    return good;
}

static bool write_all(const char *path, file *file, const io_series *series) {
    GDALDriverH driver = GDALGetDriverByName(file->zarr ? "Zarr" : "netCDF");
    file->dataset = driver != NULL ? GDALCreateMultiDimensional(driver, path, NULL, NULL) : NULL;
    file->root = file->dataset != NULL ? GDALDatasetGetRootGroup(file->dataset) : NULL;
    bool good = file->root != NULL && put_global(file->root, "Conventions", "CF-1.8") &&
                put_global(file->root, "source", series->source) && make_dimensions(file, series) &&
                put_places(file, series->grid, true) && put_places(file, series->grid, false) &&
                put_times(file, series);
    for (size_t i = 0; i < series->map_count && good; i++) good = put_map(file, series, i);
    return good;
}

static void close_file(file *file) {
    for (int i = 0; i < DIMENSIONS; i++)
        if (file->dimensions[i] != NULL) GDALDimensionRelease(file->dimensions[i]);
    if (file->root != NULL) GDALGroupRelease(file->root);
    if (file->dataset != NULL) GDALClose(file->dataset);
    if (file->crs != NULL) OSRRelease(file->crs);
}

/* Readers of Zarr want ASCII. WKT of 1999 has no text on where the CRS is used, which may hold degree signs. */
static void make_plain(OGRSpatialReferenceH *crs) {
    static const char *const old[] = {"FORMAT=WKT1", NULL};
    char *text = NULL;
    OGRSpatialReferenceH plain = NULL;
    if (*crs != NULL && OSRExportToWktEx(*crs, &text, old) == OGRERR_NONE) plain = OSRNewSpatialReference(text);
    CPLFree(text);
    if (plain == NULL) return;
    OSRSetAxisMappingStrategy(plain, OAMS_TRADITIONAL_GIS_ORDER);
    OSRRelease(*crs);
    *crs = plain;
}

wadi_status wadi_io_series_write(const char *path, const io_series *series) {
    const wadi_status loaded = io_gdal_load();
    if (loaded != WADI_OK) return loaded;
    char message[160];
    const bool closed = io_gdal_enter(message);
    const char *dot = strrchr(path, '.');
    file file = {.zarr = dot != NULL && strcmp(dot, ".zarr") == 0};
    wadi_status status = io_gdal_crs_of(series->grid, "1", &file.crs);
    if (status == WADI_OK) {
        make_plain(&file.crs);
        *message = '\0';
        const bool good = write_all(path, &file, series);
        close_file(&file);
        if (!good || *message != '\0')
            status =
                wadi_fail(WADI_ERROR_IO, "%s: cannot be written: %s", path, *message != '\0' ? message : "make room");
    }
    io_gdal_leave(closed);
    return status;
}

bool wadi_io_series_available(bool zarr, const char **missing) {
    char message[160];
    *missing = zarr ? "a GDAL with its Zarr driver" : "a GDAL with its netCDF driver";
    if (io_gdal_load() != WADI_OK) return false;
    const bool closed = io_gdal_enter(message);
    const bool there = GDALGetDriverByName(zarr ? "Zarr" : "netCDF") != NULL;
    io_gdal_leave(closed);
    return there;
}

#else

wadi_status wadi_io_series_write(const char *path, const io_series *series) {
    (void)series;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: series not built: install %s and build again", path,
                     io_format_GDAL.facts.package);
}

bool wadi_io_series_available(bool zarr, const char **missing) {
    (void)zarr;
    *missing = io_format_GDAL.facts.package;
    return false;
}

#endif
