/* access.h: names of widgets for screen readers. */
#ifndef WADI_WIDGETS_ACCESS_H
#define WADI_WIDGETS_ACCESS_H

#include <gtk/gtk.h>

void access_label(GtkWidget *widget, const char *label);
/* A longer text that may change. It is announced again only when it has changed. */
void access_describe(GtkWidget *widget, const char *description);
/* For a drop-down of strings, which leaves Space to the window. Its focus lies on an inner button, whose name includes
 * the choice: "Preset: valleys". */
void access_drop_down(GtkWidget *drop_down, const char *label);

#endif
