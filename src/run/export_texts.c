#include "export_texts.h"

#include "engine/gpu/codegen/source_text.h"
#include "wadi/landscape.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const wadi_text run_target_texts[]; /* "unreal.txt", ...; ended by a NULL path */

enum { MOST_VALUES = 48, KEY = 24, VALUE = 160 };
typedef struct values {
    struct {
        char key[KEY], text[VALUE];
        const char *longer; /* in place of `text` */
    } items[MOST_VALUES];
    int count;
} values;

WADI_PRINTF(3, 4) static void put(values *v, const char *key, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    snprintf(v->items[v->count].key, KEY, "%s", key);
    vsnprintf(v->items[v->count].text, VALUE, format, arguments);
    v->items[v->count++].longer = NULL;
    va_end(arguments);
}

static void put_long(values *v, const char *key, const char *text) {
    put(v, key, "%s", "");
    v->items[v->count - 1].longer = text ? text : "  none\n";
}

static const char *value_of(const values *v, const char *key, size_t length) {
    for (int i = 0; i < v->count; i++)
        if (strlen(v->items[i].key) == length && strncmp(v->items[i].key, key, length) == 0)
            return v->items[i].longer ? v->items[i].longer : v->items[i].text;
    return NULL;
}

/* @key@ becomes its value; any other @ stays. */
static void fill(long_text *out, const char *text, const values *v) {
    while (*text) {
        const size_t plain = strcspn(text, "@");
        run_long_text_add(out, "%.*s", (int)plain, text);
        text += plain;
        if (!*text) break;
        const size_t key = strcspn(text + 1, "@ \n");
        const char *value = text[1 + key] == '@' ? value_of(v, text + 1, key) : NULL;
        run_long_text_add(out, "%s", value ? value : "@");
        text += value ? key + 2 : 1;
    }
}

/* --- the values --- */

static void put_grid(values *v, const export_set *set) {
    const export_grid *g = &set->options->grid;
    const wadi_raster *h = set->height;
    put(v, "title", "%s", set->options->target->title);
    put(v, "version", "%s", wadi_version());
    put(v, "from", "%d x %d", set->from_width, set->from_height);
    const bool same = g->width == set->from_width && g->height == set->from_height;
    put(v, "fit", "%s",
        same                 ? "as they were"
        : g->fit == FIT_CROP ? "cropped: the middle of the terrain, its borders are left out"
                             : "resampled from border to border");
    put(v, "tiles", "%d x %d", g->tiles_x, g->tiles_y);
    put(v, "tiles_x", "%d", g->tiles_x);
    put(v, "tiles_y", "%d", g->tiles_y);
    put(v, "tile_width", "%d", g->tile_width);
    put(v, "tile_height", "%d", g->tile_height);
    put(v, "width", "%d", g->width);
    put(v, "height", "%d", g->height);
    put(v, "spacing_x", "%.9g", h->lx);
    put(v, "spacing_y", "%.9g", h->ly);
    put(v, "length_x", "%.9g", h->lx * (g->width - 1));
    put(v, "length_y", "%.9g", h->ly * (g->height - 1));
    put(v, "tile_length_x", "%.9g", h->lx * (g->tile_width - 1));
    put(v, "tile_length_y", "%.9g", h->ly * (g->tile_height - 1));
    put(v, "suffix", "%s", g->tiles_x * g->tiles_y > 1 ? "_x0_y0" : "");
    put(v, "names", "%s",
        g->tiles_x * g->tiles_y > 1 ? set->options->target->from_south
                                          ? "_x0_y0 is the tile in the south-west; x goes east, y goes north"
                                          : "_x0_y0 is the tile in the north-west; x goes east, y goes south"
                                    : "there is one tile, so no file has a number");
    put(v, "filled", "%zu", set->filled);
    put(v, "ice", "%s", set->textures.facts.on_ice ? " Heights are those of the top of the ice." : "");
    put(v, "every", "%d", set->every);
    put(v, "bits", "%d", set->options->sample == WADI_SAMPLE_UINT16 ? 16 : 8);
    put(v, "colours", "%s%s%s",
        set->coloured              ? "colour"
        : set->options->no_colours ? "none, as --no-colours asked for"
                                   : "none, because they need OpenGL",
        set->coloured ? value_of(v, "suffix", 6) : "", set->coloured ? ".png (sRGB)" : "");
    put_long(v, "masks", set->masks.text);
    put_long(v, "weights", set->weights.text);
}

