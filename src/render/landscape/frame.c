/* frame.c: the framebuffer of the first pass: the depths of ground and water in each sample of each pixel. */
#include "render/landscape/landscape.h"

static GLuint make_map(const frame *f) {
    GLuint texture;
    glGenTextures(1, &texture);
    if (f->samples > 1) {
        glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
        glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, f->samples, GL_R32F, f->width, f->height, GL_TRUE);
        return texture;
    }
    glDeleteTextures(1, &texture);
    return landscape_texture(f->width, f->height, GL_R32F, GL_RED, GL_FLOAT, GL_NEAREST, GL_CLAMP_TO_EDGE);
}

static GLuint make_depths(const frame *f, int samples) {
    GLuint buffer;
    glGenRenderbuffers(1, &buffer);
    glBindRenderbuffer(GL_RENDERBUFFER, buffer);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples > 1 ? samples : 0, GL_DEPTH24_STENCIL8, f->width,
                                     f->height);
    return buffer;
}

static bool make_framebuffer(GLuint *buffer, GLenum kind, GLuint texture, GLuint depths) {
    glGenFramebuffers(1, buffer);
    glBindFramebuffer(GL_FRAMEBUFFER, *buffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, kind, texture, 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, depths);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void landscape_free_frame(frame *f) {
    const GLuint textures[] = {f->grounds, f->surfaces, f->picture};
    const GLuint buffers[] = {f->to_grounds, f->to_surfaces, f->to_picture}, depths[] = {f->depths, f->kinds};
    glDeleteTextures(3, textures);
    glDeleteFramebuffers(3, buffers);
    glDeleteRenderbuffers(f->kinds == f->depths ? 1 : 2, depths);
    *f = (frame){0};
}

int landscape_most_samples(void) {
    if (!epoxy_is_desktop_gl()) return 1; /* OpenGL ES 3.0 has no textures of several samples */
    GLint most = 0, most_of_textures = 0;
    glGetIntegerv(GL_MAX_SAMPLES, &most);
    glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &most_of_textures);
    return most < most_of_textures ? most : most_of_textures;
}

/* Ground and water share a depth buffer, so that the ground hides water. */
bool landscape_frame(frame *f, int width, int height, int samples) {
    if (f->width == width && f->height == height && f->samples == samples) return true;
    landscape_free_frame(f);
    *f = (frame){.width = width, .height = height, .samples = samples};
    const GLenum kind = samples > 1 ? GL_TEXTURE_2D_MULTISAMPLE : GL_TEXTURE_2D;
    f->depths = make_depths(f, samples);
    f->kinds = samples > 1 ? make_depths(f, 1) : f->depths;
    f->grounds = make_map(f), f->surfaces = make_map(f);
    f->picture = landscape_texture(width, height, GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE, GL_NEAREST, GL_CLAMP_TO_EDGE);
    bool made = make_framebuffer(&f->to_picture, GL_TEXTURE_2D, f->picture, f->kinds);
    made = make_framebuffer(&f->to_surfaces, kind, f->surfaces, f->depths) && made;
    made = make_framebuffer(&f->to_grounds, kind, f->grounds, f->depths) && made;
    for (int i = 0; i < samples && samples > 1; i++) {
        GLfloat spot[2];
        glGetMultisamplefv(GL_SAMPLE_POSITION, (GLuint)i, spot);
        f->spots_x[i] = spot[0] - 0.5f, f->spots_y[i] = spot[1] - 0.5f;
    }
    if (!made) landscape_free_frame(f);
    return made;
}
