/* layers.c: the maps of a landscape, in memory as drawn, and on the device as textures. The cost of setting a part of a
 * map depends only on that part. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/need.h"
#include "render/landscape/landscape.h"

typedef struct part {
    int x, y, width, height;
} part;

static size_t place(int width, int x, int y) { return (size_t)y * (size_t)width + (size_t)x; }
static size_t cells_of(const wadi_landscape *l) { return (size_t)l->width * (size_t)l->height; }
static bool is_all(const wadi_landscape *l, part p) { return p.width == l->width && p.height == l->height; }
static part tile_of(const wadi_landscape *l, int tx, int ty) {
    const int x = tx * TILE, y = ty * TILE;
    return (part){x, y, l->width - x < TILE ? l->width - x : TILE, l->height - y < TILE ? l->height - y : TILE};
}
static wadi_status no_memory(void) { return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a landscape"); }

bool landscape_is_depth(wadi_layer which) { return which == WADI_LAYER_WATER || which == WADI_LAYER_ICE; }

/* Replaces a value that cannot be drawn. */
static inline float drawn(wadi_layer which, float v) {
    const float finite = isfinite(v) ? v : 0;
    return landscape_is_depth(which) && finite < 0 ? 0 : finite;
}

static void send(GLuint texture, int level, part p, const void *values, int row, GLenum type, int alignment) {
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, alignment);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, row);
    glTexSubImage2D(GL_TEXTURE_2D, level, p.x, p.y, p.width, p.height, GL_RED, type, values);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

/* --- cells without data are not drawn, but they get the height of neighbours with data --- */

static wadi_status begin_holes(wadi_landscape *l) {
    l->there = malloc(cells_of(l));
    if (l->there == NULL) return no_memory();
    memset(l->there, 255, cells_of(l));
    l->there_texture =
        landscape_texture(l->width, l->height, GL_R8, GL_RED, GL_UNSIGNED_BYTE, GL_LINEAR, GL_CLAMP_TO_EDGE);
    send(l->there_texture, 0, (part){0, 0, l->width, l->height}, l->there, l->width, GL_UNSIGNED_BYTE, 1);
    return WADI_OK;
}

static bool has_holes(const float *row, int count) {
    int any = 0;
    for (int x = 0; x < count; x++) any |= isfinite(row[x]) ? 0 : 1;
    return any != 0;
}

static wadi_status note_holes(wadi_landscape *l, part p, const float *values, int stride) {
    bool any = l->there != NULL;
    for (int y = 0; y < p.height && !any; y++) any = has_holes(&values[place(stride, 0, y)], p.width);
    if (!any) return WADI_OK;
    const wadi_status status = l->there == NULL ? begin_holes(l) : WADI_OK;
    if (status != WADI_OK) return status;
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++)
            l->there[place(l->width, p.x + x, p.y + y)] = isfinite(values[place(stride, x, y)]) ? 255 : 0;
    send(l->there_texture, 0, p, &l->there[place(l->width, p.x, p.y)], l->width, GL_UNSIGNED_BYTE, 1);
    return WADI_OK;
}

static float beside_hole(const wadi_landscape *l, int x, int y) {
    const layer *heights = &l->layers[WADI_LAYER_HEIGHT];
    float sum = 0, count = 0;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < l->height; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < l->width; i++)
            if (l->there[place(l->width, i, j)]) sum += heights->levels[0][place(l->width, i, j)], count += 1;
    return count > 0 ? sum / count : heights->low;
}

/* Returns the part that may have changed, with the holes next to it. */
static part fill_holes(wadi_landscape *l, part p) {
    if (l->there == NULL) return p;
    const int x0 = p.x > 0 ? p.x - 1 : 0, y0 = p.y > 0 ? p.y - 1 : 0;
    const int x1 = p.x + p.width < l->width ? p.x + p.width + 1 : l->width;
    const int y1 = p.y + p.height < l->height ? p.y + p.height + 1 : l->height;
    for (int y = y0; y < y1; y++)
        for (int x = x0; x < x1; x++)
            if (!l->there[place(l->width, x, y)])
                l->layers[WADI_LAYER_HEIGHT].levels[0][place(l->width, x, y)] = beside_hole(l, x, y);
    return (part){x0, y0, x1 - x0, y1 - y0};
}

/* --- ranges of squares of cells --- */

typedef struct column_ranges { /* per column, so that rows are scanned by vectors */
    float low[TILE], high[TILE];
} column_ranges;

