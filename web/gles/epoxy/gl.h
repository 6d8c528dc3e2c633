/* gl.h: libepoxy's names over WebGL 2, which is OpenGL ES 3.0. The landscape also names some of desktop OpenGL's calls.
 * It makes them for several samples a pixel and for buffers of a GPU's simulation alone, neither of which is here. */
#ifndef WADI_WEB_EPOXY_GL_H
#define WADI_WEB_EPOXY_GL_H

#include <GLES3/gl3.h>
#include <stdbool.h>

#define GL_TEXTURE_2D_MULTISAMPLE 0x9100
#define GL_MAX_COLOR_TEXTURE_SAMPLES 0x910E
#define GL_SAMPLE_POSITION 0x8E50
#define GL_TEXTURE_BUFFER 0x8C2A
#define GL_MAX_TEXTURE_BUFFER_SIZE 0x8C2B

static inline int epoxy_gl_version(void) { return 30; }
static inline bool epoxy_is_desktop_gl(void) { return false; }
static inline void glTexImage2DMultisample(GLenum target, GLsizei samples, GLenum format, GLsizei width, GLsizei height,
                                           GLboolean fixed) {
    (void)target, (void)samples, (void)format, (void)width, (void)height, (void)fixed;
}
static inline void glGetMultisamplefv(GLenum name, GLuint index, GLfloat *spot) {
    (void)name, (void)index, spot[0] = spot[1] = 0.5f;
}
static inline void glTexBuffer(GLenum target, GLenum format, GLuint buffer) {
    (void)target, (void)format, (void)buffer;
}

#endif
