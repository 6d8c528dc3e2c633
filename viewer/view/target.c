/* target.c: OpenGL frame buffers of the view. */
#include "viewer/view/target.h"

#include <epoxy/gl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void view_free_target(view_target *target) {
    glDeleteFramebuffers(1, &target->frame);
    glDeleteRenderbuffers(1, &target->colour);
    *target = (view_target){0};
}

static void fit_target(view_target *target, int width, int height) {
    if (target->width == width && target->height == height) return;
    if (target->frame) view_free_target(target);
    *target = (view_target){.width = width, .height = height};
    glGenFramebuffers(1, &target->frame);
    glGenRenderbuffers(1, &target->colour);
    glBindRenderbuffer(GL_RENDERBUFFER, target->colour);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, target->frame);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, target->colour);
}

void view_draw_into(view *view, int width, int height, double share, int window_frame) {
    const int w = (int)fmax(1, width * share), h = (int)fmax(1, height * share);
    if (share < 1) {
        fit_target(&view->target, w, h);
        glBindFramebuffer(GL_FRAMEBUFFER, view->target.frame);
    }
    if (wadi_landscape_draw(view->landscape, &view->camera, &view->look, w, h) != WADI_OK) view_fail(view);
    if (share >= 1) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, view->target.frame);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)window_frame);
    glBlitFramebuffer(0, 0, w, h, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_LINEAR);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)window_frame);
}

static void read_back(int width, int height, wadi_picture **picture) {
    const size_t row = (size_t)width * 3;
    *picture = calloc(1, sizeof **picture);
    uint8_t *rgb = malloc(row * (size_t)height), *turned = malloc(row * (size_t)height);
    if (!*picture || !rgb || !turned) {
        free(*picture);
        free(rgb);
        free(turned);
        *picture = NULL;
        return;
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, turned);
    for (int y = 0; y < height; y++) memcpy(rgb + (size_t)y * row, turned + (size_t)(height - 1 - y) * row, row);
    free(turned);
    **picture = (wadi_picture){width, height, rgb};
}

bool view_grab(view *view, int width, int height, wadi_picture **picture) {
    *picture = NULL;
    if (!view->landscape || !gtk_widget_get_realized(view->area)) return false;
    gtk_gl_area_make_current(GTK_GL_AREA(view->area));
    view_target own = {0};
    wadi_look look = view->look;
    look.ring_radius_m = 0;
    look.quality = 1;
    fit_target(&own, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, own.frame);
    const wadi_status status = wadi_landscape_draw(view->landscape, &view->camera, &look, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, own.frame);
    if (status == WADI_OK) read_back(width, height, picture);
    view_free_target(&own);
    if (*picture && look.overlay_name) wadi_landscape_decorate(view->landscape, &look, *picture);
    return *picture != NULL;
}
