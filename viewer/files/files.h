/* files.h: opens and saves the work, and asks before something is lost. */
#ifndef WADI_VIEWER_FILES_FILES_H
#define WADI_VIEWER_FILES_FILES_H

#include "viewer/workbench.h"

typedef struct files files;
typedef void files_then(void *user);

files *files_new(workbench *bench);
void files_free(files *files); /* after the session */

void files_open(files *files); /* asks which */
/* These ask about unsaved changes first. */
void files_open_path(files *files, const char *path);
void files_open_text(files *files, const char *text); /* of a recipe */
void files_accept_drops(files *files);
void files_save(files *files, bool as); /* as: under another name */
void files_save_recipe(files *files);

/* Asks whether to save where something is unsaved, then goes on. Not if it is cancelled. */
void files_prompt(files *files, files_then *then, void *user);

/* Opens what a crash left, then keeps the work under autosave's own name. */
void files_recover(files *files, const char *path);
void files_begin_autosave(files *files);

/* What the session reports. */
void files_opened(files *files); /* another terrain is there */
void files_failed(files *files); /* something may not have been saved */
void files_shown(files *files);  /* any news: goes on with what waits for the work to be saved */

#endif
