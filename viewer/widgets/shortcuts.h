/* shortcuts.h: the window that lists the keys. */
#ifndef WADI_WIDGETS_SHORTCUTS_H
#define WADI_WIDGETS_SHORTCUTS_H

#include <gtk/gtk.h>

typedef struct shortcut_row {
    const char *group, *accelerator, *title; /* "View", "<Control>0", "Look from above" */
} shortcut_row;

/* Returns a hidden GtkShortcutsWindow; its groups follow their first rows. `parent` may be NULL. Show it with
 * gtk_window_present; it is destroyed when the user closes it. */
GtkWidget *shortcuts_window_new(GtkWindow *parent, const shortcut_row *rows, size_t count);

#endif
