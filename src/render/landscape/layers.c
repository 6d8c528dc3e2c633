/* layers.c: a landscape's maps: kept here as far as they are asked for, and on the device as textures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/landscape/landscape.h"
#include "render/palette.h"

#define NOISE 256

static GLuint make_texture(int width, int height, GLint format, GLenum kind, GLenum type, GLint least, GLint wrap) {
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, kind, type, NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, least);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
    return texture;
}

static float random_of(uint32_t x, uint32_t y) {
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return (float)((h ^ h >> 15) >> 8) / 16777216.0f;
}

/* Smooth values between random ones, of three scales, that go on at the other side. */
static float noise_at(int x, int y) {
    float sum = 0, weight = 0.55f;
    for (int size = NOISE / 16; size <= NOISE / 4; size *= 2, weight *= 0.55f) {
        const float u = (float)(x * size) / NOISE, v = (float)(y * size) / NOISE;
        const int i = (int)u, j = (int)v;
        float f = u - (float)i, g = v - (float)j;
        f = f * f * (3 - 2 * f), g = g * g * (3 - 2 * g);
        float corner[4];
        for (int k = 0; k < 4; k++)
            corner[k] =
                random_of((uint32_t)((i + k % 2) % size) + 977u * (uint32_t)size, (uint32_t)((j + k / 2) % size));
        sum += weight * ((corner[0] * (1 - f) + corner[1] * f) * (1 - g) + (corner[2] * (1 - f) + corner[3] * f) * g);
    }
    return sum / (0.55f + 0.3025f + 0.166375f);
}

static void make_noise(wadi_landscape *l) {
    static uint8_t values[NOISE * NOISE];
    for (int y = 0; y < NOISE; y++)
        for (int x = 0; x < NOISE; x++) {
            const float v = 0.5f + 1.4f * (noise_at(x, y) - 0.5f);
            values[y * NOISE + x] = (uint8_t)(255 * (v < 0 ? 0 : v > 1 ? 1 : v));
        }
    l->noise = make_texture(NOISE, NOISE, GL_R8, GL_RED, GL_UNSIGNED_BYTE, GL_LINEAR_MIPMAP_LINEAR, GL_REPEAT);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, NOISE, NOISE, GL_RED, GL_UNSIGNED_BYTE, values);
    glGenerateMipmap(GL_TEXTURE_2D);
}

static GLuint make_layer(const wadi_landscape *l, bool small_ones) {
    const GLuint texture = make_texture(l->width, l->height, GL_R32F, GL_RED, GL_FLOAT,
                                        small_ones ? GL_LINEAR_MIPMAP_LINEAR : GL_LINEAR, GL_CLAMP_TO_EDGE);
    return texture;
}

static wadi_status check_size(int width, int height, double lx, double ly) {
    GLint most = 0;
    if (epoxy_gl_version() < 33)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "OpenGL 3.3 is needed; here it is %d.%d", epoxy_gl_version() / 10,
                         epoxy_gl_version() % 10);
    if (width < 2 || height < 2 || !(lx > 0) || !(ly > 0))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a landscape of %d x %d cells of %g x %g m cannot be drawn", width,
                         height, lx, ly);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (width > most || height > most)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s draws grids of up to %d cells a side, not %d x %d",
                         (const char *)glGetString(GL_RENDERER), most, width, height);
    return WADI_OK;
}

static void make_light_map(wadi_landscape *l) {
    l->light_width = l->width, l->light_height = l->height;
    while (l->light_width > 1024 || l->light_height > 1024)
        l->light_width = (l->light_width + 1) / 2, l->light_height = (l->light_height + 1) / 2;
    l->light_map =
        make_texture(l->light_width, l->light_height, GL_RG8, GL_RG, GL_UNSIGNED_BYTE, GL_LINEAR, GL_CLAMP_TO_EDGE);
    l->light_stale = true;
    glGenFramebuffers(1, &l->light_frame);
}

/* Corners and triangles of a patch; two triangles a quad, their diagonals turned so that they meet in pairs. */
static void make_patch(wadi_landscape *l) {
    static float corners[(PATCH + 1) * (PATCH + 1) * 2];
    static uint16_t triangles[PATCH * PATCH * 6];
    for (int y = 0, at = 0; y <= PATCH; y++)
        for (int x = 0; x <= PATCH; x++) corners[at++] = (float)x, corners[at++] = (float)y;
    for (int y = 0, at = 0; y < PATCH; y++)
        for (int x = 0; x < PATCH; x++) {
            const int a = y * (PATCH + 1) + x, b = a + 1, c = a + PATCH + 1, d = c + 1;
            const int odd = (x + y) % 2, list[] = {a, b, odd ? d : c, odd ? a : b, d, c};
            for (int i = 0; i < 6; i++) triangles[at++] = (uint16_t)list[i];
        }
    glGenVertexArrays(1, &l->patch_array);
    glBindVertexArray(l->patch_array);
    glGenBuffers(1, &l->patch_vertices);
    glBindBuffer(GL_ARRAY_BUFFER, l->patch_vertices);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, NULL);
    glGenBuffers(1, &l->patch_indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, l->patch_indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof triangles, triangles, GL_STATIC_DRAW);
    glGenBuffers(1, &l->instances);
    glBindBuffer(GL_ARRAY_BUFFER, l->instances);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(patch), NULL);
    glVertexAttribDivisor(1, 1);
}

