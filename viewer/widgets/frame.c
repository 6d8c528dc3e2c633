#include "frame.h"

#include <math.h>

double frame_margin(const axis *y, const ink *ink, const char *least) {
    double widest = ink_width(ink, least);
    char text[NUMBER_TEXT];
    for (int i = 0; i < y->ticks; i++) widest = fmax(widest, ink_width(ink, axis_text(y, i, text)));
    return widest + 8;
}

bool frame_has_room(const frame *frame) { return frame->right > frame->left && frame->bottom > frame->top; }

static double x_scale(const frame *frame) { return (frame->right - frame->left) / (frame->x.high - frame->x.low); }
static double y_scale(const frame *frame) { return (frame->top - frame->bottom) / (frame->y.high - frame->y.low); }

double frame_x(const frame *frame, double value) {
    return trace_pixel(frame->left - x_scale(frame) * frame->x.low, x_scale(frame), value);
}

double frame_y(const frame *frame, double value) {
    return trace_pixel(frame->bottom - y_scale(frame) * frame->y.low, y_scale(frame), value);
}

double frame_value(const frame *frame, double x) { return frame->x.low + (x - frame->left) / x_scale(frame); }

trace frame_trace(const frame *frame, const double *x, const double *y, size_t count) {
    return (trace){.x = x,
                   .y = y,
                   .count = count,
                   .x_offset = frame->left - x_scale(frame) * frame->x.low,
                   .x_scale = x_scale(frame),
                   .y_offset = frame->bottom - y_scale(frame) * frame->y.low,
                   .y_scale = y_scale(frame)};
}

void frame_draw(const frame *frame, const ink *ink, const char *x_label) {
    char text[NUMBER_TEXT];
    for (int i = 0; i < frame->y.ticks; i++) {
        const double y = frame_y(frame, frame->y.tick[i]);
        ink_use(ink, INK_TEXT, 0.1);
        ink_hairline(ink, frame->left, y, frame->right, y);
        ink_use(ink, INK_TEXT, 0.6);
        ink_write(ink, frame->left - 4, y - ink->line / 2, 1, axis_text(&frame->y, i, text));
    }
    const double name = x_label != NULL ? ink_width(ink, x_label) : 0;
    if (name > 0) ink_write(ink, frame->right, frame->bottom + 3, 1, x_label);
    for (int i = 0; i < frame->x.ticks; i++) {
        const double x = frame_x(frame, frame->x.tick[i]);
        const double half = ink_width(ink, axis_text(&frame->x, i, text)) / 2;
        ink_use(ink, INK_TEXT, 0.35);
        ink_hairline(ink, x, frame->bottom, x, frame->bottom + 3);
        if (name > 0 && x + half > frame->right - name - 6) continue;
        ink_use(ink, INK_TEXT, 0.6);
        ink_write(ink, fmin(x, frame->right - half), frame->bottom + 3, 0.5, text);
    }
    ink_use(ink, INK_TEXT, 0.35);
    ink_hairline(ink, frame->left, frame->bottom, frame->right, frame->bottom);
}

static void moved(GtkEventControllerMotion *motion, double x, double y, void *data) {
    (void)y;
    *(double *)data = fmax(0, x);
    gtk_widget_queue_draw(gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(motion)));
}

static void left(GtkEventControllerMotion *motion, void *data) {
    *(double *)data = -1;
    gtk_widget_queue_draw(gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(motion)));
}

void frame_follow_pointer(GtkWidget *widget, double *x) {
    GtkEventController *motion = gtk_event_controller_motion_new();
    g_signal_connect(motion, "enter", G_CALLBACK(moved), x);
    g_signal_connect(motion, "motion", G_CALLBACK(moved), x);
    g_signal_connect(motion, "leave", G_CALLBACK(left), x);
    gtk_widget_add_controller(widget, motion);
}
