/* make.c: creates and destroys a landscape: programs, mesh, textures. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/need.h"
#include "platform/platform.h"
#include "render/landscape/landscape.h"
#include "render/palette.h"

#define NOISE 256

GLuint landscape_texture(int width, int height, GLint format, GLenum kind, GLenum type, GLint least, GLint wrap) {
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

static float unit(float v) { return v < 0 ? 0 : v > 1 ? 1 : v; }

/* Smooth periodic noise of three scales. */
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

/* Red: noise. Green: the same, seven periods in one. Blue and alpha: the gradient of red in a texel, 0.5 + 2 times. */
static void make_noise(wadi_landscape *l) {
    static float noise[NOISE][NOISE];
    static uint8_t texels[NOISE][NOISE][4];
    for (int y = 0; y < NOISE; y++)
        for (int x = 0; x < NOISE; x++) noise[y][x] = unit(0.5f + 1.4f * (noise_at(x, y) - 0.5f));
    for (int y = 0; y < NOISE; y++)
        for (int x = 0; x < NOISE; x++) {
            const float dx = noise[y][(x + 1) % NOISE] - noise[y][(x + NOISE - 1) % NOISE];
            const float dy = noise[(y + 1) % NOISE][x] - noise[(y + NOISE - 1) % NOISE][x];
            const float values[] = {noise[y][x], noise[7 * y % NOISE][7 * x % NOISE], unit(0.5f + dx), unit(0.5f + dy)};
            for (int i = 0; i < 4; i++) texels[y][x][i] = (uint8_t)(255 * values[i] + 0.5f);
        }
    l->noise = landscape_texture(NOISE, NOISE, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, GL_LINEAR_MIPMAP_LINEAR, GL_REPEAT);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, NOISE, NOISE, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
}

static wadi_status check_size(int width, int height, double lx, double ly) {
    GLint most = 0;
    if (epoxy_gl_version() < (epoxy_is_desktop_gl() ? 33 : 30))
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "OpenGL 3.3 or OpenGL ES 3 is needed; here it is %d.%d",
                         epoxy_gl_version() / 10, epoxy_gl_version() % 10);
    if (width < 2 || height < 2 || !(lx > 0) || !(ly > 0))
        return wadi_fail(WADI_ERROR_ARGUMENT, "a landscape of %d x %d cells of %g x %g m cannot be drawn", width,
                         height, lx, ly);
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
    if (width > most || height > most)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s draws grids of up to %d cells a side, not %d x %d",
                         (const char *)glGetString(GL_RENDERER), most, width, height);
    return WADI_OK;
}

static void add_corner(uint8_t **to, int x, int y, int below) {
    const uint8_t corner[] = {(uint8_t)x, (uint8_t)y, (uint8_t)below, 0};
    memcpy(*to, corner, sizeof corner);
    *to += sizeof corner;
}

static void add_triangles(uint16_t **to, int a, int b, int c, int d, bool turned) {
    const int list[] = {a, b, turned ? d : c, turned ? a : b, d, c};
    for (int i = 0; i < 6; i++) *(*to)++ = (uint16_t)list[i];
}

/* Two triangles per quad. Their diagonals meet in pairs. Then from each rim down: mesh.vert.glsl. */
static void fill_patch(uint8_t *corner, uint16_t *triangle) {
    for (int y = 0; y <= PATCH; y++)
        for (int x = 0; x <= PATCH; x++) add_corner(&corner, x, y, 0);
    for (int y = 0; y < PATCH; y++)
        for (int x = 0; x < PATCH; x++) {
            const int a = y * (PATCH + 1) + x, c = a + PATCH + 1;
            add_triangles(&triangle, a, a + 1, c, c + 1, (x + y) % 2);
        }
    for (int rim = 1; rim <= 4; rim++)
        for (int i = 0; i <= PATCH; i++) {
            const int x = rim <= 2 ? i : rim == 3 ? 0 : PATCH, y = rim > 2 ? i : rim == 1 ? 0 : PATCH;
            const int first = (PATCH + 1) * (PATCH + 1) + ((rim - 1) * (PATCH + 1) + i) * 2;
            add_corner(&corner, x, y, 0), add_corner(&corner, x, y, rim);
            if (i < PATCH) add_triangles(&triangle, first, first + 1, first + 2, first + 3, false);
        }
}

