/* look.h: the widgets' own style: closer rows than the theme's. */
#ifndef WADI_WIDGETS_LOOK_H
#define WADI_WIDGETS_LOOK_H

#include <gtk/gtk.h>

/* Adds it to the display's, once. */
void look_install(GdkDisplay *display);

#endif
