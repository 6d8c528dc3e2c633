/* legend.h: what a map's colours mean. */
#ifndef WADI_WIDGETS_LEGEND_H
#define WADI_WIDGETS_LEGEND_H

#include <gtk/gtk.h>

GtkWidget *legend_new(void);
/* `rgb`: 3 numbers (0..1, sRGB) for each of `stops` colours, evenly from `low` to `high` (of their logarithms where
 * `logarithmic`); copied. 0 stops hide it. */
void legend_set(GtkWidget *legend, const char *title, const char *unit, const float *rgb, size_t stops, double low,
                double high, bool logarithmic);

#endif
