/* geotiff.c: the meaning of GeoTIFF tags. This file reads the transform. It keeps the GeoKeys unchanged in georef.crs
 * for writing. It reads kind, units, ellipsoid and name of the CRS through libgeotiff. */
#include "geokeys.h"

#ifdef WADI_WITH_TIFF

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef WADI_WITH_GEOTIFF
#include <geo_normalize.h>
#include <geo_simpletags.h>
#include <geo_tiffp.h>
#include <geotiff.h>
#include <geovalues.h>
#include <proj.h>
#endif

/* --- GeoKeys, unchanged ---------------------------------------------------------------------------------------- */

/* Checks that every key lies in its arrays, before libgeotiff reads them. */
static bool keys_are_sound(const uint16_t *keys, size_t key_count, size_t number_count, size_t text_count) {
    if (key_count == 0) return true;
    if (key_count < 4 || key_count < 4 + 4 * (size_t)keys[3]) return false;
    for (size_t i = 4; i < 4 + 4 * (size_t)keys[3]; i += 4) {
        const size_t end = (size_t)keys[i + 2] + keys[i + 3];
        const bool sound =
            (keys[i + 1] == 0 && keys[i + 2] == 1) || (keys[i + 1] == TAG_NUMBERS && end <= number_count) ||
            (keys[i + 1] == TAG_TEXT && end <= text_count) || (keys[i + 1] == TAG_KEYS && end <= key_count);
        if (!sound) return false;
    }
    return true;
}

/* --- georef.crs: "GKEY", three counts, the keys, the numbers, the text; little-endian -------------------------- */

static uint8_t *put(uint8_t *to, uint64_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) to[i] = (uint8_t)(value >> (8 * i));
    return to + bytes;
}

static uint64_t get(const uint8_t **from, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes; i++) value |= (uint64_t)(*from)[i] << (8 * i);
    *from += bytes;
    return value;
}

static bool keep_keys(const io_geotags *tags, wadi_georef *georef) {
    const size_t size = 16 + 2 * tags->key_count + 8 * tags->number_count + tags->text_count;
    uint8_t *to = malloc(size);
    georef->crs = to;
    if (to == NULL) return false;
    georef->crs_bytes = size;
    memcpy(to, "GKEY", 4);
    to = put(put(put(to + 4, tags->key_count, 4), tags->number_count, 4), tags->text_count, 4);
    for (size_t i = 0; i < tags->key_count; i++) to = put(to, tags->keys[i], 2);
    for (size_t i = 0; i < tags->number_count; i++) {
        uint64_t bits;
        memcpy(&bits, &tags->numbers[i], sizeof bits);
        to = put(to, bits, 8);
    }
    if (tags->text_count > 0) memcpy(to, tags->text, tags->text_count);
    return true;
}

static wadi_status damaged_crs(void) {
    return wadi_fail(WADI_ERROR_ARGUMENT, "a raster's CRS is damaged; read it again from its file");
}

/* Allocates one more of each, so that none is NULL. */
static wadi_status recall_keys(const wadi_georef *georef, io_geotag_block *block) {
    if (georef->crs_bytes == 0) return WADI_OK;
    const uint8_t *from = georef->crs;
    if (georef->crs_bytes < 16 || memcmp(from, "GKEY", 4) != 0) return damaged_crs();
    from += 4;
    block->key_count = (size_t)get(&from, 4);
    block->number_count = (size_t)get(&from, 4);
    block->text_count = (size_t)get(&from, 4);
    const uint64_t bytes = 16 + 2 * (uint64_t)block->key_count + 8 * (uint64_t)block->number_count + block->text_count;
    if (bytes != georef->crs_bytes) return damaged_crs();
    block->keys = malloc(2 * (block->key_count + 1));
    block->numbers = malloc(8 * (block->number_count + 1));
    block->text = malloc(block->text_count + 1);
    if (block->keys == NULL || block->numbers == NULL || block->text == NULL) return io_no_memory("a CRS", bytes, 0);
    for (size_t i = 0; i < block->key_count; i++) block->keys[i] = (uint16_t)get(&from, 2);
    for (size_t i = 0; i < block->number_count; i++) {
        const uint64_t bits = get(&from, 8);
        memcpy(&block->numbers[i], &bits, sizeof bits);
    }
    memcpy(block->text, from, block->text_count);
    block->text[block->text_count] = '\0';
    return keys_are_sound(block->keys, block->key_count, block->number_count, block->text_count) ? WADI_OK
                                                                                                 : damaged_crs();
}

