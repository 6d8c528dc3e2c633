/* plot.h: a small line plot of figures that grow while a run goes on. */
#ifndef WADI_WIDGETS_PLOT_H
#define WADI_WIDGETS_PLOT_H

#include <gtk/gtk.h>

GtkWidget *plot_new(const char *title, const char *unit);
/* Copies. What is not finite is a gap; x should rise. `x_label`: "step", NULL for none. */
void plot_set(GtkWidget *plot, const double *x, const double *y, size_t count, const char *x_label);

#endif
