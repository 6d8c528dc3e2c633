/* vector.c: points, lines and areas from vector files, by GDAL. They are brought into the terrain's CRS. */
#include "vector.h"

#include "gdal_dataset.h"
#include "gdal_local.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char package_prefix[] = "GPKG:";

static bool ends_in(const char *path, const char *ending) {
    const size_t length = strlen(path), size = strlen(ending);
    if (length < size) return false;
    for (size_t i = 0; i < size; i++)
        if ((path[length - size + i] | ('a' - 'A')) != (ending[i] | ('a' - 'A'))) return false;
    return true;
}

static bool is_named_package(const char *path) { return strncmp(path, package_prefix, strlen(package_prefix)) == 0; }

static bool is_package(const char *path) { return is_named_package(path) || ends_in(path, ".gpkg"); }

static bool is_vector_name(const char *path) {
    static const char *const endings[] = {".geojson", ".json", ".fgb", ".shp"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_in(path, endings[i])) return true;
    return false;
}

bool wadi_io_has_vector_name(const char *path) { return is_vector_name(path) || is_package(path); }

void wadi_io_shapes_free(io_shapes *shapes) {
    free(shapes->shapes);
    free(shapes->xy);
    free(shapes->values);
    *shapes = (io_shapes){0};
}

#if defined WADI_WITH_GDAL && defined WADI_WITH_TIFF && defined WADI_WITH_GEOTIFF

/* --- opening ------------------------------------------------------------------------------------------------------ */

typedef struct vector {
    const char *path, *message; /* what GDAL says is in `message` */
    GDALDatasetH file;
    OGRLayerH layer;
    OGRCoordinateTransformationH transform; /* NULL: the coordinates are the terrain's */
} vector;

/* GPKG:FILE:LAYER. The caller frees both by CPLFree; *layer may be NULL. */
static void split_name(const char *path, char **file, char **layer) {
    const char *name = is_named_package(path) ? path + strlen(package_prefix) : path;
    const char *colon = name != path ? strrchr(name, ':') : NULL;
    const bool quoted = name != path && *name == '"';
    const size_t length = colon != NULL ? (size_t)(colon - name) : strlen(name);
    *file = CPLStrdup(CPLSPrintf("%.*s", (int)(length - (quoted && length > 1 ? 2 : 0)), name + quoted));
    *layer = colon != NULL ? CPLStrdup(colon + 1) : NULL;
}

static bool has_geometry(OGRLayerH layer) { return wkbFlatten(OGR_L_GetGeomType(layer)) != wkbNone; }

static wadi_status refuse_layers(const vector *vector) {
    char list[256] = "";
    for (int i = 0, shown = 0; i < GDALDatasetGetLayerCount(vector->file) && shown < 10; i++) {
        OGRLayerH layer = GDALDatasetGetLayer(vector->file, i);
        const size_t used = strlen(list);
        if (has_geometry(layer))
            snprintf(list + used, sizeof list - used, "%s%.40s", shown++ > 0 ? ", " : "", OGR_L_GetName(layer));
    }
    if (*list == '\0')
        return wadi_fail(WADI_ERROR_FORMAT, "%s: holds no layer of points, lines or areas", vector->path);
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: name one of its layers, as in GPKG:FILE:LAYER: %s", vector->path, list);
}

/* The named layer, or the only one with geometries. NULL: there is none, or several. */
static OGRLayerH find_layer(GDALDatasetH file, const char *name) {
    OGRLayerH found = NULL;
    if (name != NULL) return GDALDatasetGetLayerByName(file, name);
    for (int i = 0; i < GDALDatasetGetLayerCount(file); i++) {
        OGRLayerH layer = GDALDatasetGetLayer(file, i);
        if (!has_geometry(layer)) continue;
        if (found != NULL) return NULL;
        found = layer;
    }
    return found;
}

static GDALDatasetH open_file(const char *name, unsigned kind) {
    char **drivers = io_gdal_vector_drivers();
    GDALDatasetH file = GDALOpenEx(name, kind | GDAL_OF_READONLY, (const char *const *)drivers, NULL, NULL);
    CSLDestroy(drivers);
    return file;
}

