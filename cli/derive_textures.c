#include "derive_textures.h"

#include "run/array.h"
#include "run/escape.h"
#include "run/text_file.h"
#include "run/texture_scene.h"

#include "report.h"

#include "platform/platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const texture_bits[] = {"", "8", "16", "32", NULL};
enum { BITS_8 = 1, BITS_16, BITS_32 };

const char *texture_picture_names(char text[OPTION_HELP]) {
    text[0] = '\0';
    run_text_add(text, OPTION_HELP, COLOUR_PICTURE ", " LAYERS_PICTURE);
    for (size_t i = 0; run_texture_picture_at(i); i++)
        run_text_add(text, OPTION_HELP, ", %s", run_texture_picture_at(i)->name);
    return text;
}

/* --- names --- */

typedef enum picture_kind { PICTURE_COLOUR, PICTURE_LAYERS, PICTURE_CHANNELS } picture_kind;
typedef struct picture {
    char name[64];
    picture_kind kind;
    const char *channels;
    bool packed; /* by --pack */
} picture;

static bool find_picture(const char *name, picture *found) {
    *found = (picture){.kind = strcmp(name, COLOUR_PICTURE) == 0 ? PICTURE_COLOUR : PICTURE_LAYERS};
    snprintf(found->name, sizeof found->name, "%s", name);
    for (size_t i = 0; run_texture_picture_at(i); i++)
        if (strcmp(run_texture_picture_at(i)->name, name) == 0)
            found->kind = PICTURE_CHANNELS, found->channels = run_texture_picture_at(i)->channels;
    return found->kind == PICTURE_CHANNELS || strcmp(name, COLOUR_PICTURE) == 0 || strcmp(name, LAYERS_PICTURE) == 0;
}

static wadi_status no_picture(const char *name) {
    const char *names[16];
    size_t count = 0;
    char near[128], all[OPTION_HELP];
    names[count++] = COLOUR_PICTURE, names[count++] = LAYERS_PICTURE;
    for (size_t i = 0; run_texture_picture_at(i) && count < 16; i++) names[count++] = run_texture_picture_at(i)->name;
    return wadi_fail(WADI_ERROR_ARGUMENT, "--pictures %.60s: no such picture%s (there are %s)", name,
                     run_did_you_mean(name, names, count, near), texture_picture_names(all));
}

/* "NAME=MAP,MAP" */
static wadi_status read_pack(const char *pack, picture *found) {
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
    const char *equals = strchr(pack, '=');
    const size_t length = equals ? (size_t)(equals - pack) : 0;
    *found = (picture){.kind = PICTURE_CHANNELS, .channels = equals ? equals + 1 : "", .packed = true};
    snprintf(found->name, sizeof found->name, "%.*s", (int)length, pack);
    if (length == 0 || length >= sizeof found->name || strspn(found->name, allowed) != length)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--pack %.80s: NAME=MAP,MAP,... is wanted; the name is that of a file",
                         pack);
    char what[128];
    snprintf(what, sizeof what, "--pack %.80s", pack);
    return run_texture_check_channels(what, found->channels);
}

/* The pictures of --pictures, then those of --pack. *there: false beyond the last. */
static wadi_status picture_at(const texture_options *given, size_t index, picture *found, bool *there) {
    const char *list = given->pictures ? given->pictures : given->layers ? LAYERS_PICTURE : "";
    *there = true;
    while (*list) {
        char name[64];
        const size_t length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        list += length + (list[length] == ',');
        if (index-- == 0) return find_picture(name, found) ? WADI_OK : no_picture(name);
    }
    *there = index < given->pack.count;
    return *there ? read_pack(given->pack.items[index], found) : WADI_OK;
}

wadi_status texture_check(const texture_options *given) {
    range_list ranges;
    picture found;
    bool there = true, layers = false;
    wadi_status status = run_ranges_read(&given->range, &ranges);
    for (size_t i = 0; status == WADI_OK; i++) {
        status = picture_at(given, i, &found, &there);
        if (!there) break;
        layers |= found.kind == PICTURE_LAYERS;
    }
    run_ranges_free(&ranges);
    if (status == WADI_OK && given->layers && !layers)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "--layers %s: needs " LAYERS_PICTURE " among --pictures %s",
                           given->layers, given->pictures);
    return status;
}

