/* Vector files that anybody may have written, through GDAL: sources and maps of GeoJSON, GeoPackage, FlatGeobuf and
 * Shapefile. The first byte says which. A Shapefile's three parts follow each other, after their sizes. */
#include <math.h>
#include <string.h>

#include "as_file.h"
#include "check_raster.h"
#include "io/vector.h"
#include "run/vectors.h"

#include <gdal.h>
#include <gdal_utils.h>

enum { KINDS = 4, SHAPEFILE = 3, PARTS = 3 };
static const struct {
    const char *file, *driver;
} kinds[KINDS] = {{"a.geojson", "GeoJSON"}, {"a.gpkg", "GPKG"}, {"a.fgb", "FlatGeobuf"}, {"a.shp", "ESRI Shapefile"}};
static const char *const parts[PARTS] = {"a.shp", "a.shx", "a.dbf"};

/* 20 x 10 cells of 10 m in UTM. */
static const char utm[] =
    "PROJCS[\"WGS_1984_UTM_Zone_17N\",GEOGCS[\"GCS_WGS_1984\",DATUM[\"D_WGS_1984\",SPHEROID[\"WGS_1984\",6378137.0,"
    "298.257223563]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]],PROJECTION[\"Transverse_Mercator\"]"
    ","
    "PARAMETER[\"False_Easting\",500000.0],PARAMETER[\"False_Northing\",0.0],PARAMETER[\"Central_Meridian\",-81.0],"
    "PARAMETER[\"Scale_Factor\",0.9996],PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]";
static const wadi_raster *terrain(void) {
    static wadi_raster *made;
    static const char grid[] = "ncols 20\nnrows 10\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\n";
    char text[1024];
    int used = snprintf(text, sizeof text, "%s", grid);
    for (int i = 0; i < 200; i++) used += snprintf(text + used, sizeof text - (size_t)used, "%d ", i % 7);
    if (made != NULL) return made;
    as_file("terrain.prj", utm, sizeof utm - 1);
    if (wadi_raster_read(as_file("terrain.asc", text, (size_t)used), NULL, &made) != WADI_OK) {
        fprintf(stderr, "no terrain: %s\n", wadi_error_message());
        exit(1);
    }
    return made;
}

static const char *shapefile(const uint8_t *bytes, size_t count) {
    static char path[128];
    size_t sizes[PARTS] = {0}, at = 4;
    if (count < at) return NULL;
    sizes[0] = (size_t)bytes[0] << 8 | bytes[1];
    sizes[1] = (size_t)bytes[2] << 8 | bytes[3];
    for (int i = 0; i < PARTS; i++) {
        const size_t left = count - at, size = i + 1 < PARTS && sizes[i] < left ? sizes[i] : left;
        const char *name = as_file(parts[i], bytes + at, size);
        if (i == 0) snprintf(path, sizeof path, "%s", name);
        at += size;
    }
    return path;
}

static void check_status(wadi_status status) {
    if (status == WADI_OK || status == WADI_ERROR_ARGUMENT || status == WADI_ERROR_FORMAT ||
        status == WADI_ERROR_UNSUPPORTED || status == WADI_ERROR_MEMORY || status == WADI_ERROR_IO)
        return;
    abort();
}

static void try_sources(const char *path) {
    wadi_source *sources;
    size_t count;
    const wadi_status status = run_vector_sources(path, terrain(), &sources, &count);
    check_status(status);
    for (size_t i = 0; i < count && status == WADI_OK; i++) {
        const wadi_source *source = &sources[i];
        if (!(source->x >= 0 && source->x < 20 && source->y >= 0 && source->y < 10)) abort();
        if (!(source->rate_m3s >= 0 && source->radius_m >= 0 && source->start_s <= source->end_s)) abort();
    }
    free(sources);
}

