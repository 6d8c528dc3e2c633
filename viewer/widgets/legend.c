#include "legend.h"

#include "access.h"
#include "axis.h"
#include "ink.h"

#include <math.h>
#include <string.h>

#define BAR 10    /* pixels high */
#define MARGIN 10 /* left and right: half a tick's text */

typedef struct legend {
    char *title, *unit;
    float *rgb;
    size_t stops;
    double low, high;
    bool logarithmic;
} legend;

static void legend_clear(legend *legend) {
    g_clear_pointer(&legend->title, g_free);
    g_clear_pointer(&legend->unit, g_free);
    g_clear_pointer(&legend->rgb, g_free);
    legend->stops = 0;
}

static void legend_free(void *data) {
    legend_clear(data);
    g_free(data);
}

static void draw_bar(const legend *legend, const ink *ink, double y, double width) {
    const double length = width - 2 * MARGIN;
    cairo_pattern_t *colours = cairo_pattern_create_linear(MARGIN, 0, MARGIN + length, 0);
    for (size_t i = 0; i < legend->stops; i++) {
        const float *c = &legend->rgb[3 * i];
        const double at = legend->stops > 1 ? (double)i / (double)(legend->stops - 1) : 0;
        cairo_pattern_add_color_stop_rgb(colours, at, (double)c[0], (double)c[1], (double)c[2]);
    }
    cairo_rectangle(ink->cairo, MARGIN, y, length, BAR);
    cairo_set_source(ink->cairo, colours);
    cairo_fill(ink->cairo);
    cairo_pattern_destroy(colours);
    ink_use(ink, INK_TEXT, 0.4);
    cairo_set_line_width(ink->cairo, 1);
    cairo_rectangle(ink->cairo, MARGIN - 0.5, y - 0.5, length + 1, BAR + 1);
    cairo_stroke(ink->cairo);
}

static void draw_ticks(const legend *legend, const ink *ink, double y, double width) {
    const bool log_scale = legend->logarithmic && legend->low > 0;
    const int wanted = (int)fmin(6, width / 45);
    const axis axis =
        log_scale ? axis_log(legend->low, legend->high, wanted) : axis_linear(legend->low, legend->high, wanted);
    double free_from = 0;
    char text[NUMBER_TEXT];
    for (int i = 0; i < axis.ticks; i++) {
        const double share = log_scale ? log(axis.tick[i] / axis.low) / log(axis.high / axis.low)
                                       : (axis.tick[i] - axis.low) / (axis.high - axis.low);
        const double x = MARGIN + share * (width - 2 * MARGIN);
        const double half = ink_width(ink, axis_text(&axis, i, text)) / 2;
        const double middle = CLAMP(x, half, fmax(half, width - half));
        ink_use(ink, INK_TEXT, 0.6);
        ink_hairline(ink, x, y, x, y + 3);
        if (middle - half < free_from) continue;
        ink_use(ink, INK_TEXT, 0.85);
        ink_write(ink, middle, y + 3, 0.5, text);
        free_from = middle + half + 4;
    }
}

static void draw(GtkDrawingArea *area, cairo_t *cairo, int width, int height, void *data) {
    (void)height;
    const legend *legend = data;
    if (legend->stops == 0 || width <= 2 * MARGIN) return;
    ink ink = ink_begin(GTK_WIDGET(area), cairo);
    char unit[NUMBER_TEXT];
    number_unit(legend->unit, unit);
    char *head = g_strdup_printf(unit[0] != '\0' ? "%s (%s)" : "%s", legend->title, unit);
    ink_use(&ink, INK_TEXT, 1);
    ink_write_within(&ink, MARGIN, 0, width - 2 * MARGIN, head);
    g_free(head);
    const double y = ink.line + 3;
    draw_bar(legend, &ink, y, width);
    draw_ticks(legend, &ink, y + BAR, width);
    ink_end(&ink);
}

GtkWidget *legend_new(void) {
    GtkWidget *widget = g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
    legend *legend = g_new0(struct legend, 1);
    g_object_set_data_full(G_OBJECT(widget), "wadi-legend", legend, legend_free);
    gtk_widget_set_size_request(widget, 180, 46);
    gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(widget), draw, legend, NULL);
    gtk_widget_set_visible(widget, false);
    access_label(widget, "Legend");
    return widget;
}

void legend_set(GtkWidget *widget, const char *title, const char *unit, const float *rgb, size_t stops, double low,
                double high, bool logarithmic) {
    legend *legend = g_object_get_data(G_OBJECT(widget), "wadi-legend");
    legend_clear(legend);
    gtk_widget_set_visible(widget, stops > 0);
    if (stops == 0) return;
    legend->title = g_strdup(title != NULL ? title : "");
    legend->unit = g_strdup(unit != NULL ? unit : "");
    legend->rgb = g_new(float, 3 * stops);
    memcpy(legend->rgb, rgb, 3 * stops * sizeof *rgb);
    legend->stops = stops;
    legend->low = low;
    legend->high = high;
    legend->logarithmic = logarithmic;
    char from[NUMBER_TEXT], to[NUMBER_TEXT];
    char *text = g_strdup_printf("%s, from %s to %s", legend->title, number_with_unit(low, legend->unit, from),
                                 number_with_unit(high, legend->unit, to));
    access_describe(widget, text);
    g_free(text);
    gtk_widget_queue_draw(widget);
}
