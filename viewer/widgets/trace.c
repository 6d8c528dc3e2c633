#include "trace.h"

#include <math.h>
#include <stdbool.h>

#define FAR 16000.0 /* pixels; cairo cannot draw much farther */

/* The points within one column of pixels. */
typedef struct column {
    double x, first, low, high, last;
    bool low_before_high;
} column;

typedef struct run {
    cairo_t *cairo;
    double base; /* NaN: a line */
    double end;  /* x of the last point written */
    bool open;
} run;

static void put(run *run, double x, double y) {
    if (!run->open && !isnan(run->base)) cairo_move_to(run->cairo, x, run->base);
    if (!run->open && isnan(run->base)) cairo_move_to(run->cairo, x, y);
    cairo_line_to(run->cairo, x, y);
    run->open = true;
    run->end = x;
}

static void put_column(run *run, const column *column) {
    put(run, column->x, column->first);
    const double one = column->low_before_high ? column->low : column->high;
    const double other = column->low_before_high ? column->high : column->low;
    if (one < column->first || one > column->first) put(run, column->x, one);
    if (other < one || other > one) put(run, column->x, other);
    if (column->last < other || column->last > other) put(run, column->x, column->last);
}

static void end_run(run *run) {
    if (run->open && !isnan(run->base)) {
        cairo_line_to(run->cairo, run->end, run->base);
        cairo_close_path(run->cairo);
    }
    run->open = false;
}

double trace_pixel(double offset, double scale, double value) {
    if (!isfinite(value)) return (double)NAN;
    return fmin(FAR, fmax(-FAR, offset + scale * value));
}

static void follow(const trace *trace, run *run) {
    column column = {0};
    bool filled = false;
    for (size_t i = 0; i < trace->count; i++) {
        const double x = trace_pixel(trace->x_offset, trace->x_scale, trace->x[i]);
        const double y = trace_pixel(trace->y_offset, trace->y_scale, trace->y[i]);
        const bool known = isfinite(x) && isfinite(y);
        if (filled && (!known || floor(x) < floor(column.x) || floor(x) > floor(column.x))) {
            put_column(run, &column);
            filled = false;
        }
        if (!known) {
            end_run(run);
        } else if (!filled) {
            column = (struct column){.x = x, .first = y, .low = y, .high = y, .last = y};
            filled = true;
        } else {
            if (y < column.low || y > column.high) column.low_before_high = y > column.high;
            column.low = fmin(column.low, y);
            column.high = fmax(column.high, y);
            column.last = y;
        }
    }
    if (filled) put_column(run, &column);
    end_run(run);
}

void trace_line(const trace *trace, cairo_t *cairo) {
    run run = {.cairo = cairo, .base = (double)NAN};
    follow(trace, &run);
}

void trace_area(const trace *trace, cairo_t *cairo, double base) {
    run run = {.cairo = cairo, .base = base};
    follow(trace, &run);
}

void trace_range(const double *values, size_t count, double *low, double *high) {
    *low = (double)INFINITY;
    *high = (double)-INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) continue;
        *low = fmin(*low, values[i]);
        *high = fmax(*high, values[i]);
    }
    if (*low > *high) *low = *high = (double)NAN;
}

size_t trace_nearest(const double *x, const double *y, size_t count, double at) {
    size_t nearest = count;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) continue;
        if (nearest == count || fabs(x[i] - at) < fabs(x[nearest] - at)) nearest = i;
    }
    return nearest;
}