void io_geotag_block_free(io_geotag_block *block) {
    free(block->keys);
    free(block->numbers);
    free(block->text);
}

/* --- the transform --------------------------------------------------------------------------------------------- */

/* *found: whether there is one. */
static wadi_status find_transform(const char *name, const io_geotags *tags, double to[6], bool *found) {
    *found = true;
    if (tags->matrix_count >= 16) {
        const double *m = tags->matrix;
        if (m[1] != 0 || m[4] != 0) return io_refuse_warped(name, "its grid is rotated or sheared");
        memcpy(to, (double[6]){m[3], m[0], 0, m[7], 0, m[5]}, 6 * sizeof *to);
    } else if (tags->scale_count >= 2 && tags->tie_count >= 6) {
        const double dx = tags->scale[0], dy = -tags->scale[1], *tie = tags->ties;
        memcpy(to, (double[6]){tie[3] - tie[0] * dx, dx, 0, tie[4] - tie[1] * dy, 0, dy}, 6 * sizeof *to);
    } else if (tags->tie_count > 6) {
        return io_refuse_warped(name, "it is placed by ground control points, not by a grid");
    } else {
        *found = false;
        return WADI_OK;
    }
    for (int i = 0; i < 6; i++)
        if (!io_is_finite(to[i]))
            return wadi_fail(WADI_ERROR_FORMAT, "%s: its georeference is not finite; mend it", name);
    if (to[1] < 0) return io_refuse_warped(name, "its columns run from east to west");
    if (to[1] == 0 || to[5] == 0)
        return wadi_fail(WADI_ERROR_FORMAT, "%s: its georeference says cells have no size; mend it", name);
    return WADI_OK;
}

/* --- the CRS --------------------------------------------------------------------------------------------------- */

typedef struct crs {
    double major_m, minor_m;     /* half axes of the ellipsoid */
    double unit_m;               /* projected */
    double unit_degrees;         /* geographic */
    double stretch_x, stretch_y; /* projected: metres on the map per metre on the ground, at the centre; 0: unknown */
} crs;

/* Lengths of a cell on the ellipsoid, at the centre of the raster. Along the meridian the radius is M = a (1 - e2) /
 * w^3. Along the parallel it is N cos(latitude), with N = a / w and w = sqrt(1 - e2 sin(latitude)^2). */
static double parallel_m(const crs *crs, double radians) {
    const double e2 = 1 - crs->minor_m * crs->minor_m / (crs->major_m * crs->major_m);
    return crs->major_m * cos(radians) / sqrt(1 - e2 * sin(radians) * sin(radians));
}

static double meridian_m(const crs *crs, double radians) {
    const double e2 = 1 - crs->minor_m * crs->minor_m / (crs->major_m * crs->major_m);
    return crs->major_m * (1 - e2) / pow(1 - e2 * sin(radians) * sin(radians), 1.5);
}

static wadi_status size_on_ellipsoid(const char *name, const crs *crs, wadi_raster *raster) {
    const double radian = crs->unit_degrees * acos(-1.0) / 180, pole = acos(-1.0) / 2;
    const double *transform = raster->georef.transform;
    double north = transform[3] * radian, south = (transform[3] + raster->height * transform[5]) * radian;
    const double slack = fabs(transform[5] * radian); /* global grids of points reach half a cell beyond the poles */
    if (!(north <= pole + slack && south >= -pole - slack))
        return wadi_fail(WADI_ERROR_FORMAT,
                         "%s: lies between latitudes %.4f and %.4f, beyond a pole; mend its georeference", name,
                         south * 90 / pole, north * 90 / pole);
    north = fmin(north, pole);
    south = fmax(south, -pole);
    const double middle = (north + south) / 2;
    const double widest = north * south < 0 ? 0 : fmin(fabs(north), fabs(south));
    const double narrowest = fmax(fabs(north), fabs(south)), across = parallel_m(crs, middle);
    raster->lx = transform[1] * radian * across;
    raster->ly = -transform[5] * radian * meridian_m(crs, middle);
    raster->lx_variation = (parallel_m(crs, widest) - parallel_m(crs, narrowest)) / across;
    return WADI_OK;
}

