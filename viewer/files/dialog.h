/* dialog.h: the dialogs that ask for a file. */
#ifndef WADI_VIEWER_FILES_DIALOG_H
#define WADI_VIEWER_FILES_DIALOG_H

#include "viewer/workbench.h"

/* `what` is the one that was given to dialog_new. */
typedef void dialog_chosen(void *user, const char *path, const char *what);

/* Show it with dialog_show; it frees itself. `name` and `what` may be NULL. */
GtkFileChooser *dialog_new(const workbench *bench, const char *title, GtkFileChooserAction action, const char *name,
                           dialog_chosen *then, void *user, const char *what);
void dialog_on_cancel(GtkFileChooser *chooser, void (*cancelled)(void *user));
void dialog_filter(GtkFileChooser *chooser, const char *name, const char *const *patterns);
/* A drop-down beside the files, which begins with the first. What is chosen there is given as `what`. The names and
 * titles end with NULL. */
void dialog_offer(GtkFileChooser *chooser, const char *label, const char **names, const char **titles);
void dialog_show(GtkFileChooser *chooser);

/* A file name made from the name of the open file, for example "ramp-water.tif"; to be freed. */
char *dialog_name(const workbench *bench, const char *after);
/* The path with one of these endings; if it has none, the first is added. To be freed. NULL: a file of the new name
 * exists, and the dialog did not ask about it; the user is told. */
char *dialog_with_end(const workbench *bench, const char *path, const char *const *ends);

#endif
