/* pointer.c: the right and the middle button move the camera; the left one belongs to the owner of the view. */
#include "viewer/view/pointer.h"

#include "viewer/view/camera.h"

#include <math.h>

const view_pointer *view_get_pointer(const view *view) { return &view->pointer; }

static bool pick(view *view, double x, double y, double *cell_x, double *cell_y) {
    const int scale = gtk_widget_get_scale_factor(view->area);
    if (!view->landscape || !view->frame || x < 0) return false;
    return wadi_landscape_pick(view->landscape, &view->camera, &view->look, view_pixels(view, false),
                               view_pixels(view, true), x * scale, y * scale, cell_x, cell_y);
}

void view_point(view *view) {
    view_pointer *pointer = &view->pointer;
    pointer->over = pick(view, pointer->x, pointer->y, &pointer->over_x, &pointer->over_y);
    view->calls.pointed(view->user);
}

void view_hold(view *view, gint64 held_us) {
    if (view->pointer.pressed && view->pointer.button == 1) view->calls.held(view->user, held_us);
}

static void note_modifiers(view *view, GtkEventController *controller) {
    const GdkModifierType state = gtk_event_controller_get_current_event_state(controller);
    view->pointer.shift = (state & GDK_SHIFT_MASK) != 0;
    view->pointer.control = (state & GDK_CONTROL_MASK) != 0;
}

static void pressed(GtkGestureClick *click, int presses, double x, double y, gpointer user) {
    view *view = user;
    view_pointer *pointer = &view->pointer;
    (void)presses;
    note_modifiers(view, GTK_EVENT_CONTROLLER(click));
    gtk_widget_grab_focus(view->area);
    pointer->button = (int)gtk_gesture_single_get_current_button(GTK_GESTURE_SINGLE(click));
    pointer->pressed = true;
    pointer->drag_x = pointer->x = x, pointer->drag_y = pointer->y = y;
    view->drag_camera = view->camera;
    view_point(view);
    if (pointer->button != 1) return;
    view->pressed_us = g_get_monotonic_time();
    view->pressed_ms = gtk_event_controller_get_current_event_time(GTK_EVENT_CONTROLLER(click));
    view->calls.pressed(view->user);
    view_redraw(view);
}

static void released(GtkGestureClick *click, int presses, double x, double y, gpointer user) {
    view *view = user;
    (void)presses, (void)x, (void)y;
    /* Both events may come at once after the window was busy. The display's time stamps say how long the button was
     * held. */
    const guint32 ms = gtk_event_controller_get_current_event_time(GTK_EVENT_CONTROLLER(click));
    if (ms && view->pressed_ms && ms - view->pressed_ms < 10000)
        view_hold(view, 1000 * (gint64)(ms - view->pressed_ms));
    view->pointer.pressed = false;
    view->calls.released(view->user);
    view_redraw(view);
}

/* For example, a dialog has opened in the meantime. */
static void cancelled(GtkGesture *gesture, GdkEventSequence *sequence, gpointer user) {
    (void)sequence;
    released(GTK_GESTURE_CLICK(gesture), 0, 0, 0, user);
}

static void moved(GtkEventControllerMotion *motion, double x, double y, gpointer user) {
    view *view = user;
    view_pointer *pointer = &view->pointer;
    note_modifiers(view, GTK_EVENT_CONTROLLER(motion));
    pointer->x = x, pointer->y = y;
    view_point(view);
    if (pointer->pressed && pointer->button != 1) view_drag_camera(view, pointer->button == 2 || pointer->shift);
    if (pointer->pressed && pointer->button == 1) view->calls.dragged(view->user);
    view_redraw(view);
}

static void left(GtkEventControllerMotion *motion, gpointer user) {
    view *view = user;
    (void)motion;
    view->pointer.x = -1;
    view->look.ring_radius_m = 0;
    view_redraw(view);
}

static gboolean scrolled(GtkEventControllerScroll *scroll, double dx, double dy, gpointer user) {
    view *view = user;
    (void)dx;
    note_modifiers(view, GTK_EVENT_CONTROLLER(scroll));
    if (view->pointer.control) {
        view->calls.scrolled(view->user, dy);
        view_point(view);
        return TRUE;
    }
    view_zoom_to_pointer(view, pow(1.15, dy));
    return TRUE;
}

static gboolean key_pressed(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                            gpointer user) {
    view *view = user;
    (void)controller, (void)code;
    view->pointer.shift = (state & GDK_SHIFT_MASK) != 0;
    if (!view->fly || state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) return FALSE;
    return view_fly_key(view, key, true);
}

static void key_released(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                         gpointer user) {
    (void)controller, (void)code, (void)state;
    view_fly_key(user, key, false);
}

void view_listen(view *view) {
    GtkGesture *click = gtk_gesture_click_new();
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(click), 0);
    g_signal_connect(click, "pressed", G_CALLBACK(pressed), view);
    g_signal_connect(click, "released", G_CALLBACK(released), view);
    g_signal_connect(click, "cancel", G_CALLBACK(cancelled), view);
    gtk_widget_add_controller(view->area, GTK_EVENT_CONTROLLER(click));
    GtkEventController *motion = gtk_event_controller_motion_new();
    g_signal_connect(motion, "motion", G_CALLBACK(moved), view);
    g_signal_connect(motion, "leave", G_CALLBACK(left), view);
    gtk_widget_add_controller(view->area, motion);
    GtkEventController *scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
    g_signal_connect(scroll, "scroll", G_CALLBACK(scrolled), view);
    gtk_widget_add_controller(view->area, scroll);
    GtkEventController *keys = gtk_event_controller_key_new();
    g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), view);
    g_signal_connect(keys, "key-released", G_CALLBACK(key_released), view);
    gtk_widget_add_controller(view->area, keys);
}
