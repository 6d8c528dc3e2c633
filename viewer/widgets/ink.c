#include "ink.h"

#include <math.h>

#define TEXT_SIZE 0.85 /* times the widget's font size */

ink ink_begin(GtkWidget *widget, cairo_t *cairo) {
    ink ink = {.cairo = cairo, .layout = gtk_widget_create_pango_layout(widget, NULL)};
    gtk_style_context_get_color(gtk_widget_get_style_context(widget), &ink.text);
    ink.dark = (double)(ink.text.red + ink.text.green + ink.text.blue) > 1.5;
    const PangoFontDescription *font = pango_context_get_font_description(pango_layout_get_context(ink.layout));
    PangoFontDescription *smaller = pango_font_description_copy(font);
    const double size = TEXT_SIZE * pango_font_description_get_size(smaller);
    if (pango_font_description_get_size_is_absolute(smaller))
        pango_font_description_set_absolute_size(smaller, size);
    else
        pango_font_description_set_size(smaller, (int)size);
    pango_layout_set_font_description(ink.layout, smaller);
    pango_font_description_free(smaller);
    /* Digits of equal width: a changing number does not move. */
    PangoAttrList *attributes = pango_attr_list_new();
    pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1"));
    pango_layout_set_attributes(ink.layout, attributes);
    pango_attr_list_unref(attributes);
    pango_layout_set_text(ink.layout, "0", -1);
    int height;
    pango_layout_get_pixel_size(ink.layout, NULL, &height);
    ink.line = height;
    cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND);
    return ink;
}

void ink_end(ink *ink) { g_clear_object(&ink->layout); }

void ink_use(const ink *ink, ink_colour colour, double alpha) {
    static const double colours[][2][3] = {
        [INK_ACCENT] = {{0.11, 0.44, 0.85}, {0.47, 0.68, 0.95}},
        [INK_WATER] = {{0.30, 0.60, 0.86}, {0.27, 0.53, 0.78}},
        [INK_ICE] = {{0.62, 0.81, 0.92}, {0.66, 0.80, 0.88}},
        [INK_GROUND] = {{0.72, 0.64, 0.53}, {0.47, 0.41, 0.34}},
        [INK_WARM] = {{0.78, 0.38, 0.05}, {0.96, 0.65, 0.30}},
    };
    if (colour == INK_TEXT) {
        cairo_set_source_rgba(ink->cairo, (double)ink->text.red, (double)ink->text.green, (double)ink->text.blue,
                              alpha * (double)ink->text.alpha);
        return;
    }
    const double *c = colours[colour][ink->dark];
    cairo_set_source_rgba(ink->cairo, c[0], c[1], c[2], alpha);
}

/* Draws the layout without changes. */
static double put(const ink *ink, double x, double y, double anchor) {
    int width;
    pango_layout_get_pixel_size(ink->layout, &width, NULL);
    cairo_move_to(ink->cairo, round(x - anchor * width), round(y));
    pango_cairo_show_layout(ink->cairo, ink->layout);
    cairo_new_path(ink->cairo);
    return width;
}

double ink_write(const ink *ink, double x, double y, double anchor, const char *text) {
    pango_layout_set_text(ink->layout, text, -1);
    return put(ink, x, y, anchor);
}

static void set_weight(const ink *ink, PangoWeight weight) {
    PangoFontDescription *font = pango_font_description_copy(pango_layout_get_font_description(ink->layout));
    pango_font_description_set_weight(font, weight);
    pango_layout_set_font_description(ink->layout, font);
    pango_font_description_free(font);
}

double ink_write_bold(const ink *ink, double x, double y, double anchor, const char *text) {
    set_weight(ink, PANGO_WEIGHT_BOLD);
    const double width = ink_write(ink, x, y, anchor, text);
    set_weight(ink, PANGO_WEIGHT_NORMAL);
    return width;
}

double ink_width(const ink *ink, const char *text) {
    int width;
    pango_layout_set_text(ink->layout, text, -1);
    pango_layout_get_pixel_size(ink->layout, &width, NULL);
    return width;
}

double ink_write_within(const ink *ink, double x, double y, double most, const char *text) {
    if (most < 1) return 0;
    pango_layout_set_ellipsize(ink->layout, PANGO_ELLIPSIZE_END);
    pango_layout_set_width(ink->layout, (int)(most * PANGO_SCALE));
    const double width = ink_write(ink, x, y, 0, text);
    pango_layout_set_width(ink->layout, -1);
    pango_layout_set_ellipsize(ink->layout, PANGO_ELLIPSIZE_NONE);
    return width;
}

void ink_hairline(const ink *ink, double x0, double y0, double x1, double y1) {
    cairo_set_line_width(ink->cairo, 1);
    cairo_move_to(ink->cairo, floor(x0) + 0.5, floor(y0) + 0.5);
    cairo_line_to(ink->cairo, floor(x1) + 0.5, floor(y1) + 0.5);
    cairo_stroke(ink->cairo);
}