static wadi_status open_layer(bool closed, vector *vector) {
    char *name, *layer;
    split_name(vector->path, &name, &layer);
    wadi_status status = io_gdal_check(vector->path, name, closed);
    if (status == WADI_OK) {
        vector->file = open_file(name, GDAL_OF_VECTOR);
        vector->layer = vector->file != NULL ? find_layer(vector->file, layer) : NULL;
        if (vector->file == NULL)
            status = wadi_fail(WADI_ERROR_FORMAT, "%s: is no vector file that is known here%s%s; save it as GeoJSON",
                               vector->path, *vector->message != '\0' ? ": " : "", vector->message);
        else if (vector->layer == NULL)
            status = refuse_layers(vector);
    }
    CPLFree(name);
    CPLFree(layer);
    return status;
}

/* From the layer's CRS to the terrain's. If one of both has none, it is taken to have the other's. */
static wadi_status find_transform(const wadi_raster *terrain, vector *vector) {
    OGRSpatialReferenceH from = OGR_L_GetSpatialRef(vector->layer), to;
    wadi_status status = io_gdal_crs_of(terrain, NULL, &to);
    if (status == WADI_OK && from != NULL && to != NULL && !OSRIsSame(from, to)) {
        vector->transform = OCTNewCoordinateTransformation(from, to);
        if (vector->transform == NULL)
            status = wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: its CRS cannot be brought into the terrain's: %s",
                               vector->path, vector->message);
    }
    if (to != NULL) OSRRelease(to);
    return status;
}

static wadi_status open_for(const wadi_raster *terrain, bool closed, vector *vector) {
    if (!terrain->has_georef)
        return wadi_fail(WADI_ERROR_ARGUMENT,
                         "%s: the terrain has no georeference, so its coordinates have no place there", vector->path);
    const wadi_status status = open_layer(closed, vector);
    return status == WADI_OK ? find_transform(terrain, vector) : status;
}

static void close_vector(vector *vector) {
    if (vector->transform != NULL) OCTDestroyCoordinateTransformation(vector->transform);
    if (vector->file != NULL) GDALClose(vector->file);
}

/* --- features ----------------------------------------------------------------------------------------------------- */

static int64_t id_of(OGRFeatureH feature) { return (int64_t)OGR_F_GetFID(feature); }

/* The geometry in the terrain's CRS, without arcs, a part alone instead of a group of one. The caller destroys it. */
static wadi_status take_geometry(const vector *vector, OGRFeatureH feature, OGRGeometryH *taken) {
    OGRGeometryH geometry = OGR_F_StealGeometry(feature);
    *taken = NULL;
    if (geometry == NULL || OGR_G_IsEmpty(geometry)) {
        OGR_G_DestroyGeometry(geometry);
        return WADI_OK;
    }
    if (OGR_G_HasCurveGeometry(geometry, TRUE)) {
        OGRGeometryH straight = OGR_G_GetLinearGeometry(geometry, 0, NULL);
        OGR_G_DestroyGeometry(geometry);
        geometry = straight;
    }
    while (geometry != NULL && OGR_GT_IsSubClassOf(OGR_G_GetGeometryType(geometry), wkbGeometryCollection) &&
           OGR_G_GetGeometryCount(geometry) == 1) {
        OGRGeometryH only = OGR_G_Clone(OGR_G_GetGeometryRef(geometry, 0));
        OGR_G_DestroyGeometry(geometry);
        geometry = only;
    }
    *taken = geometry;
    if (geometry == NULL) return WADI_ERROR_MEMORY;
    if (vector->transform == NULL || OGR_G_Transform(geometry, vector->transform) == OGRERR_NONE) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: feature %lld has no place in the terrain's CRS", vector->path,
                     (long long)id_of(feature));
}

/* NaN: it has no number. */
static double number_of(OGRFeatureH feature, int field) {
    double number;
    if (field < 0 || !OGR_F_IsFieldSetAndNotNull(feature, field)) return (double)NAN;
    const OGRFieldType type = OGR_Fld_GetType(OGR_F_GetFieldDefnRef(feature, field));
    if (type == OFTInteger || type == OFTInteger64 || type == OFTReal) return OGR_F_GetFieldAsDouble(feature, field);
    return io_parse_whole(OGR_F_GetFieldAsString(feature, field), &number) ? number : (double)NAN;
}

static wadi_status refuse_attribute(const vector *vector, const char *wanted) {
    OGRFeatureDefnH about = OGR_L_GetLayerDefn(vector->layer);
    char list[256] = "";
    for (int i = 0; i < OGR_FD_GetFieldCount(about) && i < 10; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%.30s", i > 0 ? ", " : "",
                 OGR_Fld_GetNameRef(OGR_FD_GetFieldDefn(about, i)));
    }
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: has no attribute %s (it has %s)", vector->path, wanted,
                     *list != '\0' ? list : "none");
}