static void widen(column_ranges *r, const float *lows, const float *highs, int count) {
    for (int x = 0; x < count; x++) r->low[x] = lows[x] < r->low[x] ? lows[x] : r->low[x];
    for (int x = 0; x < count; x++) r->high[x] = highs[x] > r->high[x] ? highs[x] : r->high[x];
}

static value_range joined(value_range a, value_range b) {
    return (value_range){b.low < a.low ? b.low : a.low, b.high > a.high ? b.high : a.high};
}

/* Holes have no heights. */
static void widen_over_holes(column_ranges *r, const float *row, const uint8_t *there, int count) {
    float lows[TILE], highs[TILE];
    for (int x = 0; x < count; x++) lows[x] = there[x] ? row[x] : INFINITY, highs[x] = there[x] ? row[x] : -INFINITY;
    widen(r, lows, highs, count);
}

/* A row of blocks, those in a tile's columns. */
static void range_blocks(wadi_landscape *l, wadi_layer which, int x, int by) {
    const int count = l->width - x < TILE ? l->width - x : TILE;
    const bool holes = which == WADI_LAYER_HEIGHT && l->there != NULL;
    column_ranges r;
    for (int i = 0; i < count; i++) r.low[i] = INFINITY, r.high[i] = -INFINITY;
    for (int y = by * PATCH; y < (by + 1) * PATCH && y < l->height; y++) {
        const size_t at = place(l->width, x, y);
        const float *row = &l->layers[which].levels[0][at];
        if (holes)
            widen_over_holes(&r, row, &l->there[at], count);
        else
            widen(&r, row, row, count);
    }
    for (int bx = 0; bx * PATCH < count; bx++) {
        value_range block = NOTHING;
        for (int i = bx * PATCH; i < (bx + 1) * PATCH && i < count; i++)
            block = joined(block, (value_range){r.low[i], r.high[i]});
        l->layers[which].blocks[place(l->blocks_x, x / PATCH + bx, by)] = block;
    }
}

static value_range range_tile(const wadi_landscape *l, const layer *layer, int tx, int ty) {
    const int blocks = TILE / PATCH;
    value_range tile = NOTHING;
    for (int by = ty * blocks; by < (ty + 1) * blocks && by < l->blocks_y; by++)
        for (int bx = tx * blocks; bx < (tx + 1) * blocks && bx < l->blocks_x; bx++)
            tile = joined(tile, layer->blocks[place(l->blocks_x, bx, by)]);
    return tile;
}

/* A few threads share the work for a large part, if a simulation leaves some. */
static int threads_for(const wadi_landscape *l, part p) {
    const int most = l->cores / 4, pieces = (int)((size_t)p.width * (size_t)p.height / (TILE * TILE));
    const int threads = pieces < most ? pieces : most;
    return threads < 1 ? 1 : threads < 4 ? threads : 4;
}

/* Stores the cleaned values of a layer, and finds the ranges of its blocks while they are in cache. */
static void take_rows(wadi_landscape *l, wadi_layer which, part p, const float *values, int stride) {
    const int first = p.y / PATCH, last = (p.y + p.height - 1) / PATCH, threads = threads_for(l, p);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int by = first; by <= last; by++) {
        const int y0 = by * PATCH > p.y ? by * PATCH : p.y;
        const int y1 = (by + 1) * PATCH < p.y + p.height ? (by + 1) * PATCH : p.y + p.height;
        for (int y = y0; y < y1; y++) {
            float *to = &l->layers[which].levels[0][place(l->width, p.x, y)];
            const float *from = &values[place(stride, 0, y - p.y)];
            for (int x = 0; x < p.width; x++) to[x] = drawn(which, from[x]);
        }
        for (int x = p.x / TILE * TILE; x < p.x + p.width; x += TILE) range_blocks(l, which, x, by);
    }
}

/* The range of a layer's values: per tile, from its blocks, and in total. */
static void range_part(wadi_landscape *l, wadi_layer which, part p) {
    layer *layer = &l->layers[which];
    for (int ty = p.y / TILE; ty <= (p.y + p.height - 1) / TILE; ty++)
        for (int tx = p.x / TILE; tx <= (p.x + p.width - 1) / TILE; tx++)
            layer->tiles[place(l->tiles_x, tx, ty)] = range_tile(l, layer, tx, ty);
    value_range all = NOTHING;
    for (int i = 0; i < l->tiles_x * l->tiles_y; i++) all = joined(all, layer->tiles[i]);
    layer->low = all.low <= all.high ? all.low : 0;
    layer->high = all.low <= all.high ? all.high : 0;
}

