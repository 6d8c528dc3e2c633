#include "section.h"

#include "access.h"
#include "frame.h"

#include <math.h>

typedef struct section {
    double *distance, *ground, *start;
    double *ice, *water; /* heights of their surfaces, NaN where there is none */
    size_t count;
    double deepest_m, thickest_m; /* water, ice */
    double pointer;               /* the pointer's x in pixels; -1: outside */
} section;

static void section_clear(section *section) {
    g_clear_pointer(&section->distance, g_free);
    g_clear_pointer(&section->ground, g_free);
    g_clear_pointer(&section->ice, g_free);
    g_clear_pointer(&section->water, g_free);
    g_clear_pointer(&section->start, g_free);
    section->count = 0;
    section->deepest_m = section->thickest_m = 0;
}

static void section_free(void *data) {
    section_clear(data);
    g_free(data);
}

static bool has_data(const section *section) {
    return trace_nearest(section->distance, section->ground, section->count, 0) < section->count;
}

/* Distances are in m or in km throughout; heights are in m. */
static void use_km(axis *axis) {
    const bool km = axis->high >= 2000;
    axis->scale = km ? 1000 : 1;
    axis->suffix = "";
    const double step = axis->ticks > 1 ? (axis->tick[1] - axis->tick[0]) / axis->scale : 1;
    axis->decimals = (int)fmax(0, -floor(log10(step) + 1e-9));
}

static frame frame_for(const section *section, const ink *ink, double width, double height) {
    frame frame = {.top = ink->line + 4, .bottom = height - ink->line - 4, .right = width - 7};
    double low, high, other_low, other_high;
    trace_range(section->ground, section->count, &low, &high);
    const double *more[] = {section->ice, section->water, section->start};
    for (int i = 0; i < 3; i++) {
        if (more[i] == NULL) continue;
        trace_range(more[i], section->count, &other_low, &other_high);
        low = fmin(low, other_low);
        high = fmax(high, other_high);
    }
    const double room = high > low ? high - low : 0; /* flat ground is drawn in the middle */
    frame.y = axis_linear(low - 0.15 * room, high + 0.06 * room,
                          (int)fmin(5, (frame.bottom - frame.top) / (1.4 * ink->line)));
    frame.left = frame_margin(&frame.y, ink, "000");
    trace_range(section->distance, section->count, &low, &high);
    frame.x = axis_linear(low, high, (int)fmin(6, (frame.right - frame.left) / 60));
    use_km(&frame.x);
    return frame;
}

static void fill_down(const section *section, const double *surface, ink_colour colour, const ink *ink,
                      const frame *frame) {
    if (surface == NULL) return;
    const trace trace = frame_trace(frame, section->distance, surface, section->count);
    ink_use(ink, colour, 1);
    trace_area(&trace, ink->cairo, frame->bottom);
    cairo_fill(ink->cairo);
}

static void draw_layers(const section *section, const ink *ink, const frame *frame) {
    const trace ground = frame_trace(frame, section->distance, section->ground, section->count);
    fill_down(section, section->water, INK_WATER, ink, frame); /* and the rest is drawn over it */
    fill_down(section, section->ice, INK_ICE, ink, frame);
    ink_use(ink, INK_GROUND, 1);
    trace_area(&ground, ink->cairo, frame->bottom);
    cairo_fill(ink->cairo);
    ink_use(ink, INK_TEXT, 0.75);
    cairo_set_line_width(ink->cairo, 1);
    trace_line(&ground, ink->cairo);
    cairo_stroke(ink->cairo);
    if (section->start == NULL) return;
    const trace start = frame_trace(frame, section->distance, section->start, section->count);
    const double dots[] = {0.1, 3};
    cairo_save(ink->cairo);
    cairo_set_dash(ink->cairo, dots, 2, 0);
    cairo_set_line_width(ink->cairo, 1.4);
    ink_use(ink, INK_TEXT, 0.75);
    trace_line(&start, ink->cairo);
    cairo_stroke(ink->cairo);
    cairo_restore(ink->cairo);
}

static double ice_at(const section *section, size_t point) {
    const bool icy = section->ice != NULL && isfinite(section->ice[point]);
    return icy ? section->ice[point] - section->ground[point] : 0;
}

static double depth_at(const section *section, size_t point) {
    const bool wet = section->water != NULL && isfinite(section->water[point]);
    return wet ? section->water[point] - section->ground[point] - ice_at(section, point) : 0;
}

/* "1.20 km   height 345.6 m   ice 80 m   depth 0.50 m": the values under the pointer. */
static void draw_hover(const section *section, const ink *ink, const frame *frame, double width) {
    const size_t point =
        trace_nearest(section->distance, section->ground, section->count, frame_value(frame, section->pointer));
    const double x = frame_x(frame, section->distance[point]);
    char distance[NUMBER_TEXT], height[NUMBER_TEXT], thickness[NUMBER_TEXT], depth[NUMBER_TEXT];
    const double ice_m = ice_at(section, point), depth_m = depth_at(section, point);
    number_with_unit(section->distance[point], "m", distance);
    number_short(section->ground[point], height);
    number_with_unit(ice_m, "m", thickness);
    number_with_unit(depth_m, "m", depth);
    ink_use(ink, INK_TEXT, 0.5);
    ink_hairline(ink, x, frame->top, x, frame->bottom);
    ink_use(ink, INK_ACCENT, 1);
    cairo_arc(ink->cairo, x, frame_y(frame, section->ground[point]), 3, 0, 2 * G_PI);
    cairo_fill(ink->cairo);
    char *text = g_strdup_printf("%s   height %s m%s%s%s%s", distance, height, ice_m > 0 ? "   ice " : "",
                                 ice_m > 0 ? thickness : "", depth_m > 0 ? "   depth " : "", depth_m > 0 ? depth : "");
    ink_use(ink, INK_TEXT, 1);
    ink_write(ink, width - 7, 1, 1, text);
    g_free(text);
}

