/* plot.c: diagrams side by side: axes with round numbers, bars or a line. */
#include <math.h>
#include <stdio.h>

#include "canvas.h"
#include "core/need.h"
#include "core/strict.h"
#include "scale.h"

#define PAPER 0xfaf9f6
#define FIELD 0xffffff
#define INK 0x2b2e31
#define SOFT_INK 0x686b6d
#define GRID 0xe6e4de
#define LINE 0x8b8a85
#define DATA 0x2f6f9f

enum { MOST_PLOTS = 8, WIDTH = 620, HEIGHT = 470, TITLE = 46, TEXT_SIZE = 11 };
enum { LEFT = 84, RIGHT = 26, TOP = 48, BOTTOM = 84 }; /* around a diagram's field */

typedef struct field {
    const wadi_plot *plot;
    wadi_picture *picture;
    render_scale x, y;
    int left, top, width, height; /* pixels */
} field;

static bool all_finite(const double *values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]) || fabs(values[i]) > 1e300) return false;
    return true;
}

static wadi_status check(const wadi_plot *plots, int count) {
    if (plots == NULL || count < 1 || count > MOST_PLOTS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "render: %d plots; 1 to %d can be drawn", count, MOST_PLOTS);
    for (int i = 0; i < count; i++) {
        const wadi_plot *plot = &plots[i];
        if (plot->x == NULL || plot->y == NULL || plot->count < (plot->bars ? 1 : 2))
            return wadi_fail(WADI_ERROR_ARGUMENT, "render: plot %d has too few points (%d)", i + 1, plot->count);
        if (!all_finite(plot->x, plot->count + (plot->bars ? 1 : 0)) || !all_finite(plot->y, plot->count))
            return wadi_fail(WADI_ERROR_ARGUMENT, "render: plot %d holds a number that is not finite", i + 1);
    }
    return WADI_OK;
}

static render_scale scale_of(const double *values, int count, bool from_zero) {
    render_scale scale = {.low = from_zero ? 0 : values[0], .high = from_zero ? 0 : values[0]};
    for (int i = 0; i < count; i++) {
        scale.low = fmin(scale.low, values[i]);
        scale.high = fmax(scale.high, values[i]);
    }
    if (!(scale.high > scale.low)) scale.high = scale.low + 1;
    if (from_zero) scale.high += 0.05 * (scale.high - scale.low); /* bars should not touch the frame */
    return scale;
}

static double x_of(const field *f, double value) { return f->left + render_scale_position(&f->x, value) * f->width; }
static double y_of(const field *f, double value) {
    return f->top + (1 - render_scale_position(&f->y, value)) * f->height;
}

static int rounded(double v) { return (int)floor(v + 0.5); }

static void draw_axes(const field *f) {
    double ticks[RENDER_TICKS];
    char label[32];
    int count = render_scale_ticks(&f->y, 6, ticks);
    for (int i = 0; i < count; i++) {
        const double y = y_of(f, ticks[i]);
        render_fill(f->picture, f->left, rounded(y), f->width, 1, GRID);
        snprintf(label, sizeof label, "%.6g", ticks[i] + 0.0);
        const double width = render_text_width(TEXT_SIZE, label);
        render_text(f->picture, f->left - 8 - width, y + 0.5 * TEXT_SIZE, TEXT_SIZE, SOFT_INK, label);
    }
    count = render_scale_ticks(&f->x, 10, ticks);
    for (int i = 0; i < count; i++) {
        const double x = x_of(f, ticks[i]);
        render_fill(f->picture, rounded(x), f->top, 1, f->height, GRID);
        snprintf(label, sizeof label, "%.6g", ticks[i] + 0.0);
        const double width = render_text_width(TEXT_SIZE, label);
        render_text(f->picture, x - 0.5 * width, f->top + f->height + 8 + TEXT_SIZE, TEXT_SIZE, SOFT_INK, label);
    }
}

static void draw_labels(const field *f) {
    const wadi_plot *plot = f->plot;
    const int below = f->top + f->height;
    if (plot->title != NULL) render_text(f->picture, f->left, f->top - 26, TEXT_SIZE + 1, INK, plot->title);
    if (plot->y_label != NULL) render_text(f->picture, f->left, f->top - 8, TEXT_SIZE, SOFT_INK, plot->y_label);
    if (plot->x_label != NULL) {
        const double width = render_text_width(TEXT_SIZE, plot->x_label);
        render_text(f->picture, f->left + f->width - width, below + 44, TEXT_SIZE, SOFT_INK, plot->x_label);
    }
    if (plot->note != NULL) render_text(f->picture, f->left, below + 68, TEXT_SIZE, INK, plot->note);
}

static void draw_data(const field *f) {
    const wadi_plot *plot = f->plot;
    for (int i = 0; i < plot->count - (plot->bars ? 0 : 1); i++) {
        const double left = x_of(f, plot->x[i]), right = x_of(f, plot->x[i + 1]), y = y_of(f, plot->y[i]);
        if (!plot->bars) {
            render_line(f->picture, left, y, right, y_of(f, plot->y[i + 1]), 2.2, DATA);
            continue;
        }
        const int from = rounded(left), to = rounded(right), zero = rounded(y_of(f, 0)), end = rounded(y);
        const int gap = to - from > 3 ? 1 : 0;
        const int top = end < zero ? end : zero, height = end < zero ? zero - end : end - zero;
        render_fill(f->picture, from, top, to - from > 0 ? to - from - gap : 1, height, DATA);
    }
}

static void draw_plot(const wadi_plot *plot, wadi_picture *picture, int x, int y) {
    const field f = {.plot = plot,
                     .picture = picture,
                     .x = scale_of(plot->x, plot->count + (plot->bars ? 1 : 0), false),
                     .y = scale_of(plot->y, plot->count, plot->bars),
                     .left = x + LEFT,
                     .top = y + TOP,
                     .width = WIDTH - LEFT - RIGHT,
                     .height = HEIGHT - TOP - BOTTOM};
    render_fill(picture, f.left, f.top, f.width, f.height, FIELD);
    draw_axes(&f);
    draw_data(&f);
    render_frame(picture, f.left, f.top, f.width, f.height, LINE);
    draw_labels(&f);
}

wadi_status wadi_render_plots(const wadi_plot *plots, int count, const char *title, wadi_picture **picture) {
    WADI_IEEE_MODE;
    WADI_NEED(picture);
    *picture = NULL;
    WADI_NEED(plots);
    const wadi_status status = check(plots, count);
    if (status != WADI_OK) return status;
    const int top = title != NULL ? TITLE : 12;
    *picture = render_picture_create(count * WIDTH, top + HEIGHT);
    if (*picture == NULL) return wadi_fail(WADI_ERROR_MEMORY, "render: not enough memory for %d plots", count);
    render_fill(*picture, 0, 0, (*picture)->width, (*picture)->height, PAPER);
    if (title != NULL) render_text(*picture, LEFT, 32, TEXT_SIZE + 4, INK, title);
    for (int i = 0; i < count; i++) draw_plot(&plots[i], *picture, i * WIDTH, top);
    return WADI_OK;
}
