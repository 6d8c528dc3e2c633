/* icon_button.h: a button with an icon. */
#ifndef WADI_VIEWER_ICON_BUTTON_H
#define WADI_VIEWER_ICON_BUTTON_H

#include <gtk/gtk.h>

GtkWidget *icon_button(const char *icon, const char *label, const char *action); /* action: NULL: none */

#endif
