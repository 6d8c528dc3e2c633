/* view_state.c: reads and sets the view's state. */
#include "viewer/view/view_state.h"

#include <math.h>
#include <string.h>

GtkWidget *view_widget(const view *view) { return view->area; }

const wadi_camera *view_camera(const view *view) { return &view->camera; }

wadi_look *view_look(view *view) { return &view->look; }

const session_frame *view_frame(const view *view) { return view->frame; }

char *view_take_error(view *view) {
    char *text = view->says ? g_strdup(view->error) : NULL;
    view->says = false;
    return text;
}

void view_redraw(view *view) {
    view->still_since_us = g_get_monotonic_time();
    gtk_gl_area_queue_render(GTK_GL_AREA(view->area));
}

bool view_legend(view *view, wadi_legend *legend) {
    return view->landscape && view->look.overlay_name && wadi_landscape_legend(view->landscape, &view->look, legend);
}

double view_height_at(const view *view, double x, double y) {
    const session_frame *frame = view->frame;
    const int i = (int)floor(x), j = (int)floor(y);
    if (!frame || i < 0 || j < 0 || i >= frame->width || j >= frame->height) return NAN;
    return (double)frame->maps[WADI_LAYER_HEIGHT][(size_t)j * (size_t)frame->width + (size_t)i];
}

void view_say(view *view, const char *text) {
    if (view->error && strcmp(view->error, text) == 0) return;
    g_free(view->error);
    view->error = g_strdup(text);
    view->says = true;
}

void view_fail(view *view) { view_say(view, wadi_error_message()); }

int view_pixels(const view *view, bool of_height) {
    const int scale = gtk_widget_get_scale_factor(view->area);
    return scale * (of_height ? gtk_widget_get_height(view->area) : gtk_widget_get_width(view->area));
}
