#include "timeline.h"

#include "access.h"
#include "axis.h"
#include "ink.h"

#include <math.h>

#define MARGIN 12 /* pixels left and right of the bar */
#define SNAP 7    /* the pointer catches a mark within so many pixels */
#define KNOB 6    /* radius */

typedef struct timeline {
    timeline_go *go;
    void *user;
    timeline_mark *marks; /* sorted by `at`; owns the labels */
    size_t count;
    double now, end;
    double pressed; /* x where the drag began */
    double target;  /* the drag's step; negative: none */
} timeline;

static timeline *timeline_of(GtkWidget *widget) { return g_object_get_data(G_OBJECT(widget), "wadi-timeline"); }

static void clear_marks(timeline *timeline) {
    for (size_t i = 0; i < timeline->count; i++) g_free((char *)timeline->marks[i].label);
    g_clear_pointer(&timeline->marks, g_free);
    timeline->count = 0;
}

static void timeline_free(void *data) {
    clear_marks(data);
    g_free(data);
}

static double shown(const timeline *timeline) { return timeline->target >= 0 ? timeline->target : timeline->now; }

static double at_x(const timeline *timeline, double width, double at) {
    const double share = timeline->end > 0 ? at / timeline->end : 0;
    return MARGIN + share * fmax(0, width - 2 * MARGIN);
}

/* The mark within reach of x, or NULL. */
static const timeline_mark *mark_near(const timeline *timeline, double width, double x) {
    const timeline_mark *near = NULL;
    double least = SNAP;
    for (size_t i = 0; i < timeline->count; i++) {
        const double away = fabs(at_x(timeline, width, timeline->marks[i].at) - x);
        if (away > least) continue;
        least = away;
        near = &timeline->marks[i];
    }
    return near;
}

/* The step at x: that of a mark within reach, else a whole step. */
static double step_at(const timeline *timeline, double width, double x) {
    const timeline_mark *near = mark_near(timeline, width, x);
    if (near != NULL) return near->at;
    const double length = fmax(1, width - 2 * MARGIN);
    return fmin(timeline->end, round(CLAMP((x - MARGIN) / length, 0, 1) * timeline->end));
}

/* "step 400" and the labels of its marks, one a line. */
static char *text_of(const timeline *timeline, double at) {
    char step[NUMBER_TEXT];
    GString *text = g_string_new(NULL);
    g_string_printf(text, "step %s", number_exact(at, step));
    for (size_t i = 0; i < timeline->count; i++)
        if (fabs(timeline->marks[i].at - at) < 0.5 && timeline->marks[i].label != NULL)
            g_string_append_printf(text, "\n%s", timeline->marks[i].label);
    return g_string_free(text, false);
}

/* --- drawing --- */

static void draw_bar(const timeline *timeline, const ink *ink, double width, double y) {
    const double from = at_x(timeline, width, 0), to = at_x(timeline, width, timeline->end);
    const double knob = at_x(timeline, width, shown(timeline));
    cairo_set_line_width(ink->cairo, 4);
    ink_use(ink, INK_TEXT, 0.2);
    cairo_move_to(ink->cairo, from, y);
    cairo_line_to(ink->cairo, fmax(to, width - MARGIN), y);
    cairo_stroke(ink->cairo);
    ink_use(ink, INK_ACCENT, 1);
    cairo_move_to(ink->cairo, from, y);
    cairo_line_to(ink->cairo, knob, y);
    cairo_stroke(ink->cairo);
}

/* An action is drawn as a flag above the bar, a checkpoint as a dot on it. */
static void draw_marks(const timeline *timeline, const ink *ink, double width, double y) {
    double drawn[2] = {-10, -10};
    for (size_t i = 0; i < timeline->count; i++) {
        const bool action = timeline->marks[i].kind != 0;
        const double x = at_x(timeline, width, timeline->marks[i].at);
        if (x - drawn[action] < 1) continue; /* thousands may fall on one pixel */
        drawn[action] = x;
        if (action) {
            ink_use(ink, INK_WARM, 1);
            cairo_move_to(ink->cairo, x, y - 4);
            cairo_line_to(ink->cairo, x - 4, y - 11);
            cairo_line_to(ink->cairo, x + 4, y - 11);
            cairo_close_path(ink->cairo);
        } else {
            ink_use(ink, INK_TEXT, 0.75);
            cairo_arc(ink->cairo, x, y, 2.6, 0, 2 * G_PI);
        }
        cairo_fill(ink->cairo);
    }
}

