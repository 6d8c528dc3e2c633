#include "export_set.h"

#include "array.h"
#include "maps.h"
#include "message.h"
#include "texture_scene.h"

#include "wadi/analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CORNERS = 1 << 21 }; /* of a mesh */

/* --- the target's grid --- */

static wadi_status take_fitted(export_set *set, textures *from, const char *name) {
    const export_grid *grid = &set->options->grid;
    const wadi_raster *map = NULL;
    wadi_raster *fitted = NULL;
    wadi_status status = run_textures_map(from, name, &map);
    if (status == WADI_OK) status = run_grid_fit(map, grid->width, grid->height, grid->fit, &fitted);
    run_textures_release(from, name);
    return status == WADI_OK ? run_textures_take(&set->textures, name, fitted) : status;
}

static wadi_status take_maps(export_set *set, textures *from) {
    const wadi_map_facts *map;
    wadi_status status = WADI_OK;
    for (int i = 0; status == WADI_OK && (map = run_maps_at(i)) != NULL; i++)
        if (!wadi_derived_facts_of(map->name) && run_textures_has(from, map->name))
            status = take_fitted(set, from, map->name);
    return status;
}

/* Engines know no cells without data. */
static void fill_gaps(export_set *set) {
    wadi_raster *height = set->height;
    const size_t count = (size_t)height->width * (size_t)height->height;
    const wadi_range range = wadi_range_of(height->values, count);
    for (size_t i = 0; i < count; i++)
        if (isnan(height->values[i])) height->values[i] = range.minimum, set->filled++;
    height->has_nodata = false;
    height->has_georef = false;
}

/* A range for all maps is that of the masks: it would cut the terrain off. */
static wadi_status find_range(export_set *set) {
    const wadi_raster *height = set->height;
    const char *given = run_range_text(set->options->ranges, "height", true);
    const wadi_status status =
        run_value_range_parse("--range", given ? given : run_texture_facts("height")->range, &set->range);
    if (status != WADI_OK) return status;
    if (set->range.logarithmic)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--range height=%s: heights are not written as logarithms", given);
    set->range = run_value_range_settle(set->range, height->values, (size_t)height->width * (size_t)height->height);
    return WADI_OK;
}

/* The next name of a list of masks; goes on behind it. */
static void next_mask(const char **list, char name[64]) {
    const size_t length = strcspn(*list, ",");
    snprintf(name, 64, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
}

static wadi_status check_mask(const export_set *set, const char *name, const char *rest) {
    char other[64];
    if (!run_texture_facts(name))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--masks %s: there is no such map; 'wadi derive --help' lists them",
                         name);
    if (!run_textures_has(&set->textures, name))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--masks %s: this terrain has no such map; a run writes it", name);
    while (*rest) {
        next_mask(&rest, other);
        if (strcmp(name, other) == 0) return wadi_fail(WADI_ERROR_ARGUMENT, "--masks: names %s twice", name);
    }
    return WADI_OK;
}

static wadi_status check_masks(const export_set *set) {
    wadi_status status = WADI_OK;
    for (const char *list = set->options->masks; list && *list && status == WADI_OK;) {
        char name[64];
        next_mask(&list, name);
        status = check_mask(set, name, list);
    }
    return status;
}

static wadi_status read_layers(export_set *set) {
    if (set->options->target->weights == WEIGHTS_NONE && !set->options->layers) return WADI_OK;
    return run_ground_layers_read(set->options->layers, &set->textures, &set->layers);
}

wadi_status run_export_open(const export_options *options, textures *from, export_set *set) {
    const export_grid *grid = &options->grid;
    *set = (export_set){.options = options, .from_width = from->height->width, .from_height = from->height->height};
    wadi_status status = run_grid_fit(from->height, grid->width, grid->height, grid->fit, &set->height);
    if (status != WADI_OK) return status;
    fill_gaps(set);
    set->textures = run_textures_of(NULL, set->height, wadi_default_derive(2, 2, 1, 1, NULL), options->ranges);
    set->textures.facts = from->facts;
    status = take_maps(set, from);
    if (status == WADI_OK) status = find_range(set);
    if (status == WADI_OK) status = check_masks(set);
    return status == WADI_OK ? read_layers(set) : status;
}

void run_export_free(export_set *set) {
    run_textures_close(&set->textures);
    wadi_raster_destroy(set->height);
    free(set->masks.text);
    free(set->weights.text);
}

/* --- tiles --- */

typedef struct tile {
    int x, y;      /* from the west and the north */
    int named_y;   /* as in the file's name */
    size_t corner; /* its first sample in the whole */
    int width, height;
} tile;

static tile tile_at(const export_set *set, int x, int y) {
    const export_grid *g = &set->options->grid;
    const size_t row = (size_t)y * (size_t)(g->tile_height - 1), column = (size_t)x * (size_t)(g->tile_width - 1);
    return (tile){x,
                  y,
                  set->options->target->from_south ? g->tiles_y - 1 - y : y,
                  row * (size_t)g->width + column,
                  g->tile_width,
                  g->tile_height};
}

