/* offscreen.c: a context and a framebuffer without a window, through EGL. */
#include <epoxy/egl.h>
#include <stdlib.h>
#include <string.h>

#include "core/need.h"
#include "platform/platform.h"
#include "render/canvas.h"
#include "render/landscape/landscape.h"

struct wadi_offscreen {
    EGLDisplay display;
    EGLContext context;
    int width, height;
    GLuint frame, colour;
};

static const EGLint wanted[] = {
    EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
    EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};

static bool start(wadi_offscreen *s, EGLDisplay display) {
    static const EGLint kind[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) return false;
    s->display = display;
    s->context = EGL_NO_CONTEXT;
    if (eglBindAPI(EGL_OPENGL_API) && (eglChooseConfig(display, kind, &config, 1, &count),
                                       count > 0 || epoxy_has_egl_extension(display, "EGL_KHR_no_config_context")))
        s->context = eglCreateContext(display, config, EGL_NO_CONTEXT, wanted);
    if (s->context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, s->context))
        return true;
    if (s->context != EGL_NO_CONTEXT) eglDestroyContext(display, s->context);
    eglTerminate(display);
    return false;
}

/* A GPU if there is one, else Mesa's software renderer. */
static bool start_any(wadi_offscreen *s) {
    EGLDeviceEXT devices[16];
    EGLint count = 0;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") &&
        epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") &&
        eglQueryDevicesEXT(16, devices, &count))
        for (EGLint i = 0; i < count; i++)
            if (start(s, eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[i], NULL))) return true;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
        start(s, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, NULL, NULL)))
        return true;
    return start(s, eglGetDisplay(EGL_DEFAULT_DISPLAY));
}

static bool make_frame(wadi_offscreen *s) {
    glGenFramebuffers(1, &s->frame);
    glBindFramebuffer(GL_FRAMEBUFFER, s->frame);
    glGenRenderbuffers(1, &s->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, s->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, s->width, s->height);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, s->colour);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE && glGetError() == GL_NO_ERROR;
}

/* Without one of these, libepoxy ends the program at the first call of OpenGL, though EGL gives a context. */
static bool has_opengl(void) {
    void *library = platform_library_open("libOpenGL.so.0");
    if (library == NULL) library = platform_library_open("libGL.so.1");
    if (library != NULL) platform_library_close(library);
    return library != NULL;
}

wadi_status wadi_offscreen_open(int width, int height, wadi_offscreen **screen) {
    WADI_NEED(screen);
    *screen = NULL;
    if (width < 1 || height < 1 || width > 16384 || height > 16384)
        return wadi_fail(WADI_ERROR_ARGUMENT, "a picture has 1 to 16384 pixels a side, not %d x %d", width, height);
    wadi_offscreen *s = calloc(1, sizeof *s);
    if (s == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to draw");
    s->width = width, s->height = height;
    if (!epoxy_has_egl() || !has_opengl() || !start_any(s)) {
        free(s);
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "there is no OpenGL 3.3 without a window here: install libegl1, "
                                                 "libopengl0 and libgl1-mesa-dri, or a GPU's driver");
    }
    if (!make_frame(s)) {
        wadi_offscreen_close(s);
        return wadi_fail(WADI_ERROR_MEMORY, "OpenGL has no room for a picture of %d x %d pixels", width, height);
    }
    *screen = s;
    return WADI_OK;
}

const char *wadi_offscreen_renderer(const wadi_offscreen *s) {
    if (s == NULL) return NULL;
    (void)s;
    return (const char *)glGetString(GL_RENDERER);
}

wadi_status wadi_offscreen_read(wadi_offscreen *s, wadi_picture **picture) {
    WADI_NEED(s);
    WADI_NEED(picture);
    const size_t row = (size_t)s->width * 3;
    *picture = render_picture_create(s->width, s->height);
    uint8_t *line = malloc(row);
    if (*picture == NULL || line == NULL) {
        wadi_picture_destroy(*picture);
        *picture = NULL;
        free(line);
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a picture of %d x %d pixels", s->width, s->height);
    }
    glBindFramebuffer(GL_FRAMEBUFFER, s->frame);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, s->width, s->height, GL_RGB, GL_UNSIGNED_BYTE, (*picture)->rgb);
    for (int y = 0; y < s->height / 2; y++) { /* OpenGL's first row is the lowest */
        uint8_t *a = (*picture)->rgb + (size_t)y * row, *b = (*picture)->rgb + (size_t)(s->height - 1 - y) * row;
        memcpy(line, a, row);
        memcpy(a, b, row);
        memcpy(b, line, row);
    }
    free(line);
    return WADI_OK;
}

static EGLConfig config_of(EGLDisplay display, EGLContext context) {
    EGLint id = 0, count = 0;
    EGLConfig config = NULL;
    if (eglQueryContext(display, context, EGL_CONFIG_ID, &id) && id != 0) {
        const EGLint same[] = {EGL_CONFIG_ID, id, EGL_NONE};
        eglChooseConfig(display, same, &config, 1, &count);
    }
    return config; /* NULL: it has none */
}

wadi_status wadi_offscreen_share(wadi_offscreen **screen) {
    WADI_NEED(screen);
    *screen = NULL;
    const EGLContext current = epoxy_has_egl() ? eglGetCurrentContext() : EGL_NO_CONTEXT;
    if (current == EGL_NO_CONTEXT)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "no context of EGL's is current here that could be shared");
    wadi_offscreen *s = calloc(1, sizeof *s);
    if (s == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory to draw");
    s->display = eglGetCurrentDisplay();
    if (eglBindAPI(EGL_OPENGL_API))
        s->context = eglCreateContext(s->display, config_of(s->display, current), current, wanted);
    if (s->context != EGL_NO_CONTEXT) {
        *screen = s;
        return WADI_OK;
    }
    free(s);
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "EGL makes no context that shares with this one (error %#x)",
                     (unsigned)eglGetError());
}

wadi_status wadi_offscreen_use(wadi_offscreen *s) {
    WADI_NEED(s);
    if (eglBindAPI(EGL_OPENGL_API) && eglMakeCurrent(s->display, EGL_NO_SURFACE, EGL_NO_SURFACE, s->context))
        return WADI_OK;
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "EGL's context cannot be used in this thread (error %#x)",
                     (unsigned)eglGetError());
}

/* The display stays open: it belongs to the process, and others may use it. */
void wadi_offscreen_close(wadi_offscreen *s) {
    if (s == NULL) return;
    if (s->frame != 0) {
        glDeleteFramebuffers(1, &s->frame);
        glDeleteRenderbuffers(1, &s->colour);
    }
    if (eglGetCurrentContext() == s->context)
        eglMakeCurrent(s->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(s->display, s->context);
    free(s);
}
