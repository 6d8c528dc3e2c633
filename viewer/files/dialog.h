/* dialog.h: the dialogs that ask for a file. */
#ifndef WADI_VIEWER_FILES_DIALOG_H
#define WADI_VIEWER_FILES_DIALOG_H

#include "viewer/workbench.h"

/* `what` is as it was given to dialog_new. */
typedef void dialog_chosen(void *user, const char *path, const char *what);

/* To be shown by dialog_show; it frees itself. `name` and `what` may be NULL. */
GtkFileChooser *dialog_new(const workbench *bench, const char *title, GtkFileChooserAction action, const char *name,
                           dialog_chosen *then, void *user, const char *what);
void dialog_on_cancel(GtkFileChooser *chooser, void (*cancelled)(void *user));
void dialog_filter(GtkFileChooser *chooser, const char *name, const char *const *patterns);
void dialog_show(GtkFileChooser *chooser);

/* A file's name after that of what is open, for example "ramp-water.tif"; to be freed. */
char *dialog_name(const workbench *bench, const char *after);
/* The path with one of these ends, the first if it has none; to be freed. NULL: a file of that name exists, and the
 * dialog did not ask about it, which is told. */
char *dialog_with_end(const workbench *bench, const char *path, const char *const *ends);

#endif
