/* shader.c: programs from the embedded texts. */
#include <stdlib.h>
#include <string.h>

#include "engine/gpu/codegen/source_text.h"
#include "render/landscape/landscape.h"

extern const wadi_text render_shaders[]; /* the build makes it */

static const char *text_of(const char *name) {
    for (const wadi_text *t = render_shaders; t->path != NULL; t++) {
        const char *file = strrchr(t->path, '/');
        if (strcmp(file != NULL ? file + 1 : t->path, name) == 0) return t->text;
    }
    return "";
}

static GLuint compile(GLenum kind, const char *name, const char *define) {
    const bool seen =
        kind == GL_FRAGMENT_SHADER && strcmp(name, "place.frag.glsl") != 0 && strncmp(name, "map", 3) != 0;
    const char *texts[] = {"#version 330 core\n", define, text_of("common.glsl"), seen ? text_of("seen.glsl") : "",
                           text_of(name)};
    const GLuint shader = glCreateShader(kind);
    GLint good = 0;
    char log[512] = "";
    glShaderSource(shader, sizeof texts / sizeof *texts, texts, NULL);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
    if (good) return shader;
    glGetShaderInfoLog(shader, sizeof log, NULL, log);
    log[strcspn(log, "\r\n")] = '\0';
    wadi_fail(WADI_ERROR_DEVICE, "%s: OpenGL does not take its shader %s: %s", (const char *)glGetString(GL_RENDERER),
              name, log);
    glDeleteShader(shader);
    return 0;
}

GLuint landscape_program(const char *vertex, const char *fragment, const char *define) {
    const GLuint parts[] = {compile(GL_VERTEX_SHADER, vertex, define), compile(GL_FRAGMENT_SHADER, fragment, define)};
    GLuint program = 0;
    GLint good = 0;
    if (parts[0] != 0 && parts[1] != 0) {
        program = glCreateProgram();
        for (int i = 0; i < 2; i++) glAttachShader(program, parts[i]);
        glLinkProgram(program);
        glGetProgramiv(program, GL_LINK_STATUS, &good);
        if (!good) {
            char log[512] = "";
            glGetProgramInfoLog(program, sizeof log, NULL, log);
            log[strcspn(log, "\r\n")] = '\0';
            wadi_fail(WADI_ERROR_DEVICE, "%s: OpenGL does not link its shaders %s and %s: %s",
                      (const char *)glGetString(GL_RENDERER), vertex, fragment, log);
            glDeleteProgram(program);
            program = 0;
        }
    }
    for (int i = 0; i < 2; i++) glDeleteShader(parts[i]);
    return program;
}
