#include "textures.h"

#include "array.h"
#include "derived.h"
#include "folder.h"
#include "run_read.h"

#include "wadi/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

textures run_textures_of(const char *folder, const wadi_raster *height, wadi_derive_def def, const range_list *ranges) {
    def.width = height->width, def.height = height->height;
    def.lx = height->lx, def.ly = height->ly;
    def.heights = height->values;
    return (textures){.folder = folder, .height = height, .def = def, .ranges = ranges};
}

void run_textures_close(textures *t) {
    for (size_t i = 0; i < t->count; i++) wadi_raster_destroy(t->maps[i].raster);
    wadi_derive_destroy(t->derivation);
    wadi_raster_destroy(t->top);
    *t = (textures){0};
}

const wadi_map_facts *run_texture_facts(const char *name) {
    const wadi_map_facts *facts = wadi_map_facts_of(name);
    return facts ? facts : wadi_derived_facts_of(name);
}

wadi_status run_texture_facts_read(const char *folder, texture_facts *facts) {
    *facts = (texture_facts){.ground = WADI_GROUND_GREEN};
    if (!folder || !run_folder_is_run(folder)) return WADI_OK;
    double sea_m;
    wadi_status status = run_read_sea(folder, &sea_m);
    if (status == WADI_OK) status = run_read_ground(folder, &facts->ground);
    if (status == WADI_OK) status = run_read_rises(folder, &facts->rises);
    if (status != WADI_OK) return status;
    facts->has_sea = is_finite(sea_m);
    facts->sea_m = facts->has_sea ? sea_m : 0;
    return WADI_OK;
}

static int place_of(const textures *t, const char *name) {
    for (size_t i = 0; i < t->count; i++)
        if (strcmp(t->maps[i].facts->name, name) == 0) return (int)i;
    return -1;
}

bool run_textures_has(const textures *t, const char *name) {
    if (t->facts.no_ice && strcmp(name, "ice") == 0) return false;
    if (place_of(t, name) >= 0 || strcmp(name, "height") == 0 || wadi_derived_facts_of(name)) return true;
    const bool parts = strcmp(name, "water_wear") == 0 || strcmp(name, "silt") == 0; /* they would hold the uplift */
    return t->folder && !(parts && t->facts.rises) && run_folder_has_field(t->folder, name);
}

wadi_status run_textures_derivation(textures *t, wadi_derivation **derivation) {
    const wadi_status status = t->derivation ? WADI_OK : wadi_derive_create(&t->def, &t->derivation);
    *derivation = t->derivation;
    return status;
}

static wadi_status derive(textures *t, const char *name, wadi_raster **map) {
    wadi_derivation *derivation;
    const wadi_status status = run_textures_derivation(t, &derivation);
    return status == WADI_OK ? run_derived_raster(derivation, name, t->height, map) : status;
}

static wadi_status make(textures *t, const char *name, wadi_raster **map) {
    if (wadi_derived_facts_of(name)) return derive(t, name, map);
    if (t->folder) return run_read_map(t->folder, name, t->height, map); /* says what there is */
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: there is no such map of this terrain; a run writes it", name);
}

wadi_status run_textures_take(textures *t, const char *name, wadi_raster *map) {
    const int at = place_of(t, name);
    if (at >= 0) {
        wadi_raster_destroy(t->maps[at].raster);
        t->maps[at].raster = map;
        return WADI_OK;
    }
    if (t->count == MOST_TEXTURES) {
        wadi_raster_destroy(map);
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: more than %d maps", name, MOST_TEXTURES);
    }
    t->maps[t->count].facts = run_texture_facts(name);
    t->maps[t->count].ranged = false;
    t->maps[t->count++].raster = map;
    return WADI_OK;
}

void run_textures_release(textures *t, const char *name) {
    const int at = place_of(t, name);
    if (at < 0) return;
    wadi_raster_destroy(t->maps[at].raster);
    t->maps[at].raster = NULL;
}

wadi_status run_textures_map(textures *t, const char *name, const wadi_raster **map) {
    const int at = place_of(t, name);
    const bool here = at >= 0 && t->maps[at].raster;
    wadi_raster *made = NULL;
    *map = here ? t->maps[at].raster : t->height;
    if (here || strcmp(name, "height") == 0) return WADI_OK;
    wadi_status status = make(t, name, &made);
    *map = made;
    if (status == WADI_OK) return run_textures_take(t, name, made);
    wadi_raster_destroy(made);
    return status;
}

/* Masks from percentiles, slopes and normals follow the surface, so nothing may have been derived before. */
wadi_status run_textures_add_ice(textures *t) {
    const size_t count = (size_t)t->height->width * (size_t)t->height->height;
    const wadi_raster *ice;
    if (!run_textures_has(t, "ice")) return WADI_OK;
    wadi_status status = run_textures_map(t, "ice", &ice);
    if (status != WADI_OK || !(wadi_range_of(ice->values, count).maximum > 0)) return status;
    status = wadi_raster_like(t->height, &t->top);
    if (status != WADI_OK) return status;
    for (size_t i = 0; i < count; i++)
        t->top->values[i] = t->height->values[i] + fmaxf(ice->values[i], 0); /* 0 where it is NaN */
    t->height = t->top;
    t->def.heights = t->top->values;
    t->facts.on_ice = true;
    return WADI_OK;
}