bool texture_any(const texture_options *given) { return given->pictures || given->layers || given->pack.count > 0; }

/* --- files --- */

/* 32 bits are floats, which PNG does not hold. The pictures of fixed content have 8 or 16. */
static const char *ending_of(const texture_options *given, const picture *picture) {
    return picture->packed && given->bits == BITS_32 ? "exr" : "png";
}

/* Layers are four to a picture. Their number is known when the terrain is: so all that there can be are named. */
enum { LAYER_FILES = MOST_GROUND_LAYERS / TEXTURE_CHANNELS };

bool texture_file_at(const texture_options *given, size_t index, char name[80]) {
    picture found;
    bool there = true;
    if (index == 0) snprintf(name, 80, RANGES_FILE);
    if (index == 0) return texture_any(given) || given->bits > 0 || given->range.count > 0;
    index--;
    for (size_t i = 0; picture_at(given, i, &found, &there) == WADI_OK && there; i++) {
        const size_t files = found.kind == PICTURE_LAYERS ? LAYER_FILES : 1;
        if (index < files) {
            if (files > 1)
                snprintf(name, 80, "%s%zu.png", found.name, index);
            else
                snprintf(name, 80, "%s.%s", found.name, ending_of(given, &found));
            return true;
        }
        index -= files;
    }
    return false;
}

static wadi_status write_colour(textures *t, const char *path) {
    wadi_picture *picture;
    wadi_status status = run_textures_colours(t, &picture);
    if (status == WADI_OK) status = wadi_picture_write(path, picture->rgb, picture->width, picture->height);
    wadi_picture_destroy(picture);
    if (status == WADI_OK) printf("%s: the colours of the ground\n", as_shown(path));
    return status;
}

static wadi_sample sample_of(const texture_options *given, const picture *picture) {
    if (picture->packed && given->bits == BITS_32) return WADI_SAMPLE_FLOAT32;
    return given->bits == BITS_16 ? WADI_SAMPLE_UINT16 : WADI_SAMPLE_UINT8;
}

static wadi_status write_four(const ground_layers *layers, int first, float *const *weights, const wadi_raster *height,
                              const char *path) {
    wadi_image image = {.width = height->width, .height = height->height};
    char names[200] = "";
    for (int i = first; i < layers->count && image.channels < TEXTURE_CHANNELS; i++) {
        run_text_add(names, sizeof names, "%s%s", *names ? ", " : "", layers->layers[i].name);
        image.planes[image.channels++] = weights[i];
    }
    float *none = NULL;
    if (image.channels == 2) { /* else grey and alpha */
        none = run_array_new((size_t)height->width * (size_t)height->height, sizeof *none);
        if (!none) return WADI_ERROR_MEMORY;
        image.planes[image.channels++] = none;
    }
    const wadi_status status = wadi_image_write(path, &image, WADI_SAMPLE_UINT8);
    free(none);
    if (status == WADI_OK) printf("%s: weights of %s\n", as_shown(path), names);
    return status;
}

static wadi_status write_layers(const texture_options *given, textures *t, const char *folder) {
    ground_layers layers;
    float *weights[MOST_GROUND_LAYERS] = {NULL};
    wadi_status status = run_ground_layers_read(given->layers, t, &layers);
    if (status == WADI_OK) status = run_ground_layers_weigh(&layers, t, weights);
    for (int first = 0; first < layers.count && status == WADI_OK; first += TEXTURE_CHANNELS) {
        char *path = run_text_format("%s/" LAYERS_PICTURE "%d.png", folder, first / TEXTURE_CHANNELS);
        status = path ? write_four(&layers, first, weights, t->height, path) : WADI_ERROR_MEMORY;
        free(path);
    }
    for (int i = 0; i < MOST_GROUND_LAYERS; i++) free(weights[i]);
    return status;
}