/* --- smaller copies, each half the one before, as OpenGL mipmaps --- */

/* The part of a smaller copy that a part of the one before makes. */
static part half_of(part p, int width, int height, int half_width, int half_height) {
    const double across = (double)half_width / width, down = (double)half_height / height;
    const int x0 = (int)fmax(floor((p.x - 0.5) * across - 0.5), 0);
    const int y0 = (int)fmax(floor((p.y - 0.5) * down - 0.5), 0);
    const int x1 = (int)fmin(ceil((p.x + p.width + 0.5) * across + 0.5), half_width);
    const int y1 = (int)fmin(ceil((p.y + p.height + 0.5) * down + 0.5), half_height);
    return (part){x0, y0, x1 - x0, y1 - y0};
}

/* Reduces two rows to one of half the width, for an even width. */
static void halve_row(const float *a, const float *b, float *to, int from, int end) {
    for (int x = from; x < end; x++) to[x] = 0.25f * ((a[2 * x] + a[2 * x + 1]) + (b[2 * x] + b[2 * x + 1]));
}

/* Interpolates in the larger copy, for an odd size. */
static void shrink_row(const float *a, const float *b, float down, float *to, int from, int end, double step,
                       int last) {
    for (int x = from; x < end; x++) {
        const double at = fmin(fmax((x + 0.5) * step - 0.5, 0), last);
        const int i = (int)at, right = i < last ? i + 1 : i;
        const float t = (float)(at - i), upper = a[i] + (a[right] - a[i]) * t, lower = b[i] + (b[right] - b[i]) * t;
        to[x] = upper + (lower - upper) * down;
    }
}

static void shrink(const float *from, int width, int height, float *to, int to_width, int to_height, part p,
                   int threads) {
    const double across = (double)width / to_width, down = (double)height / to_height;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int y = p.y; y < p.y + p.height; y++) {
        const double at = fmin(fmax((y + 0.5) * down - 0.5, 0), height - 1);
        const int j = (int)at, below = j + 1 < height ? j + 1 : j;
        const float *a = &from[place(width, 0, j)], *b = &from[place(width, 0, below)];
        float *row = &to[place(to_width, 0, y)];
        if (2 * to_width == width && 2 * to_height == height)
            halve_row(a, b, row, p.x, p.x + p.width);
        else
            shrink_row(a, b, (float)(at - j), row, p.x, p.x + p.width, across, width - 1);
    }
}

/* --- setting --- */

/* A layer that is not set is a single 0. */
void landscape_begin_layer(layer *layer) {
    const float zero = 0;
    layer->texture = landscape_texture(1, 1, GL_R32F, GL_RED, GL_FLOAT, GL_LINEAR, GL_CLAMP_TO_EDGE);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RED, GL_FLOAT, &zero);
}

void landscape_free_layer(layer *layer) {
    glDeleteTextures(1, &layer->texture);
    for (int i = 0; i < LEVELS; i++) free(layer->levels[i]);
    free(layer->tiles);
    free(layer->blocks);
    *layer = (struct layer){0};
}

/* The shapes of ground, ice and water are drawn at all distances, so they have smaller copies. */
static bool has_smaller(wadi_layer which) { return which == WADI_LAYER_HEIGHT || landscape_is_depth(which); }

static wadi_status begin_layer(wadi_landscape *l, wadi_layer which) {
    layer *layer = &l->layers[which];
    const int count = has_smaller(which) ? l->level_count : 1;
    if (layer->set) return WADI_OK;
    if (layer->tiles == NULL) layer->tiles = calloc((size_t)l->tiles_x * (size_t)l->tiles_y, sizeof *layer->tiles);
    if (layer->blocks == NULL) layer->blocks = calloc((size_t)l->blocks_x * (size_t)l->blocks_y, sizeof *layer->blocks);
    if (layer->tiles == NULL || layer->blocks == NULL) return no_memory();
    for (int i = 0; i < count; i++) {
        const size_t cells = (size_t)level_size(l->width, i) * (size_t)level_size(l->height, i);
        if (layer->levels[i] == NULL) layer->levels[i] = calloc(cells, sizeof(float));
        if (layer->levels[i] == NULL) return no_memory();
    }
    glDeleteTextures(1, &layer->texture);
    layer->texture = landscape_texture(l->width, l->height, GL_R32F, GL_RED, GL_FLOAT,
                                       count > 1 ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, count - 1);
    for (int i = 0; i < count; i++)
        glTexImage2D(GL_TEXTURE_2D, i, GL_R32F, level_size(l->width, i), level_size(l->height, i), 0, GL_RED, GL_FLOAT,
                     layer->levels[i]);
    layer->set = true;
    return WADI_OK;
}

