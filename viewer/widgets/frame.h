/* frame.h: the area of a diagram, with an x axis below and a y axis on the left. */
#ifndef WADI_WIDGETS_FRAME_H
#define WADI_WIDGETS_FRAME_H

#include "axis.h"
#include "ink.h"
#include "trace.h"

typedef struct frame {
    double left, right, top, bottom; /* pixels */
    axis x, y;
} frame;

/* The margin on the left: room for the texts of the y axis, and at least for the text `least`. */
double frame_margin(const axis *y, const ink *ink, const char *least);
bool frame_has_room(const frame *frame);
/* Pixels. NaN if the value is not finite; limited to a distance that cairo can draw. */
double frame_x(const frame *frame, double value);
double frame_y(const frame *frame, double value);
/* The value at a pixel. */
double frame_value(const frame *frame, double x);
trace frame_trace(const frame *frame, const double *x, const double *y, size_t count);
/* Draws ticks, their texts and horizontal grid lines. `x_label` ("step", "km"; NULL: none) stands at the lower right.
 */
void frame_draw(const frame *frame, const ink *ink, const char *x_label);
/* *x: the pointer's position over the widget in pixels; -1: outside. The widget is redrawn when it changes. */
void frame_follow_pointer(GtkWidget *widget, double *x);

#endif