static wadi_status set_cell_size(const char *name, const crs *crs, wadi_raster *raster) {
    raster->lx = raster->georef.transform[1] * crs->unit_m;
    raster->ly = -raster->georef.transform[5] * crs->unit_m;
    wadi_status status = WADI_OK;
    if (raster->georef.geographic) status = size_on_ellipsoid(name, crs, raster);
    if (status != WADI_OK) return status;
    if (!(raster->lx > 1e-6 && raster->lx < 1e9 && raster->ly > 1e-6 && raster->ly < 1e9))
        return wadi_fail(WADI_ERROR_FORMAT, "%s: its georeference says cells are %g x %g m; mend it", name, raster->lx,
                         raster->ly);
    return WADI_OK;
}

#ifdef WADI_WITH_GEOTIFF

static void say_nothing(GTIF *keys, int level, const char *text, ...) {
    (void)keys;
    (void)level;
    (void)text;
}

static GTIF *open_keys(const io_geotags *tags, ST_TIFF *store) {
    /* libgeotiff copies its arguments. */
    ST_SetKey(store, TAG_KEYS, (int)tags->key_count, STT_SHORT, (void *)(uintptr_t)tags->keys);
    if (tags->number_count > 0)
        ST_SetKey(store, TAG_NUMBERS, (int)tags->number_count, STT_DOUBLE, (void *)(uintptr_t)tags->numbers);
    if (tags->text_count > 0)
        ST_SetKey(store, TAG_TEXT, (int)tags->text_count, STT_ASCII, (void *)(uintptr_t)tags->text);
    TIFFMethod methods;
    GTIFSetSimpleTagsMethods(&methods);
    return GTIFNewWithMethodsEx(store, &methods, say_nothing, NULL);
}