static void try_map(const char *path, bool ones) {
    static const char *const attributes[] = {"rate_m3s", "value", NULL};
    io_burn how = {.attributes = attributes, .ones = ones};
    wadi_raster *map = NULL;
    const wadi_status status = wadi_io_rasterize(path, &how, terrain(), &map);
    check_status(status);
    if (status == WADI_OK && (map == NULL || map->width != 20 || map->height != 10)) abort();
    wadi_raster_destroy(map);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count) {
    if (count < 1) return 0;
    const int kind = bytes[0] % KINDS;
    const char *path =
        kind == SHAPEFILE ? shapefile(bytes + 1, count - 1) : as_file(kinds[kind].file, bytes + 1, count - 1);
    if (path == NULL) return 0;
    try_sources(path);
    try_map(path, (bytes[0] & 4) != 0);
    return 0;
}

/* --- seeds -------------------------------------------------------------------------------------------------------- */

static size_t contents(const char *folder, const char *name, uint8_t *bytes, size_t room) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    const size_t count = file != NULL ? fread(bytes, 1, room, file) : 0;
    if (file == NULL || fclose(file) != 0) abort();
    return count;
}

static void save_seed(const char *folder, const char *name, int kind) {
    static uint8_t bytes[1 << 18];
    char path[4096];
    size_t count = 1;
    bytes[0] = (uint8_t)kind;
    if (kind == SHAPEFILE) count += 4;
    for (int i = 0; i < (kind == SHAPEFILE ? PARTS : 1); i++) {
        const char *file = kind == SHAPEFILE ? parts[i] : kinds[kind].file;
        const size_t size = contents(as_file_folder, file, bytes + count, sizeof bytes - count);
        if (kind == SHAPEFILE && i < 2) bytes[1 + 2 * i] = (uint8_t)(size >> 8), bytes[2 + 2 * i] = (uint8_t)size;
        count += size;
    }
    snprintf(path, sizeof path, "%s/seed-%s-%s", folder, name, kinds[kind].file);
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, count, file) != count || fclose(file) != 0) abort();
}

/* GDAL's own files of the same features, in UTM or in degrees. */
static void save_seeds(const char *folder, const char *name, const char *features) {
    char path[256], to[256];
    snprintf(path, sizeof path, "%s", as_file("seed.geojson", features, strlen(features)));
    GDALDatasetH from = GDALOpenEx(path, GDAL_OF_VECTOR, NULL, NULL, NULL);
    for (int kind = 0; kind < KINDS && from != NULL; kind++) {
        char *words[] = {(char *)"-f", (char *)kinds[kind].driver, NULL};
        snprintf(to, sizeof to, "%s/%s", as_file_folder, kinds[kind].file);
        remove(to);
        GDALVectorTranslateOptions *options = GDALVectorTranslateOptionsNew(words, NULL);
        GDALDatasetH made = GDALVectorTranslate(to, NULL, 1, &from, options, NULL);
        GDALVectorTranslateOptionsFree(options);
        if (made == NULL) continue; /* this GDAL has no such driver */
        GDALClose(made);
        save_seed(folder, name, kind);
    }
    if (from != NULL) GDALClose(from);
}

int LLVMFuzzerInitialize(int *count, char ***arguments);
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    static const char crs[] = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::32617\"}},";
    static const char *const shapes[][2] = {
        {"point", "\"Point\",\"coordinates\":[500105,4000035]"},
        {"line", "\"LineString\",\"coordinates\":[[500015,4000035],[500105,4000035],[500105,4000095]]"},
        {"area",
         "\"Polygon\",\"coordinates\":[[[500015,4000015],[500105,4000015],[500105,4000095],[500015,4000015]]]"}};
    const char *folder = NULL;
    for (int i = 1; i < *count && folder == NULL; i++)
        if ((*arguments)[i][0] != '-') folder = (*arguments)[i];
    if (folder == NULL || !platform_is_folder(folder)) return 0;
    GDALAllRegister();
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"type\":\"FeatureCollection\",%s\"features\":[{\"type\":\"Feature\",\"properties\":{\"rate_m3s\":2,"
                 "\"radius_m\":\"15\",\"start_s\":1,\"end_s\":null},\"geometry\":{\"type\":%s}}]}\n",
                 crs, shapes[i][1]);
        save_seeds(folder, shapes[i][0], text);
    }
    return 0;
}
