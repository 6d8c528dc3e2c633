/* view.c: makes the view, and draws a picture when something has changed. */
#include "viewer/view/view.h"

#include "viewer/view/camera.h"
#include "viewer/view/pointer.h"
#include "viewer/view/rate.h"
#include "viewer/view/target.h"
#include "viewer/view/upload.h"

#include <epoxy/gl.h>
#include <math.h>
#include <string.h>

void view_free(view *view) {
    g_free(view->error);
    g_free(view);
}

static void draw(view *view, GLint window_frame, gint64 start_us) {
    const int rung = view_rung_now(view);
    const view_rung how = view_rung_of(rung);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)window_frame);
    view->look.quality = how.quality;
    view_draw_into(view, view_pixels(view, false), view_pixels(view, true), how.share, window_frame);
    glFinish();
    view_drawn(view, rung, start_us);
}

static gboolean render(GtkGLArea *area, GdkGLContext *context, gpointer user) {
    view *view = user;
    (void)area, (void)context;
    const gint64 start_us = g_get_monotonic_time();
    GLint window_frame = 0;
    view_news news = {0};
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &window_frame);
    glViewport(0, 0, view_pixels(view, false), view_pixels(view, true));
    glClearColor(0.16f, 0.17f, 0.19f, 1);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    if (!view_take_maps(view, &news)) return TRUE;
    draw(view, window_frame, start_us);
    if (news.taken) gpu_maps_done(session_gpu_maps(view->session));
    if (news.arrived || news.taken) view->calls.framed(view->user, view->by_gpu ? news.taken : news.arrived);
    return TRUE;
}

static bool wants_picture(const view *view) {
    const bool settled = !view->landscape || wadi_landscape_settled(view->landscape, &view->look);
    return view_has_maps_to_send(view) || !settled || session_has_frame(view->session) ||
           gpu_maps_wait(session_gpu_maps(view->session)) || (view->rough && view_is_still(view));
}

static gboolean tick(GtkWidget *widget, GdkFrameClock *clock, gpointer user) {
    view *view = user;
    (void)widget, (void)clock;
    const gint64 now = g_get_monotonic_time();
    const double seconds = 1e-6 * (double)(now - view->last_tick_us);
    view->last_tick_us = now;
    view_fly_on(view, fmin(fmax(seconds, 0), 0.1));
    view_hold(view, now - view->pressed_us);
    if (wants_picture(view)) gtk_gl_area_queue_render(GTK_GL_AREA(view->area));
    return G_SOURCE_CONTINUE;
}

static void realized(GtkWidget *widget, gpointer user) {
    view *view = user;
    gtk_gl_area_make_current(GTK_GL_AREA(widget));
    const GError *error = gtk_gl_area_get_error(GTK_GL_AREA(widget));
    if (error) {
        view_say(view, error->message);
        return;
    }
    const char *renderer = (const char *)glGetString(GL_RENDERER);
    const bool software = strstr(renderer, "llvmpipe") || strstr(renderer, "softpipe") || strstr(renderer, "SWR");
    view->rung = software ? 2 : 0; /* the first rung */
    /* A software renderer needs no buffers. Tests use them there nevertheless. */
    if (!software || g_getenv("WADI_VIEW_BUFFERS")) gpu_maps_begin(session_gpu_maps(view->session));
}

static void unrealized(GtkWidget *widget, gpointer user) {
    view *view = user;
    gtk_gl_area_make_current(GTK_GL_AREA(widget));
    if (gtk_gl_area_get_error(GTK_GL_AREA(widget))) return;
    view_free_target(&view->target);
    wadi_landscape_destroy(view->landscape);
    view->landscape = NULL;
}

static void resized(GtkGLArea *area, int width, int height, gpointer user) {
    (void)area, (void)width, (void)height;
    view_fit_again(user);
}

view *view_new(session *session, const view_calls *calls, void *user) {
    view *view = g_new0(struct view, 1);
    view->session = session, view->calls = *calls, view->user = user;
    view->look = wadi_default_look();
    view->pointer.x = -1, view->layer = WADI_LAYERS;
    view->area = gtk_gl_area_new();
    gtk_gl_area_set_required_version(GTK_GL_AREA(view->area), 3, 3);
    gtk_gl_area_set_auto_render(GTK_GL_AREA(view->area), FALSE);
    gtk_widget_set_hexpand(view->area, TRUE);
    gtk_widget_set_vexpand(view->area, TRUE);
    gtk_widget_set_focusable(view->area, TRUE);
    gtk_widget_set_size_request(view->area, 240, 180);
    gtk_accessible_update_property(GTK_ACCESSIBLE(view->area), GTK_ACCESSIBLE_PROPERTY_LABEL, "Terrain", -1);
    g_signal_connect(view->area, "render", G_CALLBACK(render), view);
    g_signal_connect(view->area, "resize", G_CALLBACK(resized), view);
    g_signal_connect(view->area, "realize", G_CALLBACK(realized), view);
    g_signal_connect(view->area, "unrealize", G_CALLBACK(unrealized), view);
    view_listen(view);
    gtk_widget_add_tick_callback(view->area, tick, view, NULL);
    return view;
}
