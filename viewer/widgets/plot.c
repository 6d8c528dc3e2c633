#include "plot.h"

#include "access.h"
#include "frame.h"

#include <math.h>

typedef struct plot {
    char *title, *unit, *x_label;
    double *x, *y;
    size_t count, room;
    double pointer; /* the pointer's x in pixels; -1: outside */
} plot;

static plot *plot_of(GtkWidget *widget) { return g_object_get_data(G_OBJECT(widget), "wadi-plot"); }

static void plot_free(void *data) {
    plot *plot = data;
    g_free(plot->title);
    g_free(plot->unit);
    g_free(plot->x_label);
    g_free(plot->x);
    g_free(plot->y);
    g_free(plot);
}

/* The index of the last finite point; count: none. */
static size_t latest(const plot *plot) {
    for (size_t i = plot->count; i > 0; i--)
        if (isfinite(plot->x[i - 1]) && isfinite(plot->y[i - 1])) return i - 1;
    return plot->count;
}

static frame frame_for(const plot *plot, const ink *ink, double width, double height) {
    frame frame = {.top = ink->line + 5, .bottom = height - ink->line - 3, .right = width - 7};
    double low, high;
    trace_range(plot->y, plot->count, &low, &high);
    /* The axis starts at 0 where that wastes little space, and leaves room for the line's width. */
    if (low > 0 && low < 0.6 * high) low = 0;
    if (high < 0 && high > 0.6 * low) high = 0;
    if (high > low) {
        const double room = 0.04 * (high - low);
        if (low < 0 || low > 0) low -= room;
        if (high < 0 || high > 0) high += room;
    }
    frame.y = axis_linear(low, high, (int)((frame.bottom - frame.top) / (1.2 * ink->line)));
    trace_range(plot->x, plot->count, &low, &high);
    frame.left = frame_margin(&frame.y, ink, "00000"); /* so that the axes of stacked plots line up */
    frame.x = axis_linear(low, high, (int)fmin(4, (frame.right - frame.left) / 60));
    return frame;
}

static void draw_curve(const plot *plot, const ink *ink, const frame *frame) {
    const trace trace = frame_trace(frame, plot->x, plot->y, plot->count);
    const double base = CLAMP(frame_y(frame, 0), frame->top, frame->bottom);
    ink_use(ink, INK_ACCENT, 0.15);
    trace_area(&trace, ink->cairo, base);
    cairo_fill(ink->cairo);
    ink_use(ink, INK_ACCENT, 1);
    cairo_set_line_width(ink->cairo, 1.5);
    trace_line(&trace, ink->cairo);
    cairo_stroke(ink->cairo);
    const size_t last = latest(plot);
    if (last == plot->count) return;
    cairo_arc(ink->cairo, frame_x(frame, plot->x[last]), frame_y(frame, plot->y[last]), 2.2, 0, 2 * G_PI);
    cairo_fill(ink->cairo);
}

/* The index of the point under the pointer, or `count`. */
static size_t hovered(const plot *plot, const frame *frame) {
    if (plot->pointer < 0) return plot->count;
    return trace_nearest(plot->x, plot->y, plot->count, frame_value(frame, plot->pointer));
}

static void draw_hover(const plot *plot, const ink *ink, const frame *frame, size_t point) {
    const double x = frame_x(frame, plot->x[point]), y = frame_y(frame, plot->y[point]);
    ink_use(ink, INK_TEXT, 0.5);
    ink_hairline(ink, x, frame->top, x, frame->bottom);
    ink_use(ink, INK_ACCENT, 1);
    cairo_arc(ink->cairo, x, y, 3.5, 0, 2 * G_PI);
    cairo_fill(ink->cairo);
}

/* The title, "Water", and on the right the value under the pointer or the last value. */
static void draw_head(const plot *plot, const ink *ink, double width, size_t point, bool hover) {
    char value[NUMBER_TEXT], x[NUMBER_TEXT];
    double taken = 0;
    if (point < plot->count) {
        ink_use(ink, hover ? INK_ACCENT : INK_TEXT, 1);
        taken = ink_write_bold(ink, width - 7, 1, 1, number_with_unit(plot->y[point], plot->unit, value)) + 8;
    }
    if (point < plot->count && hover) {
        char *at =
            g_strdup_printf("%s %s", plot->x_label != NULL ? plot->x_label : "at", number_short(plot->x[point], x));
        ink_use(ink, INK_TEXT, 0.7);
        taken += ink_write(ink, width - 7 - taken, 1, 1, at) + 8;
        g_free(at);
    }
    ink_use(ink, INK_TEXT, 0.85);
    ink_write_within(ink, 4, 1, width - 11 - taken, plot->title);
}

static void draw(GtkDrawingArea *area, cairo_t *cairo, int width, int height, void *data) {
    const plot *plot = data;
    ink ink = ink_begin(GTK_WIDGET(area), cairo);
    const frame frame = frame_for(plot, &ink, width, height);
    const size_t last = latest(plot), under = hovered(plot, &frame);
    const bool hover = under < plot->count;
    draw_head(plot, &ink, width, hover ? under : last, hover);
    if (last < plot->count && frame_has_room(&frame)) {
        frame_draw(&frame, &ink, plot->x_label);
        draw_curve(plot, &ink, &frame);
        if (hover) draw_hover(plot, &ink, &frame, under);
    } else {
        ink_use(&ink, INK_TEXT, 0.5);
        ink_write(&ink, width / 2.0, (height - ink.line) / 2, 0.5, "no data yet");
    }
    ink_end(&ink);
}

static void describe(GtkWidget *widget, const plot *plot) {
    const size_t last = latest(plot);
    char y[NUMBER_TEXT], x[NUMBER_TEXT];
    char *text = last == plot->count
                     ? g_strdup("no data yet")
                     : g_strdup_printf("%s at %s %s", number_with_unit(plot->y[last], plot->unit, y),
                                       plot->x_label != NULL ? plot->x_label : "", number_short(plot->x[last], x));
    access_describe(widget, text);
    g_free(text);
}

GtkWidget *plot_new(const char *title, const char *unit) {
    GtkWidget *widget = g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
    plot *plot = g_new0(struct plot, 1);
    plot->title = g_strdup(title);
    plot->unit = g_strdup(unit != NULL ? unit : "");
    plot->pointer = -1;
    g_object_set_data_full(G_OBJECT(widget), "wadi-plot", plot, plot_free);
    gtk_widget_set_size_request(widget, 120, 90);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(widget), draw, plot, NULL);
    frame_follow_pointer(widget, &plot->pointer);
    access_label(widget, plot->title);
    describe(widget, plot);
    return widget;
}

void plot_set(GtkWidget *widget, const double *x, const double *y, size_t count, const char *x_label) {
    plot *plot = plot_of(widget);
    if (count > plot->room) {
        plot->room = count + count / 2;
        plot->x = g_renew(double, plot->x, plot->room);
        plot->y = g_renew(double, plot->y, plot->room);
    }
    for (size_t i = 0; i < count; i++) {
        plot->x[i] = x[i];
        plot->y[i] = y[i];
    }
    plot->count = count;
    if (g_strcmp0(plot->x_label, x_label) != 0) {
        g_free(plot->x_label);
        plot->x_label = g_strdup(x_label);
    }
    describe(widget, plot);
    gtk_widget_queue_draw(widget);
}