/* Once around the border, top and bottom in turn. */
static bool make_sides(wadi_landscape *l) {
    const int w = l->width - 1, h = l->height - 1;
    l->side_count = 2 * (2 * (w + h) + 1);
    float *corners = malloc((size_t)l->side_count * 3 * sizeof *corners), *at = corners;
    if (corners == NULL) return false;
    for (int i = 0; i <= 2 * (w + h); i++) {
        const int x = i < w ? i : i < w + h ? w : i < 2 * w + h ? 2 * w + h - i : 0;
        const int y = i < w ? 0 : i < w + h ? i - w : i < 2 * w + h ? h : 2 * (w + h) - i;
        for (int top = 1; top >= 0; top--) *at++ = (float)x, *at++ = (float)y, *at++ = (float)top;
    }
    glGenVertexArrays(1, &l->side_array);
    glBindVertexArray(l->side_array);
    glGenBuffers(1, &l->side_vertices);
    glBindBuffer(GL_ARRAY_BUFFER, l->side_vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)l->side_count * 3 * sizeof *corners), corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    free(corners);
    return true;
}

static wadi_status make(wadi_landscape *l) {
    const struct {
        GLuint *program;
        const char *vertex, *fragment, *define;
    } programs[] = {{&l->terrain, "mesh.vert.glsl", "terrain.frag.glsl", ""},
                    {&l->water_program, "mesh.vert.glsl", "water.frag.glsl", "#define SURFACE\n"},
                    {&l->side, "side.vert.glsl", "side.frag.glsl", ""},
                    {&l->sky, "whole.vert.glsl", "sky.frag.glsl", ""},
                    {&l->light, "whole.vert.glsl", "light.frag.glsl", ""}};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        *programs[i].program = landscape_program(programs[i].vertex, programs[i].fragment, programs[i].define);
        if (*programs[i].program == 0) return WADI_ERROR_DEVICE;
    }
    l->blocks_x = (l->width + PATCH - 1) / PATCH, l->blocks_y = (l->height + PATCH - 1) / PATCH;
    l->heights = calloc((size_t)l->width * (size_t)l->height, sizeof *l->heights);
    l->blocks = calloc((size_t)l->blocks_x * (size_t)l->blocks_y, sizeof *l->blocks);
    glGenVertexArrays(1, &l->empty_array);
    if (l->heights == NULL || l->blocks == NULL || !make_sides(l))
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a landscape");
    make_patch(l);
    make_noise(l);
    make_light_map(l);
    l->ramp = make_texture(RENDER_RAMP, 1, GL_RGB32F, GL_RGB, GL_FLOAT, GL_LINEAR, GL_CLAMP_TO_EDGE);
    for (int i = 0; i < WADI_LAYERS; i++) { /* one that is not set is a single 0 */
        const float zero = 0;
        l->layers[i].texture = make_texture(1, 1, GL_R32F, GL_RED, GL_FLOAT, GL_LINEAR, GL_CLAMP_TO_EDGE);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, GL_RED, GL_FLOAT, &zero);
    }
    return glGetError() == GL_NO_ERROR
               ? WADI_OK
               : wadi_fail(WADI_ERROR_DEVICE, "%s: OpenGL has no room for a landscape of %d x %d cells",
                           (const char *)glGetString(GL_RENDERER), l->width, l->height);
}

wadi_status wadi_landscape_create(int width, int height, double lx, double ly, wadi_landscape **landscape) {
    *landscape = NULL;
    wadi_status status = check_size(width, height, lx, ly);
    if (status != WADI_OK) return status;
    wadi_landscape *l = calloc(1, sizeof *l);
    if (l == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a landscape");
    *l = (wadi_landscape){.width = width, .height = height, .lx = lx, .ly = ly};
    while (glGetError() != GL_NO_ERROR) {
    } /* another's */
    status = make(l);
    if (status == WADI_OK)
        *landscape = l;
    else
        wadi_landscape_destroy(l);
    return status;
}

void wadi_landscape_destroy(wadi_landscape *l) {
    if (l == NULL) return;
    const GLuint programs[] = {l->terrain, l->water_program, l->side, l->sky, l->light};
    const GLuint buffers[] = {l->patch_vertices, l->patch_indices, l->instances, l->side_vertices};
    const GLuint arrays[] = {l->patch_array, l->side_array, l->empty_array};
    const GLuint textures[] = {l->noise, l->ramp, l->light_map, l->there_texture};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) glDeleteProgram(programs[i]);
    for (int i = 0; i < WADI_LAYERS; i++) glDeleteTextures(1, &l->layers[i].texture);
    glDeleteBuffers(sizeof buffers / sizeof *buffers, buffers);
    glDeleteVertexArrays(sizeof arrays / sizeof *arrays, arrays);
    glDeleteTextures(sizeof textures / sizeof *textures, textures);
    glDeleteFramebuffers(1, &l->light_frame);
    free(l->heights);
    free(l->water);
    free(l->overlay);
    free(l->there);
    free(l->blocks);
    free(l->seen.list);
    free(l);
}