static void send_level(const layer *layer, int level, part p, int width) {
    if (layer->from_buffer) return;
    send(layer->texture, level, p, &layer->levels[level][place(width, p.x, p.y)], width, GL_FLOAT, 4);
}

/* Small copies are uploaded whole, once per picture: a part would be hardly less. */
static bool is_small(const wadi_landscape *l, int level) {
    return level > 0 && level_size(l->width, level) <= TILE && level_size(l->height, level) <= TILE;
}

static void send_layer(wadi_landscape *l, wadi_layer which, part p) {
    layer *layer = &l->layers[which];
    for (int i = 0; i < LEVELS && layer->levels[i] != NULL; i++) {
        const int width = level_size(l->width, i), height = level_size(l->height, i);
        if (i > 0) {
            const int before_x = level_size(l->width, i - 1), before_y = level_size(l->height, i - 1);
            p = half_of(p, before_x, before_y, width, height);
            shrink(layer->levels[i - 1], before_x, before_y, layer->levels[i], width, height, p, threads_for(l, p));
        }
        if (is_small(l, i))
            layer->small_stale = true;
        else
            send_level(layer, i, p, width);
    }
}

void landscape_send_levels(wadi_landscape *l, wadi_layer which) {
    const layer *layer = &l->layers[which];
    for (int i = 0; i < LEVELS && layer->levels[i] != NULL; i++) {
        const part all = {0, 0, level_size(l->width, i), level_size(l->height, i)};
        send_level(layer, i, all, all.width);
    }
}

void landscape_send_small(wadi_landscape *l) {
    for (int k = 0; k < WADI_LAYERS; k++) {
        layer *layer = &l->layers[k];
        for (int i = 1; i < LEVELS && layer->levels[i] != NULL && layer->small_stale; i++) {
            const part all = {0, 0, level_size(l->width, i), level_size(l->height, i)};
            if (is_small(l, i)) send_level(layer, i, all, all.width);
        }
        layer->small_stale = false;
    }
}

static void note_age(age *age, bool whole) {
    if (age != NULL && *age != DUE) *age = whole ? DUE : BEHIND;
}

/* Results from whole maps: at once if the whole map was set, else when there is time. */
static void note_change(wadi_landscape *l, wadi_layer which, bool whole) {
    age *const follows[WADI_LAYERS] = {[WADI_LAYER_HEIGHT] = &l->light.age,
                                       [WADI_LAYER_WATER] = &l->deep_age,
                                       [WADI_LAYER_OVERLAY] = &l->scale_age,
                                       [WADI_LAYER_ICE] = &l->firn_age};
    note_age(follows[which], whole);
    if (which == WADI_LAYER_ICE) note_age(&l->light.age, whole); /* it casts shadows, as the ground does */
    if (which == WADI_LAYER_HEIGHT) note_age(&l->firn_age, whole);
}

static wadi_status set_part(wadi_landscape *l, wadi_layer which, part p, const float *values, int stride) {
    wadi_status status = begin_layer(l, which);
    if (status == WADI_OK && which == WADI_LAYER_HEIGHT) status = note_holes(l, p, values, stride);
    if (status != WADI_OK) return status;
    take_rows(l, which, p, values, stride);
    range_part(l, which, p);
    send_layer(l, which, which == WADI_LAYER_HEIGHT ? fill_holes(l, p) : p);
    return WADI_OK;
}

static wadi_status check_device(const wadi_landscape *l) {
    return glGetError() == GL_NO_ERROR
               ? WADI_OK
               : wadi_fail(WADI_ERROR_DEVICE, "%s: OpenGL has no room for maps of %d x %d cells",
                           (const char *)glGetString(GL_RENDERER), l->width, l->height);
}

static wadi_status check_layer(wadi_layer which) {
    if ((unsigned)which < WADI_LAYERS) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "a landscape has no layer %d", (int)which);
}

