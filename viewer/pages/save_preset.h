/* save_preset.h: the button that saves the knobs and parameters as a preset of the user. */
#ifndef WADI_VIEWER_PAGES_SAVE_PRESET_H
#define WADI_VIEWER_PAGES_SAVE_PRESET_H

#include <gtk/gtk.h>
#include <stdbool.h>

/* Saves under a name; true: it is done. */
typedef bool save_preset_as(void *user, const char *name);

GtkWidget *save_preset_new(save_preset_as *save, void *user);

#endif
