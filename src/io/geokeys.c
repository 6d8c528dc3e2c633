/* geokeys.c: the vertical CRS in GeoTIFF's keys: its name, and the unit of the heights. */
#include "geokeys.h"

#ifdef WADI_WITH_TIFF

#include <string.h>

#ifdef WADI_WITH_GEOTIFF
#include <proj.h>
#endif

/* Vertical CRSs in other units than metres, and their counterparts in metres. PROJ knows the units of the others. */
static const struct {
    int crs, unit, in_metres;
} vertical_crs[] = {
    {6360, 9003, 5703},         /* NAVD88 height (ftUS) */
    {8228, 9002, 5703},         /* NAVD88 height (ft) */
    {5702, 9003, USER_DEFINED}, /* NGVD29 height (ftUS) */
};

#ifdef WADI_WITH_GEOTIFF
/* From the EPSG register: the name of a vertical CRS, and its unit. False: it has no such CRS. */
static bool registered_vertical(int crs, char title[128], char unit_name[32]) {
    char code[16];
    snprintf(code, sizeof code, "%d", crs);
    PJ_CONTEXT *proj = proj_context_create();
    proj_log_level(proj, PJ_LOG_NONE);
    proj_context_set_enable_network(proj, 0);
    PJ *found = proj_create_from_database(proj, "EPSG", code, PJ_CATEGORY_CRS, 0, NULL);
    PJ *system = found != NULL && proj_get_type(found) == PJ_TYPE_VERTICAL_CRS
                     ? proj_crs_get_coordinate_system(proj, found)
                     : NULL;
    const char *unit = NULL, *name = system != NULL ? proj_get_name(found) : NULL;
    const bool good =
        system != NULL && proj_cs_get_axis_info(proj, system, 0, NULL, NULL, NULL, NULL, &unit, NULL, NULL) != 0;
    if (good) snprintf(unit_name, 32, "%s", unit != NULL ? unit : "");
    if (good) snprintf(title, 128, "%s (EPSG:%d)", name != NULL ? name : "", crs);
    proj_destroy(system);
    proj_destroy(found);
    proj_context_destroy(proj);
    return good;
}
#else
static bool registered_vertical(int crs, char title[128], char unit_name[32]) {
    (void)crs;
    (void)title;
    (void)unit_name;
    return false;
}
#endif

/* NULL: there is none, or it is unknown and `name` (32 bytes) has its name. */
static const io_unit *named_vertical_unit(const uint16_t *keys, size_t key_count, char *name) {
    const int stated = io_short_key(keys, key_count, KEY_VERTICAL_UNIT),
              crs = io_short_key(keys, key_count, KEY_VERTICAL_CRS);
    const io_unit *unit = io_unit_of_code(stated);
    char title[128];
    name[0] = '\0';
    for (size_t i = 0; unit == NULL && i < sizeof vertical_crs / sizeof *vertical_crs; i++)
        if (vertical_crs[i].crs == crs) unit = io_unit_of_code(vertical_crs[i].unit);
    if (unit != NULL) return unit;
    if (crs != 0 && crs != USER_DEFINED && registered_vertical(crs, title, name)) return io_unit_of_name(name);
    if (stated != 0 && stated != USER_DEFINED) snprintf(name, 32, "EPSG:%d", stated);
    return NULL;
}

const io_unit *io_vertical_unit(const uint16_t *keys, size_t key_count) {
    char name[32];
    return named_vertical_unit(keys, key_count, name);
}

static void take_vertical_unit(const io_geotags *tags, wadi_raster *raster, io_meaning *meaning) {
    char name[32];
    const io_unit *unit = named_vertical_unit(tags->keys, tags->key_count, name);
    const bool had_unit = meaning->unit_m > 0;
    io_set_unit(raster, meaning, unit != NULL ? unit->name : name);
    if (!had_unit && meaning->unit_m > 0) raster->from.unit = WADI_ORIGIN_CRS;
}

/* The register's name, else the file's own. */
static void name_vertical_crs(const io_geotags *tags, wadi_raster *raster) {
    const int crs = io_short_key(tags->keys, tags->key_count, KEY_VERTICAL_CRS);
    const uint16_t *citation = io_find_key(tags->keys, tags->key_count, KEY_VERTICAL_CITATION);
    char unit[32], *name = raster->vertical_crs;
    if (crs != 0 && crs != USER_DEFINED && registered_vertical(crs, name, unit)) return;
    if (citation == NULL || citation[1] != TAG_TEXT || citation[2] == 0) return;
    snprintf(name, sizeof raster->vertical_crs, "%.*s", citation[2] - 1, tags->text + citation[3]);
    for (char *c = name; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 127) *c = ' ';
    if (strcmp(name, "unknown") == 0) *name = '\0';
}

/* With a vertical CRS, scale and offset may be the third numbers of the georeference: Z = (z - z0) * scale + Z0. GDAL
 * writes them there. */
static void take_vertical_scale(const io_geotags *tags, io_meaning *meaning) {
    const bool vertical = io_find_key(tags->keys, tags->key_count, KEY_VERTICAL_CRS) != NULL ||
                          io_find_key(tags->keys, tags->key_count, KEY_VERTICAL_UNIT) != NULL;
    if (!vertical || tags->scale_count < 3 || tags->tie_count < 6) return;
    const double scale = tags->scale[2] != 0 ? tags->scale[2] : 1;
    const double offset = tags->ties[5] - tags->ties[2] * scale;
    if ((scale == 1 && offset == 0) || !io_is_finite(scale) || !io_is_finite(offset)) return;
    meaning->scaled = true;
    meaning->scale = scale;
    meaning->offset = offset;
}

void io_take_vertical(const io_geotags *tags, wadi_raster *raster, io_meaning *meaning) {
    take_vertical_unit(tags, raster, meaning);
    take_vertical_scale(tags, meaning);
    name_vertical_crs(tags, raster);
}

static int in_metres(int crs) {
    for (size_t i = 0; i < sizeof vertical_crs / sizeof *vertical_crs; i++)
        if (vertical_crs[i].crs == crs) return vertical_crs[i].in_metres;
    return USER_DEFINED;
}

void io_geotags_state_metres(io_geotag_block *block) {
    const io_unit *unit = io_vertical_unit(block->keys, block->key_count);
    const size_t end = io_keys_end(block->keys, block->key_count);
    if (unit == NULL || unit->code == METRE) return;
    for (size_t i = 4; i + 4 <= end; i += 4) {
        uint16_t *key = block->keys + i;
        if (key[0] == KEY_VERTICAL_UNIT) key[3] = METRE;
        if (key[0] == KEY_VERTICAL_CRS) key[3] = (uint16_t)in_metres(key[3]);
    }
}

void io_geotags_drop_vertical(io_geotag_block *block) {
    const size_t end = io_keys_end(block->keys, block->key_count);
    size_t kept = 4;
    for (size_t i = 4; i + 4 <= end; i += 4) {
        const uint16_t *key = block->keys + i;
        if (key[0] >= KEY_VERTICAL_CRS && key[0] <= KEY_VERTICAL_UNIT) continue;
        memmove(block->keys + kept, key, 4 * sizeof *key);
        kept += 4;
    }
    if (block->key_count < 4) return;
    block->key_count = kept;
    block->keys[3] = (uint16_t)(kept / 4 - 1);
}

#endif