static wadi_status no_number(const vector *vector, OGRFeatureH feature, const char *attribute) {
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: feature %lld has no number as its %s", vector->path,
                     (long long)id_of(feature), attribute);
}

static wadi_status no_memory(const vector *vector) {
    return wadi_fail(WADI_ERROR_MEMORY, "%s: no memory for its features", vector->path);
}

/* An error that GDAL met in the file ends the layer early, as if there were no more. */
static wadi_status check_end(const vector *vector) {
    if (*vector->message == '\0') return WADI_OK;
    return wadi_fail(WADI_ERROR_FORMAT, "%s: is damaged: %s", vector->path, vector->message);
}

/* Room for one more element, in an array that doubles. */
static bool grow(void *array, size_t count, size_t size) {
    void **place = array;
    if (count > 0 && (count & (count - 1)) != 0) return true;
    void *longer = realloc(*place, (count > 0 ? 2 * count : 1) * size);
    if (longer != NULL) *place = longer;
    return longer != NULL;
}

/* --- points and lines --------------------------------------------------------------------------------------------- */

typedef struct shape_reader {
    vector vector;
    const wadi_raster *terrain;
    const char *const *attributes;
    size_t count, needed;
    int fields[IO_MOST_ATTRIBUTES];
    io_shapes *shapes;
} shape_reader;

static bool add_place(const shape_reader *reader, OGRGeometryH geometry, int index) {
    const double *t = reader->terrain->georef.transform;
    io_shapes *shapes = reader->shapes;
    if (!grow(&shapes->xy, shapes->places, sizeof *shapes->xy)) return false;
    double *xy = shapes->xy[shapes->places++];
    xy[0] = (OGR_G_GetX(geometry, index) - t[0]) / t[1];
    xy[1] = (OGR_G_GetY(geometry, index) - t[3]) / t[5];
    return true;
}

static bool add_shape(const shape_reader *reader, OGRFeatureH feature, OGRGeometryH geometry, bool line) {
    io_shapes *shapes = reader->shapes;
    const int points = line ? OGR_G_GetPointCount(geometry) : 1;
    if (!grow(&shapes->shapes, shapes->count, sizeof *shapes->shapes) ||
        !grow(&shapes->values, shapes->count, reader->count * sizeof *shapes->values))
        return false;
    shapes->shapes[shapes->count] = (io_shape){shapes->places, (size_t)points, id_of(feature)};
    double *values = shapes->values + shapes->count++ * reader->count;
    for (size_t i = 0; i < reader->count; i++) values[i] = number_of(feature, reader->fields[i]);
    for (int i = 0; i < points; i++)
        if (!add_place(reader, geometry, i)) return false;
    return true;
}

static wadi_status check_values(const shape_reader *reader, OGRFeatureH feature) {
    for (size_t i = 0; i < reader->count; i++) {
        const bool there = reader->fields[i] >= 0 && OGR_F_IsFieldSetAndNotNull(feature, reader->fields[i]);
        if ((there || i < reader->needed) && !io_is_finite(number_of(feature, reader->fields[i])))
            return no_number(&reader->vector, feature, reader->attributes[i]);
    }
    return WADI_OK;
}

static wadi_status take_shape(const shape_reader *reader, OGRFeatureH feature) {
    OGRGeometryH geometry;
    wadi_status status = take_geometry(&reader->vector, feature, &geometry);
    const OGRwkbGeometryType kind = geometry != NULL ? wkbFlatten(OGR_G_GetGeometryType(geometry)) : wkbNone;
    const char *path = reader->vector.path;
    const long long id = (long long)id_of(feature);
    if (status == WADI_OK && kind != wkbNone) {
        status = check_values(reader, feature);
        if (status != WADI_OK)
            ;
        else if (kind == wkbPolygon || kind == wkbMultiPolygon)
            status = wadi_fail(WADI_ERROR_ARGUMENT, "%s: feature %lld is an area; points and lines are wanted here",
                               path, id);
        else if (kind != wkbPoint && kind != wkbLineString)
            status =
                wadi_fail(WADI_ERROR_ARGUMENT, "%s: feature %lld has several parts; make a feature of each", path, id);
        else if (!add_shape(reader, feature, geometry, kind == wkbLineString))
            status = no_memory(&reader->vector);
    }
    OGR_G_DestroyGeometry(geometry);
    return status;
}

