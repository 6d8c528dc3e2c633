/* stage.h: shared by the tests of widgets: a window, waiting, and finding parts of a widget. */
#ifndef WADI_TESTS_STAGE_H
#define WADI_TESTS_STAGE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gtk/gtk.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

/* A GTK warning ends the program. Without a display the test skips. */
static inline void stage_open(void) {
    if (getenv("ONLY") != NULL) cmocka_set_test_filter(getenv("ONLY"));
    gtk_disable_setlocale();
    g_log_set_always_fatal(G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_WARNING | G_LOG_LEVEL_ERROR);
    if (gtk_init_check()) return;
    puts("skipped: no display");
    exit(77);
}

static inline gboolean stage_woken(gpointer woken) {
    *(bool *)woken = true;
    return G_SOURCE_REMOVE;
}

static inline void stage_wait(guint milliseconds) {
    bool woken = false;
    g_timeout_add(milliseconds, stage_woken, &woken);
    while (!woken) g_main_context_iteration(NULL, true);
}

/* Shows a window with the widget and waits for its layout. */
static inline GtkWindow *stage_show(GtkWidget *widget, int width, int height) {
    GtkWidget *window = gtk_window_new();
    gtk_window_set_default_size(GTK_WINDOW(window), width, height);
    gtk_window_set_child(GTK_WINDOW(window), widget);
    gtk_window_present(GTK_WINDOW(window));
    for (int i = 0; i < 200 && (!gtk_widget_get_mapped(window) || gtk_widget_get_width(window) == 0); i++)
        stage_wait(5);
    stage_wait(30);
    return GTK_WINDOW(window);
}

static inline void stage_close(GtkWindow *window) {
    gtk_window_destroy(window);
    stage_wait(1);
}

static inline void stage_painted(GdkFrameClock *clock, gpointer painted) {
    (void)clock;
    *(bool *)painted = true;
}

/* Waits until it is drawn again. */
static inline void stage_draw(GtkWidget *widget) {
    bool painted = false;
    GdkFrameClock *clock = gtk_widget_get_frame_clock(widget);
    const gulong handler = g_signal_connect(clock, "after-paint", G_CALLBACK(stage_painted), &painted);
    gtk_widget_queue_draw(widget);
    while (!painted) g_main_context_iteration(NULL, true);
    g_signal_handler_disconnect(clock, handler);
}

/* The widget as drawn; free it with cairo_surface_destroy. */
static inline cairo_surface_t *stage_picture(GtkWidget *widget) {
    stage_draw(widget);
    const int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, MAX(1, width), MAX(1, height));
    GdkPaintable *paintable = gtk_widget_paintable_new(widget);
    GtkSnapshot *snapshot = gtk_snapshot_new();
    gdk_paintable_snapshot(paintable, snapshot, width, height);
    GskRenderNode *node = gtk_snapshot_free_to_node(snapshot);
    cairo_t *cairo = cairo_create(surface);
    if (node != NULL) {
        gsk_render_node_draw(node, cairo);
        gsk_render_node_unref(node);
    }
    cairo_destroy(cairo);
    cairo_surface_flush(surface);
    g_object_unref(paintable);
    return surface;
}

/* Its pixel as 0xAARRGGBB. */
static inline uint32_t stage_pixel(cairo_surface_t *surface, int x, int y) {
    const unsigned char *data = cairo_image_surface_get_data(surface);
    uint32_t pixel;
    memcpy(&pixel, data + (ptrdiff_t)y * cairo_image_surface_get_stride(surface) + 4 * (ptrdiff_t)x, sizeof pixel);
    return pixel;
}

/* The number of pixels that are not empty. */
static inline int stage_inked(cairo_surface_t *surface) {
    int inked = 0;
    for (int y = 0; y < cairo_image_surface_get_height(surface); y++)
        for (int x = 0; x < cairo_image_surface_get_width(surface); x++) inked += stage_pixel(surface, x, y) >> 24 > 0;
    return inked;
}

/* Visits `root` and every widget below it, parents first. */
typedef void stage_visit(GtkWidget *widget, void *data);
static inline void stage_walk(GtkWidget *root, stage_visit *visit, void *data) {
    visit(root, data);
    for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL; child = gtk_widget_get_next_sibling(child))
        stage_walk(child, visit, data);
}

/* The first widget under `root` with this type and, if not NULL, this CSS class. */
static inline GtkWidget *stage_find(GtkWidget *root, GType type, const char *css) {
    if (g_type_is_a(G_OBJECT_TYPE(root), type) && (css == NULL || gtk_widget_has_css_class(root, css))) return root;
    for (GtkWidget *child = gtk_widget_get_first_child(root); child != NULL;
         child = gtk_widget_get_next_sibling(child)) {
        GtkWidget *found = stage_find(child, type, css);
        if (found != NULL) return found;
    }
    return NULL;
}

/* The widget's first controller of this type; the widget owns it. */
static inline GtkEventController *stage_controller(GtkWidget *widget, GType type) {
    GListModel *controllers = gtk_widget_observe_controllers(widget);
    GtkEventController *found = NULL;
    for (guint i = 0; i < g_list_model_get_n_items(controllers) && found == NULL; i++) {
        GtkEventController *controller = g_list_model_get_item(controllers, i);
        if (g_type_is_a(G_OBJECT_TYPE(controller), type)) found = controller;
        g_object_unref(controller);
    }
    g_object_unref(controllers);
    return found;
}

/* Sends a key to a widget's own controller. Returns whether the widget used it. */
static inline bool stage_key(GtkWidget *widget, guint key, GdkModifierType state) {
    gboolean taken = false;
    g_signal_emit_by_name(stage_controller(widget, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", key, 0, state,
                          &taken);
    return taken;
}

#endif
