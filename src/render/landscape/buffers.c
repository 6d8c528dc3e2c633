/* buffers.c: draws maps from OpenGL buffers. The device does what layers.c does on the CPU. */
#include "core/need.h"
#include "render/landscape/landscape.h"
#include "render/landscape/tell.h"

static wadi_status make_programs(wadi_landscape *l) {
    if (l->map_programs[0] == 0) l->map_programs[0] = landscape_program("map.vert.glsl", "map.frag.glsl", "");
    if (l->map_programs[1] == 0) l->map_programs[1] = landscape_program("map.vert.glsl", "map_smaller.frag.glsl", "");
    if (l->map_frame == 0) glGenFramebuffers(1, &l->map_frame);
    if (l->map_buffer == 0) glGenTextures(1, &l->map_buffer);
    return l->map_programs[0] != 0 && l->map_programs[1] != 0 ? WADI_OK : WADI_ERROR_DEVICE;
}

static void fill_level(const wadi_landscape *l, const layer *layer, int level) {
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, layer->texture, level);
    glViewport(0, 0, level_size(l->width, level), level_size(l->height, level));
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

static void fill_from_buffer(const wadi_landscape *l, wadi_layer which, GLuint buffer) {
    const GLuint program = l->map_programs[0];
    glUseProgram(program);
    tell_map_of(program, "map", 0, GL_TEXTURE_BUFFER, l->map_buffer);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, buffer);
    glUniform2i(place_of(program, "size"), l->width, l->height);
    tell_if(program, "ground", which == WADI_LAYER_HEIGHT);
    tell_if(program, "depth", landscape_is_depth(which));
    tell1(program, "lowest", (double)l->layers[WADI_LAYER_HEIGHT].low);
    fill_level(l, &l->layers[which], 0);
    glBindTexture(GL_TEXTURE_BUFFER, 0);
}

/* Each level reads only the one before, so that none is read while it is written. */
static void fill_smaller(const wadi_landscape *l, const layer *layer) {
    const GLuint program = l->map_programs[1];
    glUseProgram(program);
    tell_map(program, "larger", 0, layer->texture);
    int level = 1;
    for (; level < LEVELS && layer->levels[level] != NULL; level++) {
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, level - 1);
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, level - 1);
        tell2(program, "size", level_size(l->width, level), level_size(l->height, level));
        fill_level(l, layer, level);
    }
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_BASE_LEVEL, 0);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, level - 1);
}

static void fill_layer(wadi_landscape *l, wadi_layer which, GLuint buffer) {
    GLint frame = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &frame);
    glBindFramebuffer(GL_FRAMEBUFFER, l->map_frame);
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBindVertexArray(l->empty_array);
    fill_from_buffer(l, which, buffer);
    fill_smaller(l, &l->layers[which]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    glBindVertexArray(0);
    glUseProgram(0);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)frame);
}

static wadi_status check(const wadi_landscape *l, wadi_layer which, unsigned buffer) {
    GLint most = 0;
    glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
    if ((unsigned)which >= WADI_LAYERS || !l->layers[which].set)
        return wadi_fail(WADI_ERROR_ARGUMENT, "layer %d of a landscape is to be set once before", (int)which);
    if (buffer != 0 && (int64_t)l->width * l->height > most)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s draws buffers of up to %d cells, not %d x %d",
                         (const char *)glGetString(GL_RENDERER), most, l->width, l->height);
    return WADI_OK;
}

wadi_status wadi_landscape_set_buffer(wadi_landscape *l, wadi_layer which, unsigned buffer) {
    WADI_NEED(l);
    wadi_status status = check(l, which, buffer);
    if (status == WADI_OK && buffer != 0) status = make_programs(l);
    if (status != WADI_OK) return status;
    layer *layer = &l->layers[which];
    const bool was = layer->from_buffer;
    if (buffer != 0) fill_layer(l, which, buffer);
    const GLenum error = glGetError();
    layer->from_buffer = buffer != 0 && error == GL_NO_ERROR;
    if (was && !layer->from_buffer) landscape_send_levels(l, which);
    if (error == GL_NO_ERROR) return WADI_OK;
    return wadi_fail(WADI_ERROR_DEVICE, "%s: a buffer of %d x %d cells was not drawn (OpenGL error %#x)",
                     (const char *)glGetString(GL_RENDERER), l->width, l->height, error);
}

void landscape_free_buffers(wadi_landscape *l) {
    for (int i = 0; i < 2; i++) glDeleteProgram(l->map_programs[i]);
    if (l->map_frame != 0) glDeleteFramebuffers(1, &l->map_frame);
    if (l->map_buffer != 0) glDeleteTextures(1, &l->map_buffer);
}
