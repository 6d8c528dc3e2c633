/* toast.h: a message over the terrain that disappears by itself. */
#ifndef WADI_VIEWER_TOAST_H
#define WADI_VIEWER_TOAST_H

#include <gtk/gtk.h>
#include <stdbool.h>

typedef struct toast toast;
toast *toast_new(void);
void toast_free(toast *toast); /* after its widget is gone */
GtkWidget *toast_widget(const toast *toast);
void toast_show(toast *toast, const char *text, bool is_error);

#endif