/* "DIR/height.png", or with several tiles "DIR/height_x0_y1.png". */
static char *file_of(const export_set *set, const char *name, const tile *tile, const char *ending) {
    const export_grid *g = &set->options->grid;
    if (g->tiles_x == 1 && g->tiles_y == 1) return run_text_format("%s/%s.%s", set->options->folder, name, ending);
    return run_text_format("%s/%s_x%d_y%d.%s", set->options->folder, name, tile->x, tile->named_y, ending);
}

/* A tile of a whole map, in memory of its own. */
static float *cut(const export_set *set, const float *whole, const tile *tile, bool from_south) {
    const size_t width = (size_t)tile->width, height = (size_t)tile->height;
    float *values = run_array_new(width * height, sizeof *values);
    for (size_t y = 0; values && y < height; y++) {
        const size_t to = from_south ? height - 1 - y : y;
        memcpy(values + to * width, whole + tile->corner + y * (size_t)set->options->grid.width,
               width * sizeof *values);
    }
    return values;
}

typedef wadi_status write_tile(export_set *set, const char *path, const tile *tile, const void *context);

static wadi_status each_tile(export_set *set, const char *name, const char *ending, write_tile *write,
                             const void *context) {
    const export_grid *g = &set->options->grid;
    wadi_status status = WADI_OK;
    for (int i = 0; i < g->tiles_x * g->tiles_y && status == WADI_OK; i++) {
        const tile tile = tile_at(set, i % g->tiles_x, i / g->tiles_x);
        char *path = file_of(set, name, &tile, ending);
        status = path ? write(set, path, &tile, context) : WADI_ERROR_MEMORY;
        free(path);
        set->files += status == WADI_OK;
    }
    return status;
}

static wadi_status write_height(export_set *set, const char *path, const tile *tile, const void *context) {
    (void)context;
    const export_target *target = set->options->target;
    const double low = set->range.low.value, high = set->range.high.value;
    wadi_raster part = *set->height; /* with values of its own */
    part.width = tile->width, part.height = tile->height;
    part.values = cut(set, set->height->values, tile, target->from_south);
    if (!part.values) return WADI_ERROR_MEMORY;
    wadi_write_options how = {.format = target->format, .sample = wadi_format_facts_of(target->format)->sample};
    how.scale = (high - low) / 65535;
    how.offset = low;
    const wadi_status status = wadi_raster_write(path, &part, &how);
    set->clamped += how.clamped;
    free(part.values);
    return status;
}

typedef struct planes {
    const float *planes[TEXTURE_CHANNELS];
    int count;
    wadi_sample sample;
} planes;

static wadi_status write_planes(export_set *set, const char *path, const tile *tile, const void *context) {
    const planes *from = context;
    float *parts[TEXTURE_CHANNELS] = {NULL};
    wadi_image image = {.width = tile->width, .height = tile->height, .channels = from->count};
    wadi_status status = WADI_OK;
    for (int i = 0; i < from->count; i++) {
        image.planes[i] = parts[i] = cut(set, from->planes[i], tile, false);
        if (!parts[i]) status = WADI_ERROR_MEMORY;
    }
    if (status == WADI_OK) status = wadi_image_write(path, &image, from->sample);
    for (int i = 0; i < from->count; i++) free(parts[i]);
    return status;
}

static wadi_status write_colours(export_set *set, const char *path, const tile *tile, const void *context) {
    const uint8_t *whole = context;
    const size_t width = (size_t)tile->width * 3, stride = (size_t)set->options->grid.width * 3;
    uint8_t *rgb = run_array_new((size_t)tile->height, width);
    if (!rgb) return WADI_ERROR_MEMORY;
    for (size_t y = 0; y < (size_t)tile->height; y++)
        memcpy(rgb + y * width, whole + tile->corner * 3 + y * stride, width);
    const wadi_status status = wadi_picture_write(path, rgb, tile->width, tile->height);
    free(rgb);
    return status;
}

/* --- masks, normals, weights --- */

static wadi_status write_mask(export_set *set, const char *map) {
    const planes nothing = {.count = 1, .sample = set->options->sample};
    planes from = nothing;
    float *shares;
    value_range range;
    char name[80], text[RANGE_TEXT];
    wadi_status status = run_textures_shares(&set->textures, map, &shares);
    if (status == WADI_OK) status = run_textures_range(&set->textures, map, &range);
    from.planes[0] = shares;
    snprintf(name, sizeof name, "mask_%s", map);
    if (status == WADI_OK) status = each_tile(set, name, "png", write_planes, &from);
    free(shares);
    if (status == WADI_OK)
        run_long_text_add(&set->masks, "  %-20s %s, %s\n", name, run_value_range_text(&range, text),
                          run_texture_facts(map)->unit);
    return status;
}

