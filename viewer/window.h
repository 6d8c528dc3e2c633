/* window.h: the window, put together from its parts. */
#ifndef WADI_VIEWER_WINDOW_H
#define WADI_VIEWER_WINDOW_H

#include <gtk/gtk.h>

#include "run/run_state.h"

#include "run/run_options.h"

typedef struct window window;
window *window_new(GtkApplication *app, const run_options *options); /* frees itself when it is closed */
void window_open(window *window, const char *path);
void window_recover(window *window); /* offers the work that a crash left; afterwards it keeps this window's work */

#endif