/* --- setting --- */

typedef struct part {
    int x, y, width, height;
} part;

static void widen(layer *layer, const float *values, size_t count, bool anew) {
    float low = anew ? INFINITY : layer->low, high = anew ? -INFINITY : layer->high;
    for (size_t i = 0; i < count; i++)
        if (isfinite(values[i])) {
            low = values[i] < low ? values[i] : low;
            high = values[i] > high ? values[i] : high;
        }
    layer->low = low <= high ? low : 0;
    layer->high = low <= high ? high : 0;
}

/* Cells without data are drawn nowhere, but lie beside some that are: they get the height of one of those. */
static wadi_status note_holes(wadi_landscape *l, part p, const float *values) {
    const size_t count = (size_t)p.width * (size_t)p.height, cells = (size_t)l->width * (size_t)l->height;
    size_t holes = 0;
    for (size_t i = 0; i < count; i++) holes += isfinite(values[i]) ? 0u : 1u;
    if (holes == 0 && l->there == NULL) return WADI_OK;
    if (l->there == NULL) {
        l->there = malloc(cells);
        if (l->there == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a landscape");
        memset(l->there, 255, cells);
        l->there_texture =
            make_texture(l->width, l->height, GL_R8, GL_RED, GL_UNSIGNED_BYTE, GL_LINEAR, GL_CLAMP_TO_EDGE);
    }
    for (int y = 0; y < p.height; y++)
        for (int x = 0; x < p.width; x++)
            l->there[(size_t)(p.y + y) * (size_t)l->width + (size_t)(p.x + x)] =
                isfinite(values[(size_t)y * (size_t)p.width + (size_t)x]) ? 255 : 0;
    glBindTexture(GL_TEXTURE_2D, l->there_texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, l->width, l->height, GL_RED, GL_UNSIGNED_BYTE, l->there);
    return WADI_OK;
}

static float beside_hole(const wadi_landscape *l, int x, int y) {
    float sum = 0, count = 0;
    for (int j = y > 0 ? y - 1 : 0; j <= y + 1 && j < l->height; j++)
        for (int i = x > 0 ? x - 1 : 0; i <= x + 1 && i < l->width; i++) {
            const size_t at = (size_t)j * (size_t)l->width + (size_t)i;
            if (l->there[at]) sum += l->heights[at], count += 1;
        }
    return count > 0 ? sum / count : l->layers[WADI_LAYER_HEIGHT].low;
}

static void fill_holes(wadi_landscape *l) {
    for (int y = 0; y < l->height && l->there != NULL; y++)
        for (int x = 0; x < l->width; x++) {
            const size_t at = (size_t)y * (size_t)l->width + (size_t)x;
            if (!l->there[at]) l->heights[at] = beside_hole(l, x, y);
        }
}

/* A patch reaches one cell into the next block. */
static void range_blocks(wadi_landscape *l, part p) {
    for (int by = p.y > 0 ? (p.y - 1) / PATCH : 0; by <= (p.y + p.height - 1) / PATCH; by++)
        for (int bx = p.x > 0 ? (p.x - 1) / PATCH : 0; bx <= (p.x + p.width - 1) / PATCH; bx++) {
            block_range r = {INFINITY, -INFINITY};
            for (int y = by * PATCH; y <= (by + 1) * PATCH && y < l->height; y++)
                for (int x = bx * PATCH; x <= (bx + 1) * PATCH && x < l->width; x++) {
                    const size_t at = (size_t)y * (size_t)l->width + (size_t)x;
                    const float b = l->heights[at], top = b + (l->water != NULL ? l->water[at] : 0);
                    r.low = b < r.low ? b : r.low;
                    r.high = top > r.high ? top : r.high;
                }
            l->blocks[(size_t)by * (size_t)l->blocks_x + (size_t)bx] = r;
        }
}

static void keep(float *all, const wadi_landscape *l, part p, const float *values) {
    for (int y = 0; y < p.height; y++)
        memcpy(&all[(size_t)(p.y + y) * (size_t)l->width + (size_t)p.x], &values[(size_t)y * (size_t)p.width],
               (size_t)p.width * sizeof *values);
}

/* Heights and water are drawn at all distances, so they have smaller copies of themselves. */
static void send(wadi_landscape *l, wadi_layer which, part p, const float *values, int row) {
    layer *layer = &l->layers[which];
    const bool small_ones = which == WADI_LAYER_HEIGHT || which == WADI_LAYER_WATER;
    if (!layer->set) {
        glDeleteTextures(1, &layer->texture);
        layer->texture = make_layer(l, small_ones);
        if (p.width < l->width || p.height < l->height) {
            float *zeros = calloc((size_t)l->width * (size_t)l->height, sizeof *zeros);
            if (zeros != NULL) glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, l->width, l->height, GL_RED, GL_FLOAT, zeros);
            free(zeros);
        }
        layer->set = true;
    }
    glBindTexture(GL_TEXTURE_2D, layer->texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, row);
    glTexSubImage2D(GL_TEXTURE_2D, 0, p.x, p.y, p.width, p.height, GL_RED, GL_FLOAT, values);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    if (small_ones) glGenerateMipmap(GL_TEXTURE_2D);
}

