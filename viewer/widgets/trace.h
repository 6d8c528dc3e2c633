/* trace.h: a curve through any number of points, as a path of a few points a pixel. */
#ifndef WADI_WIDGETS_TRACE_H
#define WADI_WIDGETS_TRACE_H

#include <cairo.h>
#include <stddef.h>

/* From data to pixels: x_offset + x_scale * x. */
typedef struct trace {
    const double *x, *y; /* what is not finite parts the curve */
    size_t count;
    double x_offset, x_scale, y_offset, y_scale;
} trace;

/* NaN for what is not finite; never so far away that it could not be drawn. */
double trace_pixel(double offset, double scale, double value);
/* Adds the curve to the path. Of points in one column of pixels the first, the lowest, the highest and the last are
 * kept, so that nothing that would be seen is lost. */
void trace_line(const trace *trace, cairo_t *cairo);
/* The same as closed areas down (or up) to `base`, in pixels. */
void trace_area(const trace *trace, cairo_t *cairo, double base);
/* The smallest and largest finite value; NaN, NaN where there is none. */
void trace_range(const double *values, size_t count, double *low, double *high);
/* The point nearest to x with both numbers finite; `count` if there is none. */
size_t trace_nearest(const double *x, const double *y, size_t count, double at);

#endif