static void make_patch(wadi_landscape *l) {
    static uint8_t corners[((PATCH + 1) * (PATCH + 1) + 4 * 2 * (PATCH + 1)) * 4];
    static uint16_t triangles[PATCH_INDICES + RIM_INDICES];
    fill_patch(corners, triangles);
    glGenVertexArrays(1, &l->patch_array);
    glBindVertexArray(l->patch_array);
    glGenBuffers(1, &l->patch_vertices);
    glBindBuffer(GL_ARRAY_BUFFER, l->patch_vertices);
    glBufferData(GL_ARRAY_BUFFER, sizeof corners, corners, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
    glVertexAttribPointer(0, 3, GL_UNSIGNED_BYTE, GL_FALSE, 4, NULL);
    glGenBuffers(1, &l->patch_indices);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, l->patch_indices);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof triangles, triangles, GL_STATIC_DRAW);
    glGenBuffers(1, &l->instances);
    glBindBuffer(GL_ARRAY_BUFFER, l->instances);
    glEnableVertexAttribArray(1);
    glVertexAttribPointer(1, 3, GL_FLOAT, GL_FALSE, sizeof(patch), NULL);
    glVertexAttribDivisor(1, 1);
}

/* Without heights it is flat. */
static bool make_maps(wadi_landscape *l) {
    layer *heights = &l->layers[WADI_LAYER_HEIGHT];
    while (l->width >> l->level_count > 0 || l->height >> l->level_count > 0) l->level_count++;
    l->tiles_x = (l->width + TILE - 1) / TILE, l->tiles_y = (l->height + TILE - 1) / TILE;
    l->blocks_x = (l->width + PATCH - 1) / PATCH, l->blocks_y = (l->height + PATCH - 1) / PATCH;
    for (int i = 0; i < l->level_count; i++) {
        heights->levels[i] = calloc((size_t)level_size(l->width, i) * (size_t)level_size(l->height, i), sizeof(float));
        if (heights->levels[i] == NULL) return false;
    }
    return landscape_make_light(l);
}

static wadi_status make(wadi_landscape *l) {
    l->most_samples = landscape_most_samples();
    glGenVertexArrays(1, &l->empty_array);
    if (!make_maps(l)) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a landscape");
    make_patch(l);
    make_noise(l);
    l->light.texture = landscape_texture(l->light.width, l->light.height, GL_RG8, GL_RG, GL_UNSIGNED_BYTE, GL_LINEAR,
                                         GL_CLAMP_TO_EDGE);
    l->ramp = landscape_texture(RENDER_RAMP, 1, GL_RGB32F, GL_RGB, GL_FLOAT, GL_LINEAR, GL_CLAMP_TO_EDGE);
    for (int i = 0; i < WADI_LAYERS; i++) landscape_begin_layer(&l->layers[i]);
    return glGetError() == GL_NO_ERROR
               ? WADI_OK
               : wadi_fail(WADI_ERROR_DEVICE, "%s: OpenGL has no room for a landscape of %d x %d cells",
                           (const char *)glGetString(GL_RENDERER), l->width, l->height);
}

wadi_status wadi_landscape_create(int width, int height, double lx, double ly, wadi_landscape **landscape) {
    WADI_NEED(landscape);
    *landscape = NULL;
    wadi_status status = check_size(width, height, lx, ly);
    if (status != WADI_OK) return status;
    wadi_landscape *l = calloc(1, sizeof *l);
    if (l == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a landscape");
    *l = (wadi_landscape){.width = width, .height = height, .lx = lx, .ly = ly, .cores = platform_cores()};
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
    const GLuint buffers[] = {l->patch_vertices, l->patch_indices, l->instances};
    const GLuint arrays[] = {l->patch_array, l->empty_array};
    const GLuint textures[] = {l->noise, l->ramp, l->light.texture, l->there_texture};
    for (int i = 0; i < 8; i++) glDeleteProgram(l->places[i / 4][i / 2 % 2][i % 2]);
    for (int i = 0; i < SHADINGS; i++)
        for (int k = 0; k < FORMS * PASSES; k++) glDeleteProgram(l->colours_of[i][k / PASSES][k % PASSES]);
    for (int i = 0; i < WADI_LAYERS; i++) landscape_free_layer(&l->layers[i]);
    for (int i = 0; i < 2; i++) landscape_free_frame(&l->frames[i]);
    landscape_free_buffers(l);
    glDeleteBuffers(sizeof buffers / sizeof *buffers, buffers);
    glDeleteVertexArrays(sizeof arrays / sizeof *arrays, arrays);
    glDeleteTextures(sizeof textures / sizeof *textures, textures);
    free(l->light.map);
    free(l->light.rows);
    free(l->light.stretched);
    free(l->there);
    free(l->seen.list);
    free(l->rim.list);
    free(l);
}