/* The target's usual ones are left out where the terrain does not have them. */
static wadi_status write_masks(export_set *set) {
    const char *list = set->options->masks ? set->options->masks : set->options->target->masks;
    wadi_status status = WADI_OK;
    while (*list && status == WADI_OK) {
        char name[64];
        next_mask(&list, name);
        if (!set->options->masks && !run_textures_has(&set->textures, name)) continue;
        status = write_mask(set, name);
    }
    return status;
}

static wadi_status write_normals(export_set *set) {
    const texture_picture *picture = NULL;
    for (size_t i = 0; set->options->target->normals && (picture = run_texture_picture_at(i)) != NULL; i++)
        if (strcmp(picture->name, set->options->target->normals) == 0) break;
    if (!picture) return WADI_OK;
    planes from = {.count = 3, .sample = WADI_SAMPLE_UINT8};
    float *parts[3] = {NULL};
    wadi_status status = run_textures_planes(&set->textures, picture->channels, parts, 3);
    for (int i = 0; i < 3; i++) from.planes[i] = parts[i];
    if (status == WADI_OK) status = each_tile(set, "normal", "png", write_planes, &from);
    for (int i = 0; i < 3; i++) free(parts[i]);
    return status;
}

static wadi_status write_weight_files(export_set *set, const ground_layers *layers, float *const *weights) {
    const int step = set->options->target->weights == WEIGHTS_SPLAT ? TEXTURE_CHANNELS : 1;
    const size_t count = (size_t)set->height->width * (size_t)set->height->height;
    float *none = run_array_new(count, sizeof *none);
    wadi_status status = none ? WADI_OK : WADI_ERROR_MEMORY;
    for (int first = 0; first < layers->count && status == WADI_OK; first += step) {
        planes from = {.count = step, .sample = WADI_SAMPLE_UINT8};
        char name[80];
        snprintf(name, sizeof name, step > 1 ? "splat%d" : "weight_%d_%s", first / step, layers->layers[first].name);
        run_long_text_add(&set->weights, "  %-20s", name);
        for (int k = 0; k < step; k++) {
            const bool there = first + k < layers->count;
            from.planes[k] = there ? weights[first + k] : none;
            if (there) run_long_text_add(&set->weights, " %s", layers->layers[first + k].name);
        }
        run_long_text_add(&set->weights, "\n");
        status = each_tile(set, name, "png", write_planes, &from);
    }
    free(none);
    return status;
}

static wadi_status write_weights(export_set *set) {
    float *weights[MOST_GROUND_LAYERS] = {NULL};
    if (set->layers.count == 0) return WADI_OK;
    wadi_status status = run_ground_layers_weigh(&set->layers, &set->textures, weights);
    if (status == WADI_OK) status = write_weight_files(set, &set->layers, weights);
    for (int i = 0; i < MOST_GROUND_LAYERS; i++) free(weights[i]);
    return status;
}

/* --- meshes --- */

static int every_of(const export_set *set) {
    int every = 1;
    while ((double)set->height->width * set->height->height > (double)MOST_CORNERS * every * every) every++;
    return every;
}

static wadi_status write_levels(export_set *set, texture_mesh *made) {
    const export_target *target = set->options->target;
    wadi_status status = WADI_OK;
    set->every = every_of(set);
    for (int level = 0; level < target->levels && status == WADI_OK; level++) {
        char *path = target->levels > 1 ? run_text_format("%s/terrain_lod%d.glb", set->options->folder, level)
                                        : run_text_format("%s/terrain.glb", set->options->folder);
        made->mesh.every = set->every << level;
        made->mesh.chunk = target->chunk;
        status = path ? wadi_mesh_write(path, &made->mesh) : WADI_ERROR_MEMORY;
        free(path);
        set->files += status == WADI_OK;
    }
    return status;
}

/* The colours of the mesh are those of the tiles, too. */
static wadi_status write_scene(export_set *set) {
    const texture_mesh_options how = {.no_water = set->options->no_water,
                                      .no_colours = set->options->no_colours,
                                      .sides = true,
                                      .water_threshold_m = set->options->water_threshold_m};
    texture_mesh made;
    wadi_status status = run_texture_mesh_make(&set->textures, &how, &made);
    set->coloured = made.colours != NULL;
    if (status == WADI_OK && made.colours) status = each_tile(set, "colour", "png", write_colours, made.colours->rgb);
    if (status == WADI_OK && set->options->target->chunk >= 0) status = write_levels(set, &made);
    run_texture_mesh_free(&made);
    return status;
}

wadi_status run_export_write(export_set *set) {
    wadi_status status = each_tile(set, "height", set->options->target->ending, write_height, NULL);
    if (status == WADI_OK) status = write_masks(set);
    if (status == WADI_OK) status = write_normals(set);
    if (status == WADI_OK) status = write_weights(set);
    if (status == WADI_OK) status = write_scene(set);
    return status;
}
