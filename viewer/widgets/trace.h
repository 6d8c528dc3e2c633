/* trace.h: a curve through any number of points, drawn with a few points a pixel. */
#ifndef WADI_WIDGETS_TRACE_H
#define WADI_WIDGETS_TRACE_H

#include <cairo.h>
#include <stddef.h>

/* Maps data to pixels: x_offset + x_scale * x. */
typedef struct trace {
    const double *x, *y; /* a value that is not finite interrupts the curve */
    size_t count;
    double x_offset, x_scale, y_offset, y_scale;
} trace;

/* NaN if the value is not finite; limited to a distance that cairo can draw. */
double trace_pixel(double offset, double scale, double value);
/* Adds the curve to the path. In each column of pixels it keeps the first, the lowest, the highest and the last point,
 * so that the picture is the same. */
void trace_line(const trace *trace, cairo_t *cairo);
/* The same as closed areas down (or up) to `base`, in pixels. */
void trace_area(const trace *trace, cairo_t *cairo, double base);
/* The smallest and the largest finite value; NaN, NaN if there is none. */
void trace_range(const double *values, size_t count, double *low, double *high);
/* The point nearest to x with both numbers finite; `count` if there is none. */
size_t trace_nearest(const double *x, const double *y, size_t count, double at);

#endif