static wadi_status read_shapes(shape_reader *reader) {
    OGRFeatureDefnH about = OGR_L_GetLayerDefn(reader->vector.layer);
    wadi_status status = WADI_OK;
    for (size_t i = 0; i < reader->count; i++) {
        reader->fields[i] = OGR_FD_GetFieldIndex(about, reader->attributes[i]);
        if (reader->fields[i] < 0 && i < reader->needed)
            return refuse_attribute(&reader->vector, reader->attributes[i]);
    }
    OGRFeatureH feature;
    while (status == WADI_OK && (feature = OGR_L_GetNextFeature(reader->vector.layer)) != NULL) {
        status = take_shape(reader, feature);
        OGR_F_Destroy(feature);
    }
    if (status == WADI_OK) status = check_end(&reader->vector);
    if (status != WADI_OK || reader->shapes->count > 0) return status;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: holds no feature with a place", reader->vector.path);
}

wadi_status wadi_io_shapes_read(const char *path, const char *const *attributes, size_t count, size_t needed,
                                const wadi_raster *terrain, io_shapes *shapes) {
    *shapes = (io_shapes){0};
    const wadi_status loaded = io_gdal_load();
    if (loaded != WADI_OK) return loaded;
    char message[160];
    const bool closed = io_gdal_enter(message);
    shape_reader reader = {{.path = path, .message = message}, terrain, attributes, count, needed, {0}, shapes};
    wadi_status status = open_for(terrain, closed, &reader.vector);
    if (status == WADI_OK) status = read_shapes(&reader);
    close_vector(&reader.vector);
    io_gdal_leave(closed);
    return status;
}

/* --- maps --------------------------------------------------------------------------------------------------------- */

typedef struct burned {
    OGRGeometryH *geometries;
    double *values;
    size_t count;
} burned;

static wadi_status take_burned(const vector *vector, const io_burn *how, int field, OGRFeatureH feature,
                               burned *burned) {
    OGRGeometryH geometry;
    const wadi_status status = take_geometry(vector, feature, &geometry);
    if (status != WADI_OK || geometry == NULL) {
        OGR_G_DestroyGeometry(geometry);
        return status;
    }
    const double value = how->used != NULL ? number_of(feature, field) : 1;
    const bool room = grow(&burned->geometries, burned->count, sizeof *burned->geometries) &&
                      grow(&burned->values, burned->count, sizeof *burned->values);
    if (!io_is_finite(value) || !room) {
        OGR_G_DestroyGeometry(geometry);
        return room ? no_number(vector, feature, how->used) : no_memory(vector);
    }
    burned->geometries[burned->count] = geometry;
    burned->values[burned->count++] = value;
    return WADI_OK;
}

static wadi_status choose_attribute(const vector *vector, io_burn *how, int *field) {
    OGRFeatureDefnH about = OGR_L_GetLayerDefn(vector->layer);
    *field = -1;
    how->used = NULL;
    for (size_t i = 0; how->attributes[i] != NULL && how->used == NULL; i++) {
        *field = OGR_FD_GetFieldIndex(about, how->attributes[i]);
        if (*field >= 0) how->used = how->attributes[i];
    }
    return how->used != NULL || how->ones ? WADI_OK : refuse_attribute(vector, how->attributes[0]);
}

/* Features far from the terrain need not be read, and may have no place in its CRS. */
static void leave_far_ones_out(const vector *vector, const wadi_raster *terrain) {
    const double *t = terrain->georef.transform;
    double box[4] = {t[0], t[3] + t[5] * terrain->height, t[0] + t[1] * terrain->width, t[3]};
    OGRCoordinateTransformationH back = vector->transform != NULL ? OCTGetInverse(vector->transform) : NULL;
    const bool good =
        vector->transform == NULL || (back != NULL && OCTTransformBounds(back, box[0], box[1], box[2], box[3], &box[0],
                                                                         &box[1], &box[2], &box[3], 21) == TRUE);
    if (back != NULL) OCTDestroyCoordinateTransformation(back);
    if (good && box[0] <= box[2]) OGR_L_SetSpatialFilterRect(vector->layer, box[0], box[1], box[2], box[3]);
}

static wadi_status none_there(const vector *vector) {
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: nothing of it lies on the terrain; is it the place that is meant?",
                     vector->path);
}

static wadi_status collect(const vector *vector, io_burn *how, burned *burned) {
    int field;
    wadi_status status = choose_attribute(vector, how, &field);
    OGRFeatureH feature;
    while (status == WADI_OK && (feature = OGR_L_GetNextFeature(vector->layer)) != NULL) {
        status = take_burned(vector, how, field, feature, burned);
        OGR_F_Destroy(feature);
    }
    if (status == WADI_OK) status = check_end(vector);
    if (status == WADI_OK && burned->count == 0) status = none_there(vector);
    return status != WADI_OK || burned->count <= INT_MAX ? status : no_memory(vector);
}