wadi_status wadi_landscape_set(wadi_landscape *l, wadi_layer which, int x, int y, int width, int height,
                               const float *values) {
    WADI_NEED(l);
    WADI_NEED(values);
    wadi_status status = check_layer(which);
    if (status != WADI_OK) return status;
    if (x < 0 || y < 0 || width < 1 || height < 1 || width > l->width - x || height > l->height - y)
        return wadi_fail(WADI_ERROR_ARGUMENT, "cells %d, %d to %d, %d are not all on a landscape of %d x %d cells", x,
                         y, x + width - 1, y + height - 1, l->width, l->height);
    const part p = {x, y, width, height};
    status = set_part(l, which, p, values, width);
    note_change(l, which, is_all(l, p));
    return status == WADI_OK ? check_device(l) : status;
}

wadi_status wadi_landscape_clear(wadi_landscape *l, wadi_layer which) {
    WADI_NEED(l);
    const wadi_status status = check_layer(which);
    if (status != WADI_OK) return status;
    if (which == WADI_LAYER_HEIGHT)
        return wadi_fail(WADI_ERROR_ARGUMENT, "the heights of a landscape cannot be taken away");
    if (!l->layers[which].set) return WADI_OK;
    landscape_free_layer(&l->layers[which]);
    landscape_begin_layer(&l->layers[which]);
    note_change(l, which, true);
    return WADI_OK;
}

/* --- setting changed tiles --- */

/* A cell without data is stored with a neighbour's height, so `there` tells whether it had data before. */
static bool row_differs(const float *from, const float *kept, const uint8_t *there, int count, wadi_layer which) {
    int differs = 0;
    if (which == WADI_LAYER_HEIGHT && there == NULL) {
        for (int x = 0; x < count; x++) differs |= !(from[x] == kept[x]);
    } else if (which == WADI_LAYER_HEIGHT) {
        for (int x = 0; x < count; x++) differs |= isfinite(from[x]) ? !there[x] || from[x] != kept[x] : there[x];
    } else {
        for (int x = 0; x < count; x++) differs |= drawn(which, from[x]) != kept[x];
    }
    return differs != 0;
}

static bool tile_differs(const wadi_landscape *l, wadi_layer which, int tx, int ty, const float *values) {
    const part p = tile_of(l, tx, ty);
    const layer *layer = &l->layers[which];
    if (!layer->set) return true;
    for (int y = p.y; y < p.y + p.height; y++) {
        const size_t at = place(l->width, p.x, y);
        const uint8_t *there = l->there != NULL ? &l->there[at] : NULL;
        if (row_differs(&values[at], &layer->levels[0][at], there, p.width, which)) return true;
    }
    return false;
}

/* The number of changed tiles in a row from this one on. They are uploaded together. */
static int count_differing(const wadi_landscape *l, wadi_layer which, int tile, int most, const float *values) {
    const int ty = tile / l->tiles_x;
    int count = 0;
    while (count < most && tile % l->tiles_x + count < l->tiles_x &&
           tile_differs(l, which, tile % l->tiles_x + count, ty, values))
        count++;
    return count;
}

int wadi_landscape_update_some(wadi_landscape *l, wadi_layer which, const float *values, int most, bool *all) {
    if (l == NULL || values == NULL || all == NULL) {
        wadi_fail(WADI_ERROR_ARGUMENT, "wadi_landscape_update: a landscape or its values are NULL");
        return -1;
    }
    *all = true;
    if (check_layer(which) != WADI_OK) return -1;
    layer *layer = &l->layers[which];
    const int tiles = l->tiles_x * l->tiles_y;
    const bool anew = !layer->set;
    int sent = 0;
    while (layer->next < tiles && sent < most) {
        const int run = count_differing(l, which, layer->next, most - sent, values);
        const int tx = layer->next % l->tiles_x, ty = layer->next / l->tiles_x;
        if (run > 0) {
            part p = tile_of(l, tx, ty);
            const part last = tile_of(l, tx + run - 1, ty);
            p.width = last.x + last.width - p.x;
            if (set_part(l, which, p, &values[place(l->width, p.x, p.y)], l->width) != WADI_OK) return -1;
        }
        sent += run;
        layer->next += run > 0 ? run : 1;
    }
    *all = layer->next >= tiles;
    if (*all) layer->next = 0;
    if (sent > 0) note_change(l, which, anew);
    return check_device(l) == WADI_OK ? sent : -1;
}

int wadi_landscape_update(wadi_landscape *l, wadi_layer which, const float *values) {
    bool all;
    if (check_layer(which) != WADI_OK) return -1;
    if (l != NULL) l->layers[which].next = 0;
    return wadi_landscape_update_some(l, which, values, l != NULL ? l->tiles_x * l->tiles_y : 0, &all);
}