static wadi_status write_one(const texture_options *given, const picture *picture, textures *t, const char *folder) {
    if (picture->kind == PICTURE_LAYERS) return write_layers(given, t, folder);
    char what[96], *path = run_text_format("%s/%s.%s", folder, picture->name, ending_of(given, picture));
    snprintf(what, sizeof what, "%s", picture->name);
    wadi_status status = path ? WADI_OK : WADI_ERROR_MEMORY;
    if (status == WADI_OK && picture->kind == PICTURE_COLOUR) status = write_colour(t, path);
    if (status == WADI_OK && picture->kind == PICTURE_CHANNELS) {
        status = run_textures_pack(t, what, picture->channels, path, sample_of(given, picture));
        if (status == WADI_OK) printf("%s: %s\n", as_shown(path), picture->channels);
    }
    free(path);
    return status;
}

wadi_status texture_write(const texture_options *given, textures *textures, const char *folder) {
    picture found;
    bool there = true;
    wadi_status status = WADI_OK;
    for (size_t i = 0; status == WADI_OK; i++) {
        status = picture_at(given, i, &found, &there);
        if (!there) break;
        if (status == WADI_OK) status = write_one(given, &found, textures, folder);
    }
    return status;
}

/* --- single maps --- */

wadi_status texture_check_format(const texture_options *given, wadi_format format) {
    static const struct {
        wadi_format format;
        bool bits[4];
    } holds[] = {{WADI_FORMAT_PNG, {true, true, true, false}},
                 {WADI_FORMAT_TIFF, {true, true, true, true}},
                 {WADI_FORMAT_R16, {true, false, true, false}}};
    const bool only_floats[4] = {true, false, false, true}, *bits = only_floats;
    for (size_t i = 0; i < sizeof holds / sizeof *holds; i++)
        if (holds[i].format == format) bits = holds[i].bits;
    if (bits[given->bits]) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "--bits %s: %s files do not hold them; PNG has 8 and 16, TIFF 8, 16 and 32",
                     texture_bits[given->bits], wadi_format_facts_of(format)->name);
}

static wadi_status copy_of(const wadi_raster *from, wadi_raster **copy) {
    const wadi_status status = wadi_raster_like(from, copy);
    const size_t bytes = (size_t)from->width * (size_t)from->height * sizeof *from->values;
    if (status == WADI_OK) memcpy((*copy)->values, from->values, bytes);
    return status;
}

/* Integers keep the values' scale, so that the file can be read back. Floats and logarithms become 0 to 1. */
wadi_status texture_map(const texture_options *given, textures *textures, const char *map, wadi_raster **raster,
                        wadi_write_options *how) {
    const wadi_raster *from;
    value_range range;
    if (given->bits == 0 && !run_range_text(textures->ranges, map, false)) return WADI_OK;
    wadi_status status = run_textures_map(textures, map, &from);
    if (status == WADI_OK) status = run_textures_range(textures, map, &range);
    if (status == WADI_OK) status = copy_of(from, raster);
    if (status != WADI_OK) return status;
    if (given->bits > 0)
        how->sample = given->bits == BITS_8    ? WADI_SAMPLE_UINT8
                      : given->bits == BITS_16 ? WADI_SAMPLE_UINT16
                                               : WADI_SAMPLE_FLOAT32;
    const bool share = range.logarithmic || how->sample == WADI_SAMPLE_FLOAT32;
    const double low = share ? 0 : range.low.value, high = share ? 1 : range.high.value;
    const size_t count = (size_t)from->width * (size_t)from->height;
    for (size_t i = 0; i < count; i++) {
        const float at = run_value_range_share(&range, from->values[i]);
        (*raster)->values[i] = (float)(low + (high - low) * (double)at);
    }
    how->scale = (high - low) / (how->sample == WADI_SAMPLE_UINT8 ? 255 : 65535);
    how->offset = low;
    if (share) how->unit = "1";
    return WADI_OK;
}

wadi_status texture_write_ranges(const textures *textures, const char *folder) {
    long_text text = {0};
    for (size_t i = 0; i < textures->count; i++) {
        char range[RANGE_TEXT];
        if (!textures->maps[i].ranged) continue;
        run_long_text_add(&text, "%s=%s\n", textures->maps[i].facts->name,
                          run_value_range_text(&textures->maps[i].range, range));
    }
    if (!text.text) return WADI_OK;
    char *path = run_text_join(folder, RANGES_FILE);
    const wadi_status status = run_long_text_write(&text, path ? path : RANGES_FILE);
    free(path);
    return status;
}
