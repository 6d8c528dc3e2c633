/* ink.h: drawing in a widget's own colours and font, on a light or a dark theme. */
#ifndef WADI_WIDGETS_INK_H
#define WADI_WIDGETS_INK_H

#include <gtk/gtk.h>

typedef struct ink {
    cairo_t *cairo;
    PangoLayout *layout;
    GdkRGBA text; /* the theme's foreground */
    bool dark;    /* the theme */
    double line;  /* height of a line of text */
} ink;

typedef enum ink_colour { INK_TEXT, INK_ACCENT, INK_WATER, INK_GROUND, INK_WARM } ink_colour;

/* For one draw of `widget`; ink_end lets go of it. */
ink ink_begin(GtkWidget *widget, cairo_t *cairo);
void ink_end(ink *ink);
void ink_use(const ink *ink, ink_colour colour, double alpha);
/* `anchor`: which part of the text lies at x: 0 its left end, 0.5 its middle, 1 its right end; y is its top. Returns
 * its width. */
double ink_write(const ink *ink, double x, double y, double anchor, const char *text);
double ink_write_bold(const ink *ink, double x, double y, double anchor, const char *text);
double ink_width(const ink *ink, const char *text);
/* As ink_write, but ends with "..." where it is wider than `most`. */
double ink_write_within(const ink *ink, double x, double y, double most, const char *text);
/* A line of one device pixel, along or down, that is not blurred. */
void ink_hairline(const ink *ink, double x0, double y0, double x1, double y1);

#endif
