/* legend.h: shows the meaning of a map's colours. */
#ifndef WADI_WIDGETS_LEGEND_H
#define WADI_WIDGETS_LEGEND_H

#include <gtk/gtk.h>

GtkWidget *legend_new(void);
/* `rgb` has 3 numbers (0..1, sRGB) for each of `stops` colours. They are spaced evenly from `low` to `high`, or evenly
 * in the logarithm where `logarithmic`. The arrays are copied. 0 stops hide the legend. */
void legend_set(GtkWidget *legend, const char *title, const char *unit, const float *rgb, size_t stops, double low,
                double high, bool logarithmic);

#endif