static wadi_status set_heights(wadi_landscape *l, part p, const float *values) {
    const wadi_status status = note_holes(l, p, values);
    if (status != WADI_OK) return status;
    keep(l->heights, l, p, values);
    fill_holes(l);
    range_blocks(l, p);
    l->light_stale = true;
    if (l->there != NULL) { /* holes beside the part changed too */
        const part all = {0, 0, l->width, l->height};
        send(l, WADI_LAYER_HEIGHT, all, l->heights, l->width);
    } else {
        send(l, WADI_LAYER_HEIGHT, p, values, p.width);
    }
    return WADI_OK;
}

static wadi_status set_water(wadi_landscape *l, part p, const float *values) {
    if (l->water == NULL) l->water = calloc((size_t)l->width * (size_t)l->height, sizeof *l->water);
    if (l->water == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a landscape");
    keep(l->water, l, p, values);
    for (int y = p.y; y < p.y + p.height; y++)
        for (int x = p.x; x < p.x + p.width; x++) {
            float *d = &l->water[(size_t)y * (size_t)l->width + (size_t)x];
            if (!(*d > 0)) *d = 0; /* where there is no data too */
        }
    range_blocks(l, p);
    l->deep_m = 0;
    send(l, WADI_LAYER_WATER, p, &l->water[(size_t)p.y * (size_t)l->width + (size_t)p.x], l->width);
    return WADI_OK;
}

static wadi_status set_other(wadi_landscape *l, wadi_layer which, part p, const float *values) {
    const size_t count = (size_t)p.width * (size_t)p.height;
    float *finite = malloc(count * sizeof *finite);
    if (finite == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a landscape");
    for (size_t i = 0; i < count; i++) finite[i] = isfinite(values[i]) ? values[i] : 0;
    send(l, which, p, finite, p.width);
    if (which == WADI_LAYER_OVERLAY && l->overlay == NULL)
        l->overlay = calloc((size_t)l->width * (size_t)l->height, sizeof *l->overlay);
    if (which == WADI_LAYER_OVERLAY && l->overlay != NULL) keep(l->overlay, l, p, finite);
    if (which == WADI_LAYER_OVERLAY) l->scaled[0] = '\0';
    free(finite);
    return WADI_OK;
}

wadi_status wadi_landscape_set(wadi_landscape *l, wadi_layer which, int x, int y, int width, int height,
                               const float *values) {
    if ((unsigned)which >= WADI_LAYERS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a landscape has no layer %d", (int)which);
    if (x < 0 || y < 0 || width < 1 || height < 1 || width > l->width - x || height > l->height - y)
        return wadi_fail(WADI_ERROR_ARGUMENT, "cells %d, %d to %d, %d are not all on a landscape of %d x %d cells", x,
                         y, x + width - 1, y + height - 1, l->width, l->height);
    const part p = {x, y, width, height};
    widen(&l->layers[which], values, (size_t)width * (size_t)height,
          !l->layers[which].set || (width == l->width && height == l->height));
    const wadi_status status = which == WADI_LAYER_HEIGHT  ? set_heights(l, p, values)
                               : which == WADI_LAYER_WATER ? set_water(l, p, values)
                                                           : set_other(l, which, p, values);
    if (status != WADI_OK) return status;
    return glGetError() == GL_NO_ERROR
               ? WADI_OK
               : wadi_fail(WADI_ERROR_DEVICE, "%s: OpenGL has no room for maps of %d x %d cells",
                           (const char *)glGetString(GL_RENDERER), l->width, l->height);
}
