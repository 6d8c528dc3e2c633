/* access.h: names for those who hear a window instead of seeing it. */
#ifndef WADI_WIDGETS_ACCESS_H
#define WADI_WIDGETS_ACCESS_H

#include <gtk/gtk.h>

void access_label(GtkWidget *widget, const char *label);
/* Longer, and may change; said again only when it did. */
void access_describe(GtkWidget *widget, const char *description);
/* A drop-down's focus lies on a button inside it, which is told the choice too: "Preset: valleys". The drop-down's
 * items are strings. */
void access_drop_down(GtkWidget *drop_down, const char *label);

#endif