static void draw_ticks(const timeline *timeline, const ink *ink, double width, double y) {
    const axis axis = axis_linear(0, timeline->end, (int)fmin(6, width / 80));
    char text[NUMBER_TEXT];
    for (int i = 0; i < axis.ticks; i++) {
        const double x = at_x(timeline, width, axis.tick[i]);
        ink_use(ink, INK_TEXT, 0.4);
        ink_hairline(ink, x, y + 5, x, y + 8);
        const double half = ink_width(ink, axis_text(&axis, i, text)) / 2;
        if (timeline->target >= 0) continue; /* the text of the drag takes their place */
        ink_use(ink, INK_TEXT, 0.6);
        ink_write(ink, CLAMP(x, half + 2, fmax(half + 2, width - half - 2)), y + 8, 0.5, text);
    }
}

/* Draws the target of a drag with its text: there is no tooltip while a button is held. */
static void draw_target(const timeline *timeline, const ink *ink, double width, double y) {
    char *text = g_strdelimit(text_of(timeline, timeline->target), "\n", ' ');
    const double half = ink_width(ink, text) / 2 + 6; /* bold is wider */
    const double x = CLAMP(at_x(timeline, width, timeline->target), half, fmax(half, width - half));
    ink_use(ink, INK_ACCENT, 1);
    ink_write_bold(ink, x, y + 8, 0.5, text);
    g_free(text);
}

static void draw_knob(const timeline *timeline, const ink *ink, double width, double y, bool focused) {
    const double x = at_x(timeline, width, shown(timeline));
    cairo_arc(ink->cairo, x, y, KNOB, 0, 2 * G_PI);
    cairo_set_source_rgb(ink->cairo, 1, 1, 1);
    cairo_fill_preserve(ink->cairo);
    ink_use(ink, INK_ACCENT, 1);
    cairo_set_line_width(ink->cairo, 2);
    cairo_stroke(ink->cairo);
    if (!focused) return;
    cairo_arc(ink->cairo, x, y, KNOB + 3, 0, 2 * G_PI);
    ink_use(ink, INK_ACCENT, 0.6);
    cairo_stroke(ink->cairo);
}

static void draw(GtkDrawingArea *area, cairo_t *cairo, int width, int height, void *data) {
    const timeline *timeline = data;
    ink ink = ink_begin(GTK_WIDGET(area), cairo);
    const double y = fmin(height - ink.line - 9, 14);
    draw_bar(timeline, &ink, width, y);
    if (timeline->end > 0) {
        draw_ticks(timeline, &ink, width, y);
        draw_marks(timeline, &ink, width, y);
        if (timeline->target >= 0) draw_target(timeline, &ink, width, y);
        draw_knob(timeline, &ink, width, y, gtk_widget_has_visible_focus(GTK_WIDGET(area)));
    }
    ink_end(&ink);
}

/* --- accessible text --- */

static void say(GtkWidget *widget, const timeline *timeline) {
    char *text = text_of(timeline, shown(timeline));
    gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_VALUE_MIN, 0.0,
                                   GTK_ACCESSIBLE_PROPERTY_VALUE_MAX, timeline->end, GTK_ACCESSIBLE_PROPERTY_VALUE_NOW,
                                   shown(timeline), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, text, -1);
    g_free(text);
    gtk_widget_queue_draw(widget);
}

static gboolean tooltip(GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tip, void *data) {
    (void)y;
    const timeline *timeline = data;
    if (!(timeline->end > 0)) return false;
    const double at = keyboard ? shown(timeline) : step_at(timeline, gtk_widget_get_width(widget), x);
    char *text = text_of(timeline, at);
    gtk_tooltip_set_text(tip, text);
    g_free(text);
    return true;
}

/* --- input --- */

static void go_to(GtkWidget *widget, timeline *timeline, double at) {
    if (!(at < timeline->now) && !(at > timeline->now)) return;
    timeline->now = at; /* until the owner sets where it arrived */
    say(widget, timeline);
    timeline->go(timeline->user, at);
}

static void drag_to(GtkGesture *gesture, timeline *timeline, double x) {
    GtkWidget *widget = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(gesture));
    timeline->target = step_at(timeline, gtk_widget_get_width(widget), x);
    say(widget, timeline);
}

static void drag_begin(GtkGestureDrag *gesture, double x, double y, void *data) {
    (void)y;
    timeline *timeline = data;
    if (!(timeline->end > 0)) return;
    timeline->pressed = x;
    gtk_widget_grab_focus(gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(gesture)));
    drag_to(GTK_GESTURE(gesture), timeline, x);
}

static void drag_update(GtkGestureDrag *gesture, double dx, double dy, void *data) {
    (void)dy;
    timeline *timeline = data;
    if (timeline->target >= 0) drag_to(GTK_GESTURE(gesture), timeline, timeline->pressed + dx);
}