/* Cells in none of the shapes have no value yet. */
static wadi_status fill_outside(const vector *vector, float outside, wadi_raster *map) {
    const size_t count = (size_t)map->width * (size_t)map->height;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        if (map->values[i] == map->values[i]) continue;
        map->values[i] = outside;
        left++;
    }
    return left < count ? WADI_OK : none_there(vector);
}

static wadi_status burn(const vector *vector, const burned *burned, float outside, wadi_raster *map) {
    const size_t count = (size_t)map->width * (size_t)map->height;
    for (size_t i = 0; i < count; i++) map->values[i] = (float)NAN;
    GDALDatasetH dataset = io_gdal_dataset(map, NULL);
    int first = 1;
    const bool good =
        dataset != NULL && GDALRasterizeGeometries(dataset, 1, &first, (int)burned->count, burned->geometries, NULL,
                                                   NULL, burned->values, NULL, NULL, NULL) == CE_None;
    if (dataset != NULL) GDALClose(dataset);
    if (good) return fill_outside(vector, outside, map);
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: cannot be made a map: %s", vector->path, vector->message);
}

wadi_status wadi_io_rasterize(const char *path, io_burn *how, const wadi_raster *like, wadi_raster **made) {
    *made = NULL;
    const wadi_status loaded = io_gdal_load();
    if (loaded != WADI_OK) return loaded;
    char message[160];
    const bool closed = io_gdal_enter(message);
    vector vector = {.path = path, .message = message};
    burned burned = {0};
    wadi_status status = open_for(like, closed, &vector);
    if (status == WADI_OK) leave_far_ones_out(&vector, like);
    if (status == WADI_OK) status = collect(&vector, how, &burned);
    if (status == WADI_OK) status = wadi_raster_like(like, made);
    if (status == WADI_OK) status = burn(&vector, &burned, how->outside, *made);
    for (size_t i = 0; i < burned.count; i++) OGR_G_DestroyGeometry(burned.geometries[i]);
    free(burned.geometries);
    free(burned.values);
    close_vector(&vector);
    io_gdal_leave(closed);
    if (status == WADI_OK) return status;
    wadi_raster_destroy(*made);
    *made = NULL;
    return status;
}

static bool has_any_geometry(GDALDatasetH file) {
    bool any = false;
    for (int i = 0; i < GDALDatasetGetLayerCount(file) && !any; i++) any = has_geometry(GDALDatasetGetLayer(file, i));
    return any;
}

/* A GeoPackage that holds a raster too is one, unless the name says otherwise. */
static bool has_layer(const char *path, bool closed) {
    char *name, *layer;
    split_name(path, &name, &layer);
    GDALDatasetH file = io_gdal_check(path, name, closed) == WADI_OK ? open_file(name, GDAL_OF_VECTOR) : NULL;
    GDALDatasetH raster = file != NULL && layer == NULL ? open_file(name, GDAL_OF_RASTER) : NULL;
    const bool found =
        file != NULL && (layer != NULL ? find_layer(file, layer) != NULL : raster == NULL && has_any_geometry(file));
    if (raster != NULL) GDALClose(raster);
    if (file != NULL) GDALClose(file);
    CPLFree(name);
    CPLFree(layer);
    return found;
}

bool wadi_io_is_vector(const char *path) {
    if (!is_package(path)) return is_vector_name(path);
    if (io_gdal_load() != WADI_OK) return false;
    char message[160];
    const bool closed = io_gdal_enter(message), found = has_layer(path, closed);
    io_gdal_leave(closed);
    return found;
}

#else

bool wadi_io_is_vector(const char *path) { return is_vector_name(path); }

static wadi_status not_built(const char *path) {
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: vector files are not built: install %s and build again", path,
                     io_format_GDAL.facts.package);
}

wadi_status wadi_io_shapes_read(const char *path, const char *const *attributes, size_t count, size_t needed,
                                const wadi_raster *terrain, io_shapes *shapes) {
    (void)attributes, (void)count, (void)needed, (void)terrain;
    *shapes = (io_shapes){0};
    return not_built(path);
}

wadi_status wadi_io_rasterize(const char *path, io_burn *how, const wadi_raster *like, wadi_raster **made) {
    (void)how, (void)like;
    *made = NULL;
    return not_built(path);
}

#endif