static void draw_exaggeration(const ink *ink, const frame *frame, double width) {
    char number[NUMBER_TEXT];
    const double across = (frame->right - frame->left) / (frame->x.high - frame->x.low);
    const double up = (frame->bottom - frame->top) / (frame->y.high - frame->y.low), times = up / across;
    if (times > 0.995 && times < 1.005)
        g_strlcpy(number, "1", sizeof number);
    else
        g_ascii_formatd(number, sizeof number, times < 10 ? "%.2g" : "%.0f", times);
    char *text = g_strdup_printf("heights %s×", number);
    ink_use(ink, INK_TEXT, 0.6);
    ink_write(ink, width - 7, 1, 1, text);
    g_free(text);
}

static void draw(GtkDrawingArea *area, cairo_t *cairo, int width, int height, void *data) {
    const section *section = data;
    ink ink = ink_begin(GTK_WIDGET(area), cairo);
    if (!has_data(section)) {
        ink_use(&ink, INK_TEXT, 0.5);
        ink_write(&ink, width / 2.0, (height - ink.line) / 2, 0.5, "no section drawn");
    } else {
        const frame frame = frame_for(section, &ink, width, height);
        if (frame_has_room(&frame)) {
            frame_draw(&frame, &ink, frame.x.scale > 1 ? "km" : "m");
            ink_use(&ink, INK_TEXT, 0.6);
            ink_write(&ink, frame.left - 4, 1, 1, "m");
            draw_layers(section, &ink, &frame);
            if (section->pointer >= 0)
                draw_hover(section, &ink, &frame, width);
            else
                draw_exaggeration(&ink, &frame, width);
        }
    }
    ink_end(&ink);
}

GtkWidget *section_new(void) {
    GtkWidget *widget = g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
    section *section = g_new0(struct section, 1);
    section->pointer = -1;
    g_object_set_data_full(G_OBJECT(widget), "wadi-section", section, section_free);
    gtk_widget_set_size_request(widget, 200, 110);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(widget), draw, section, NULL);
    frame_follow_pointer(widget, &section->pointer);
    access_label(widget, "Cross-section");
    access_describe(widget, "no section drawn");
    return widget;
}

static double *copied(const float *values, size_t count) {
    double *copy = g_new(double, count > 0 ? count : 1);
    for (size_t i = 0; i < count; i++) copy[i] = (double)values[i];
    return copy;
}

/* The surface of ice on the ground, or of water on both. At its edge it includes the neighbour, so that no step shows.
 */
static double *surface_of(const section_profiles *of, const float *ice_m, const float *depth_m) {
    double *surface = g_new(double, of->count > 0 ? of->count : 1);
    for (size_t i = 0; i < of->count; i++) {
        const bool covered = depth_m[i] > 0;
        const bool edge = (i > 0 && depth_m[i - 1] > 0) || (i + 1 < of->count && depth_m[i + 1] > 0);
        const double below = (double)of->ground_m[i] + (ice_m != NULL ? (double)ice_m[i] : 0);
        surface[i] = covered ? below + (double)depth_m[i] : edge ? below : (double)NAN;
    }
    return surface;
}

static void describe(GtkWidget *widget, const section *section) {
    char length[NUMBER_TEXT], from[NUMBER_TEXT], to[NUMBER_TEXT], thickest[NUMBER_TEXT], deepest[NUMBER_TEXT];
    if (!has_data(section)) {
        access_describe(widget, "no section drawn");
        return;
    }
    double low, high, first, last;
    trace_range(section->ground, section->count, &low, &high);
    trace_range(section->distance, section->count, &first, &last);
    const bool icy = section->thickest_m > 0;
    number_with_unit(section->thickest_m, "m", thickest);
    char *text = g_strdup_printf("%s long, heights from %s to %s m%s%s%s, water up to %s deep",
                                 number_with_unit(last - first, "m", length), number_short(low, from),
                                 number_short(high, to), icy ? ", ice up to " : "", icy ? thickest : "",
                                 icy ? " thick" : "", number_with_unit(section->deepest_m, "m", deepest));
    access_describe(widget, text);
    g_free(text);
}

void section_set(GtkWidget *widget, const section_profiles *of) {
    section *section = g_object_get_data(G_OBJECT(widget), "wadi-section");
    section_clear(section);
    section->distance = copied(of->distance_m, of->count);
    section->ground = copied(of->ground_m, of->count);
    if (of->ice_m != NULL) section->ice = surface_of(of, NULL, of->ice_m);
    if (of->water_m != NULL) section->water = surface_of(of, of->ice_m, of->water_m);
    if (of->start_m != NULL) section->start = copied(of->start_m, of->count);
    section->count = of->count;
    for (size_t i = 0; i < of->count; i++) {
        section->deepest_m = fmax(section->deepest_m, depth_at(section, i));
        section->thickest_m = fmax(section->thickest_m, ice_at(section, i));
    }
    describe(widget, section);
    gtk_widget_queue_draw(widget);
}