/* Unreal counts in cm. At a scale of 100 the 65536 steps of a height are 512 m, with 0 in the middle. */
static void put_heights(values *v, const export_set *set) {
    const double low = set->range.low.value, high = set->range.high.value;
    put(v, "low", "%.9g", low);
    put(v, "high", "%.9g", high);
    put(v, "range", "%.9g", high - low);
    put(v, "unreal_x", "%.9g", 100 * set->height->lx);
    put(v, "unreal_y", "%.9g", 100 * set->height->ly);
    put(v, "unreal_z", "%.9g", 100 * (high - low) / 512 * 65536 / 65535);
    put(v, "unreal_location", "%.9g", 100 * (low + (high - low) * 32768 / 65535));
}

static double *cross(const double a[3], const double b[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    const double size = sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
    for (int k = 0; k < 3; k++) out[k] /= size;
    return out;
}

/* Godot looks along -z of an object; y is up, z south. `back`: the direction of its z, of length 1. */
static void put_transform(values *v, const char *key, const double back[3], const double at[3]) {
    static const double up[3] = {0, 1, 0};
    double x[3], y[3];
    cross(up, back, x);
    cross(back, x, y);
    put(v, key, "%.6f, %.6f, %.6f, %.6f, %.6f, %.6f, %.6f, %.6f, %.6f, %.3f, %.3f, %.3f", x[0], y[0], back[0], x[1],
        y[1], back[1], x[2], y[2], back[2], at[0], at[1], at[2]);
}

/* A camera in the south, 30 degrees above the horizon, and the sun of `wadi render --3d`. */
static void put_scene(values *v, const export_set *set) {
    const double degree = acos(-1.0) / 180, low = set->range.low.value, high = set->range.high.value;
    const double size = hypot(set->height->lx * set->height->width, set->height->ly * set->height->height);
    const wadi_look look = wadi_default_look();
    const double azimuth = look.sun_azimuth * degree, elevation = look.sun_elevation * degree;
    const double sun[3] = {sin(azimuth) * cos(elevation), sin(elevation), -cos(azimuth) * cos(elevation)};
    const double back[3] = {0, sin(30 * degree), cos(30 * degree)}, far = 1.05 * size;
    const double at[3] = {0, 0.5 * (low + high) + far * back[1], far * back[2]}, none[3] = {0, high + size, 0};
    put_transform(v, "camera", back, at);
    put_transform(v, "sun", sun, none);
    put(v, "sun_azimuth", "%.9g", look.sun_azimuth);
    put(v, "sun_elevation", "%.9g", look.sun_elevation);
    put(v, "far", "%.9g", 4 * size);
    put(v, "size", "%.9g", size);
    put(v, "middle", "%.9g", 0.5 * (low + high));
}

static const char *text_of(const char *name, size_t length) {
    for (size_t i = 0; run_target_texts[i].path; i++)
        if (strlen(run_target_texts[i].path) == length && strncmp(run_target_texts[i].path, name, length) == 0)
            return run_target_texts[i].text;
    return "";
}

wadi_status run_export_texts(export_set *set) {
    values *v = calloc(1, sizeof *v);
    if (!v) return wadi_fail(WADI_ERROR_MEMORY, "no memory for the texts of an export");
    put_grid(v, set);
    put_heights(v, set);
    put_scene(v, set);
    wadi_status status = WADI_OK;
    for (const char *list = set->options->target->templates; *list && status == WADI_OK;) {
        const size_t template = strcspn(list, "="), file = strcspn(list + template + 1, ",");
        long_text text = {0};
        fill(&text, text_of(list, template), v);
        char *path = run_text_format("%s/%.*s", set->options->folder, (int)file, list + template + 1);
        status = run_long_text_write(&text, path ? path : "");
        free(path);
        set->files += status == WADI_OK;
        list += template + 1 + file;
        list += *list == ',';
    }
    free(v);
    return status;
}
