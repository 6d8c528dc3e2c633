/* frame.h: the area of a diagram, with an axis below and one on the left. */
#ifndef WADI_WIDGETS_FRAME_H
#define WADI_WIDGETS_FRAME_H

#include "axis.h"
#include "ink.h"
#include "trace.h"

typedef struct frame {
    double left, right, top, bottom; /* pixels */
    axis x, y;
} frame;

/* Room on the left for the y axis's texts, and for at least `least`. */
double frame_margin(const axis *y, const ink *ink, const char *least);
bool frame_has_room(const frame *frame);
/* Pixels; NaN for what is not finite, and never so far away that it could not be drawn. */
double frame_x(const frame *frame, double value);
double frame_y(const frame *frame, double value);
/* What lies at a pixel. */
double frame_value(const frame *frame, double x);
trace frame_trace(const frame *frame, const double *x, const double *y, size_t count);
/* Ticks, their texts, lines across at the y axis's, and what x is ("step", "km"; NULL: nothing) at the lower right. */
void frame_draw(const frame *frame, const ink *ink, const char *x_label);
/* *x: where the pointer is over the widget, pixels; -1: elsewhere. It is drawn anew when that changes. */
void frame_follow_pointer(GtkWidget *widget, double *x);

#endif
