/* ink.h: drawing with a widget's colours and font, on light and dark themes. */
#ifndef WADI_WIDGETS_INK_H
#define WADI_WIDGETS_INK_H

#include <gtk/gtk.h>

typedef struct ink {
    cairo_t *cairo;
    PangoLayout *layout;
    GdkRGBA text; /* the theme's foreground */
    bool dark;    /* whether the theme is dark */
    double line;  /* height of a line of text */
} ink;

typedef enum ink_colour { INK_TEXT, INK_ACCENT, INK_WATER, INK_ICE, INK_GROUND, INK_WARM } ink_colour;

/* Valid for one draw of `widget`; ink_end frees it. */
ink ink_begin(GtkWidget *widget, cairo_t *cairo);
void ink_end(ink *ink);
void ink_use(const ink *ink, ink_colour colour, double alpha);
/* `anchor`: the part of the text at x: 0 the left end, 0.5 the middle, 1 the right end. y is the top. Returns the
 * width. */
double ink_write(const ink *ink, double x, double y, double anchor, const char *text);
double ink_write_bold(const ink *ink, double x, double y, double anchor, const char *text);
double ink_width(const ink *ink, const char *text);
/* As ink_write, but a text wider than `most` is cut and ends with "...". */
double ink_write_within(const ink *ink, double x, double y, double most, const char *text);
/* A sharp line, one device pixel wide, horizontal or vertical. */
void ink_hairline(const ink *ink, double x0, double y0, double x1, double y1);

#endif