wadi_status run_textures_range(textures *t, const char *name, value_range *range) {
    const wadi_raster *map;
    wadi_status status = run_textures_map(t, name, &map);
    const int at = place_of(t, name); /* -1: the height */
    if (status == WADI_OK && at >= 0 && t->maps[at].ranged) {
        *range = t->maps[at].range;
        return WADI_OK;
    }
    if (status == WADI_OK) status = run_range_of(t->ranges, name, run_texture_facts(name)->range, range);
    if (status != WADI_OK) return status;
    *range = run_value_range_settle(*range, map->values, (size_t)map->width * (size_t)map->height);
    if (at >= 0) t->maps[at].range = *range, t->maps[at].ranged = true;
    return WADI_OK;
}

static bool is_constant(const char *name) { return strcmp(name, "0") == 0 || strcmp(name, "1") == 0; }

static wadi_status fill(const textures *t, float share, float **shares) {
    const size_t count = (size_t)t->height->width * (size_t)t->height->height;
    *shares = run_array_new(count, sizeof **shares);
    for (size_t i = 0; *shares && i < count; i++) (*shares)[i] = share;
    return *shares ? WADI_OK : WADI_ERROR_MEMORY;
}

wadi_status run_textures_shares(textures *t, const char *name, float **shares) {
    if (is_constant(name)) return fill(t, name[0] == '1', shares);
    const bool turned = name[0] == '-';
    const wadi_raster *map = NULL;
    value_range range;
    *shares = NULL;
    wadi_status status = run_textures_range(t, name + turned, &range);
    if (status == WADI_OK) status = run_textures_map(t, name + turned, &map);
    if (status != WADI_OK || !map) return status;
    const size_t count = (size_t)map->width * (size_t)map->height;
    *shares = run_array_new(count, sizeof **shares);
    if (!*shares) return WADI_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++) {
        const float share = run_value_range_share(&range, map->values[i]);
        (*shares)[i] = isnan(share) ? 0 : turned ? 1 - share : share;
    }
    return WADI_OK;
}

/* --- pictures --- */

static const texture_picture pictures[] = {
    {"normal_opengl", "normal_x,normal_y,normal_z", "normals: red east, green north, blue up (OpenGL)"},
    {"normal_directx", "normal_x,-normal_y,normal_z", "normals: red east, green south, blue up (DirectX)"},
    {"flow_direction", "flow_x,flow_y,0", "where water flows: red east, green north, 0.5 is none"},
};

const texture_picture *run_texture_picture_at(size_t index) {
    return index < sizeof pictures / sizeof *pictures ? &pictures[index] : NULL;
}

/* Copies the next name of a list, and goes on behind it. false: it is too long. */
static bool next_name(const char **list, char name[64]) {
    const size_t length = strcspn(*list, ",");
    snprintf(name, 64, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return length < 64;
}

wadi_status run_texture_check_channels(const char *what, const char *channels) {
    int count = 0;
    char name[64];
    for (const char *rest = channels; *rest; count++)
        if (!next_name(&rest, name) || (!is_constant(name) && !run_texture_facts(name + (name[0] == '-'))))
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s: there is no map %s; 'wadi derive --help' lists them", what,
                             name);
    if (count >= 1 && count <= TEXTURE_CHANNELS) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %d maps; a picture has 1 to %d channels", what, count, TEXTURE_CHANNELS);
}

wadi_status run_textures_planes(textures *t, const char *channels, float **planes, int most) {
    wadi_status status = WADI_OK;
    for (int i = 0; *channels && i < most && status == WADI_OK; i++) {
        char name[64];
        next_name(&channels, name);
        status = run_textures_shares(t, name, &planes[i]);
    }
    return status;
}

wadi_status run_textures_pack(textures *t, const char *what, const char *channels, const char *path,
                              wadi_sample sample) {
    float *planes[TEXTURE_CHANNELS] = {NULL};
    wadi_image image = {.width = t->height->width, .height = t->height->height};
    wadi_status status = run_texture_check_channels(what, channels);
    if (status == WADI_OK) status = run_textures_planes(t, channels, planes, TEXTURE_CHANNELS);
    for (; image.channels < TEXTURE_CHANNELS && planes[image.channels]; image.channels++)
        image.planes[image.channels] = planes[image.channels];
    if (status == WADI_OK) status = wadi_image_write(path, &image, sample);
    for (int i = 0; i < TEXTURE_CHANNELS; i++) free(planes[i]);
    return status;
}
