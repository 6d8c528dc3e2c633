/* plot.h: a small line plot of a figure over a growing run. */
#ifndef WADI_WIDGETS_PLOT_H
#define WADI_WIDGETS_PLOT_H

#include <gtk/gtk.h>

GtkWidget *plot_new(const char *title, const char *unit);
/* Copies the points. A value that is not finite makes a gap; x should rise. `x_label`: "step"; NULL: none. */
void plot_set(GtkWidget *plot, const double *x, const double *y, size_t count, const char *x_label);

#endif
