/* look.h: the style of the widgets: rows are closer than in the theme. */
#ifndef WADI_WIDGETS_LOOK_H
#define WADI_WIDGETS_LOOK_H

#include <gtk/gtk.h>

/* Adds the style to the display, once. */
void look_install(GdkDisplay *display);

#endif
