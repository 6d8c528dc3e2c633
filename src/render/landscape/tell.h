/* tell.h (internal): sets uniforms of the current program. */
#ifndef RENDER_LANDSCAPE_TELL_H
#define RENDER_LANDSCAPE_TELL_H

#include "render/landscape/landscape.h"

static inline GLint place_of(GLuint program, const char *name) { return glGetUniformLocation(program, name); }
static inline void tell1(GLuint program, const char *name, double v) { glUniform1f(place_of(program, name), (float)v); }
static inline void tell2(GLuint program, const char *name, double x, double y) {
    glUniform2f(place_of(program, name), (float)x, (float)y);
}
static inline void tell3(GLuint program, const char *name, vec3 v) {
    glUniform3f(place_of(program, name), (float)v.x, (float)v.y, (float)v.z);
}
static inline void tell4(GLuint program, const char *name, double x, double y, double z, double w) {
    glUniform4f(place_of(program, name), (float)x, (float)y, (float)z, (float)w);
}
static inline void tell_count(GLuint program, const char *name, int v) { glUniform1i(place_of(program, name), v); }
static inline void tell_if(GLuint program, const char *name, bool v) { glUniform1i(place_of(program, name), v); }
static inline void tell_map_of(GLuint program, const char *name, int unit, GLenum kind, GLuint texture) {
    glActiveTexture(GL_TEXTURE0 + (GLenum)unit);
    glBindTexture(kind, texture);
    glUniform1i(place_of(program, name), unit);
}
static inline void tell_map(GLuint program, const char *name, int unit, GLuint texture) {
    tell_map_of(program, name, unit, GL_TEXTURE_2D, texture);
}

#endif
