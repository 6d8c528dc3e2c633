/* files.h: opens and saves the work, and asks before unsaved changes are lost. */
#ifndef WADI_VIEWER_FILES_FILES_H
#define WADI_VIEWER_FILES_FILES_H

#include "viewer/workbench.h"

typedef struct files files;
typedef void files_then(void *user);

files *files_new(workbench *bench);
void files_free(files *files); /* after the session */

void files_open(files *files); /* asks for the file */
/* These ask about unsaved changes first. */
void files_open_path(files *files, const char *path);
void files_open_text(files *files, const char *text); /* the text of a recipe */
void files_open_look(files *files, const char *name); /* a landscape of `wadi demo` */
void files_accept_drops(files *files);
void files_save(files *files, bool as); /* as: ask for another name */
void files_save_recipe(files *files);

/* If there are unsaved changes, asks whether to save them. Then calls `then`, unless the user cancels. */
void files_prompt(files *files, files_then *then, void *user);

/* Opens a recovery file, then keeps the work under autosave's own name. */
void files_recover(files *files, const char *path);
void files_begin_autosave(files *files);

/* The session reports these. */
void files_opened(files *files); /* another terrain was opened */
void files_failed(files *files); /* saving may have failed */
void files_shown(files *files);  /* any news: continues with the action that waits for the work to be saved */

#endif