static void drag_end(GtkGestureDrag *gesture, double dx, double dy, void *data) {
    (void)dx, (void)dy;
    timeline *timeline = data;
    const double target = timeline->target;
    if (target < 0) return;
    timeline->target = -1;
    go_to(gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(gesture)), timeline, target);
}

static void drag_cancelled(GtkGesture *gesture, GdkEventSequence *sequence, void *data) {
    (void)sequence;
    timeline *timeline = data;
    timeline->target = -1;
    say(gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(gesture)), timeline);
}

/* The next mark to the left (-1) or right (1) of the current step, or the end of the bar. */
static double mark_beside(const timeline *timeline, int side) {
    double beside = side < 0 ? 0 : timeline->end;
    for (size_t i = 0; i < timeline->count; i++) {
        const double at = timeline->marks[i].at;
        if (side < 0 && at < timeline->now) beside = fmax(beside, at);
        if (side > 0 && at > timeline->now) beside = fmin(beside, at);
    }
    return beside;
}

static gboolean key_pressed(GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state, void *data) {
    (void)code;
    timeline *timeline = data;
    GtkWidget *widget = gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(keys));
    if (state & (GDK_ALT_MASK | GDK_SUPER_MASK)) return false;
    const bool one = (state & GDK_CONTROL_MASK) != 0;
    double at;
    if (key == GDK_KEY_Left || key == GDK_KEY_KP_Left)
        at = one ? fmax(0, timeline->now - 1) : mark_beside(timeline, -1);
    else if (key == GDK_KEY_Right || key == GDK_KEY_KP_Right)
        at = one ? fmin(timeline->end, timeline->now + 1) : mark_beside(timeline, 1);
    else if (key == GDK_KEY_Home || key == GDK_KEY_KP_Home)
        at = 0;
    else if (key == GDK_KEY_End || key == GDK_KEY_KP_End)
        at = timeline->end;
    else
        return false;
    go_to(widget, timeline, at);
    return true;
}

static void add_controllers(GtkWidget *widget, timeline *timeline) {
    GtkGesture *drag = gtk_gesture_drag_new();
    g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_begin), timeline);
    g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update), timeline);
    g_signal_connect(drag, "drag-end", G_CALLBACK(drag_end), timeline);
    g_signal_connect(drag, "cancel", G_CALLBACK(drag_cancelled), timeline);
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(drag));
    GtkEventController *keys = gtk_event_controller_key_new();
    g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), timeline);
    gtk_widget_add_controller(widget, keys);
    g_signal_connect(widget, "query-tooltip", G_CALLBACK(tooltip), timeline);
    g_signal_connect_swapped(widget, "state-flags-changed", G_CALLBACK(gtk_widget_queue_draw), widget);
}

GtkWidget *timeline_new(timeline_go *go, void *user) {
    GtkWidget *widget = g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_SLIDER, NULL);
    timeline *timeline = g_new0(struct timeline, 1);
    timeline->go = go;
    timeline->user = user;
    timeline->target = -1;
    g_object_set_data_full(G_OBJECT(widget), "wadi-timeline", timeline, timeline_free);
    gtk_widget_set_size_request(widget, 200, 40);
    gtk_widget_set_hexpand(widget, true);
    gtk_widget_set_focusable(widget, true);
    gtk_widget_set_has_tooltip(widget, true);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(widget), draw, timeline, NULL);
    add_controllers(widget, timeline);
    access_label(widget, "History");
    say(widget, timeline);
    return widget;
}

static int by_step(const void *a, const void *b) {
    const double left = ((const timeline_mark *)a)->at, right = ((const timeline_mark *)b)->at;
    return (left > right) - (left < right);
}

void timeline_set(GtkWidget *widget, const timeline_mark *marks, size_t count, double now, double end) {
    timeline *timeline = timeline_of(widget);
    clear_marks(timeline);
    timeline->end = isfinite(end) ? fmax(0, end) : 0;
    timeline->now = isfinite(now) ? CLAMP(now, 0, timeline->end) : 0;
    timeline->marks = g_new(timeline_mark, count > 0 ? count : 1);
    for (size_t i = 0; i < count; i++) {
        if (!(marks[i].at >= 0 && marks[i].at <= timeline->end)) continue; /* not in this history */
        timeline->marks[timeline->count++] = (timeline_mark){marks[i].at, g_strdup(marks[i].label), marks[i].kind};
    }
    if (timeline->count > 1) qsort(timeline->marks, timeline->count, sizeof *timeline->marks, by_step);
    if (timeline->target > timeline->end) timeline->target = timeline->end;
    say(widget, timeline);
}