/* The EPSG register's name, else the file's own. */
static void name_crs(GTIF *keys, PJ_CONTEXT *proj, const GTIFDefn *found, char *name, size_t size) {
    const bool geographic = found->Model == ModelTypeGeographic;
    const unsigned code = (unsigned short)(geographic ? found->GCS : found->PCS);
    char *official = NULL;
    if (code != 0 && code != USER_DEFINED) {
        if (geographic)
            GTIFGetGCSInfoEx(proj, (int)code, &official, NULL, NULL, NULL);
        else
            GTIFGetPCSInfoEx(proj, (int)code, &official, NULL, NULL, NULL);
        snprintf(name, size, "%s%sEPSG:%u%s", official != NULL ? official : "", official != NULL ? " (" : "", code,
                 official != NULL ? ")" : "");
        GTIFFreeMemory(official);
        return;
    }
    const int citations[] = {geographic ? KEY_GEOGRAPHIC_CITATION : KEY_PROJECTED_CITATION, KEY_CITATION};
    for (int i = 0; i < 2 && name[0] == '\0'; i++) GTIFKeyGetASCII(keys, (geokey_t)citations[i], name, (int)size);
    for (char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' '; /* for printing */
}

/* The projection in PROJ's form, without the parts that make it a CRS. */
static PJ *projection_of(PJ_CONTEXT *proj, GTIF *keys, GTIFDefn *found) {
    char code[16], text[1024] = "";
    snprintf(code, sizeof code, "%d", (unsigned short)found->PCS);
    PJ *crs =
        found->PCS != USER_DEFINED ? proj_create_from_database(proj, "EPSG", code, PJ_CATEGORY_CRS, 0, NULL) : NULL;
    const char *given = crs != NULL ? proj_as_proj_string(proj, crs, PJ_PROJ_4, NULL) : NULL;
    char *made = given == NULL ? GTIFGetProj4Defn(found) : NULL;
    snprintf(text, sizeof text, "%s", given != NULL ? given : made != NULL ? made : "");
    GTIFFreeMemory(made);
    proj_destroy(crs);
    (void)keys;
    char *type = strstr(text, "+type=crs");
    if (type != NULL) memset(type, ' ', strlen("+type=crs"));
    return strstr(text, "+proj=") != NULL ? proj_create(proj, text) : NULL;
}

static void find_stretch(PJ_CONTEXT *proj, GTIF *keys, GTIFDefn *found, const wadi_raster *raster, crs *crs) {
    const double *t = raster->georef.transform;
    PJ *projection = projection_of(proj, keys, found);
    if (projection == NULL) return;
    const PJ_COORD middle = proj_coord(t[0] + raster->width * t[1] / 2, t[3] + raster->height * t[5] / 2, 0, 0);
    const PJ_FACTORS factors = proj_factors(projection, proj_trans(projection, PJ_INV, middle));
    if (proj_errno(projection) == 0) crs->stretch_x = factors.parallel_scale, crs->stretch_y = factors.meridional_scale;
    proj_destroy(projection);
}

static void take_definition(const GTIFDefn *found, wadi_raster *raster, crs *crs) {
    raster->georef.geographic = found->Model == ModelTypeGeographic;
    if (found->UOMLengthInMeters > 0) crs->unit_m = found->UOMLengthInMeters;
    if (found->UOMAngleInDegrees > 0) crs->unit_degrees = found->UOMAngleInDegrees;
    if (found->SemiMajor > 0 && found->SemiMinor > 0 && found->SemiMinor <= found->SemiMajor) {
        crs->major_m = found->SemiMajor;
        crs->minor_m = found->SemiMinor;
    }
}

static wadi_status understand(const char *name, const io_geotags *tags, wadi_raster *raster, crs *crs) {
    errno = 0;
    ST_TIFF *store = ST_Create();
    GTIF *keys = store != NULL ? open_keys(tags, store) : NULL;
    PJ_CONTEXT *proj = proj_context_create();
    GTIFDefn *found = GTIFAllocDefn();
    proj_log_level(proj, PJ_LOG_NONE); /* it would print missing files */
    proj_context_set_enable_network(proj, 0);
    wadi_status status = WADI_OK;
    if (store == NULL || found == NULL || (keys == NULL && errno == ENOMEM)) {
        status = io_no_memory(name, 2 * tags->key_count, 0);
    } else if (keys == NULL) {
        status = wadi_fail(WADI_ERROR_FORMAT, "%s: its GeoKeys are damaged; mend its georeference", name);
    } else {
        GTIFAttachPROJContext(keys, proj);
        if (GTIFGetDefn(keys, found)) {
            if (found->Model == ModelTypeGeocentric) status = io_refuse_warped(name, "its CRS is geocentric");
            take_definition(found, raster, crs);
            name_crs(keys, proj, found, raster->georef.name, sizeof raster->georef.name);
            if (found->Model == ModelTypeProjected) find_stretch(proj, keys, found, raster, crs);
        }
    }
    if (keys != NULL) GTIFFree(keys);
    GTIFFreeDefn(found);
    if (store != NULL) ST_Destroy(store);
    proj_context_destroy(proj);
    return status;
}

#else

static wadi_status understand(const char *name, const io_geotags *tags, wadi_raster *raster, crs *crs) {
    (void)tags;
    (void)raster;
    (void)crs;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s: geotiff not built: install libgeotiff-dev and build again", name);
}

#endif

static const crs wgs84 = {.major_m = 6378137, .minor_m = 6356752.314245179, .unit_m = 1, .unit_degrees = 1};

/* --- both ways ------------------------------------------------------------------------------------------------- */

/* A stretched projection has other cell sizes on the map than on the ground: Web Mercator far north. */
static void remark_stretch(const crs *crs, wadi_raster *raster) {
    const double x = crs->stretch_x, y = crs->stretch_y;
    if (!(x > 0 && y > 0 && x < 1e6 && y < 1e6) || (fabs(x - 1) < 0.02 && fabs(y - 1) < 0.02)) return;
    io_remark(raster,
              "its CRS stretches the ground %.3g times here: a cell of %.4g x %.4g m is %.4g x %.4g m of ground"
              " (--cell-size %.4g,%.4g says so; wadi reproject to a UTM zone does better)",
              sqrt(x * y), raster->lx, raster->ly, raster->lx / x, raster->ly / y, raster->lx / x, raster->ly / y);
}

wadi_status io_georef_from_tags(const char *name, const io_geotags *tags, wadi_raster *raster, io_meaning *meaning) {
    wadi_georef *georef = &raster->georef;
    wadi_status status = find_transform(name, tags, georef->transform, &raster->has_georef);
    if (status != WADI_OK || (!raster->has_georef && tags->key_count == 0)) return status;
    if (!keys_are_sound(tags->keys, tags->key_count, tags->number_count, tags->text_count))
        return wadi_fail(WADI_ERROR_FORMAT, "%s: its GeoKeys are damaged; mend its georeference", name);
    io_take_vertical(tags, raster, meaning);
    if (!raster->has_georef) return WADI_OK;
    if (io_short_key(tags->keys, tags->key_count, KEY_RASTER) == PIXEL_IS_POINT) { /* the transform is for corners */
        georef->transform[0] -= georef->transform[1] / 2;
        georef->transform[3] -= georef->transform[5] / 2;
    }
    io_turn_north_up(raster);
    crs crs = wgs84;
    if (tags->key_count > 0) {
        if (!keep_keys(tags, georef)) return io_no_memory(name, 8 * tags->number_count, 0);
        status = understand(name, tags, raster, &crs);
    }
    raster->from.crs = georef->crs_bytes > 0 ? WADI_ORIGIN_FILE : WADI_ORIGIN_NONE;
    if (!georef->geographic) meaning->ground_unit_m = crs.unit_m;
    if (status == WADI_OK) status = set_cell_size(name, &crs, raster);
    if (status == WADI_OK) remark_stretch(&crs, raster);
    return status;
}

wadi_status io_georef_unit(const wadi_raster *raster, double *metres) {
    io_geotag_block block = {0};
    const wadi_status status = recall_keys(&raster->georef, &block);
    const io_unit *unit = status == WADI_OK ? io_vertical_unit(block.keys, block.key_count) : NULL;
    *metres = unit != NULL ? unit->metres : 1;
    io_geotag_block_free(&block);
    return status;
}

wadi_status io_georef_cells(wadi_raster *raster) {
    static const char name[] = "the part";
    crs crs = wgs84;
    io_geotag_block block = {0};
    if (!raster->has_georef || !raster->georef.geographic) return WADI_OK;
    wadi_status status = recall_keys(&raster->georef, &block);
    const io_geotags tags = {.key_count = block.key_count,
                             .number_count = block.number_count,
                             .text_count = block.text_count,
                             .keys = block.keys,
                             .numbers = block.numbers,
                             .text = block.text};
    if (status == WADI_OK && tags.key_count > 0) status = understand(name, &tags, raster, &crs);
    if (status == WADI_OK) status = set_cell_size(name, &crs, raster);
    io_geotag_block_free(&block);
    return status;
}

wadi_status io_georef_to_tags(const wadi_raster *raster, bool plain_metres, io_geotag_block *block) {
    *block = (io_geotag_block){0};
    const wadi_status status = recall_keys(&raster->georef, block);
    if (status != WADI_OK) return status;
    if (plain_metres) io_geotags_state_metres(block);
    const double *t = raster->georef.transform;
    const double half = io_short_key(block->keys, block->key_count, KEY_RASTER) == PIXEL_IS_POINT ? 0.5 : 0;
    memcpy(block->scale, (double[3]){t[1], -t[5], 0}, sizeof block->scale);
    memcpy(block->ties, (double[6]){0, 0, 0, t[0] + half * t[1], t[3] + half * t[5], 0}, sizeof block->ties);
    return WADI_OK;
}

#endif
