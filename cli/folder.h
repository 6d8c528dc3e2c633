/* folder.h: a run folder on disk: made, filled whole or not at all, and found again. */
#ifndef WADI_CLI_FOLDER_H
#define WADI_CLI_FOLDER_H

#include "cli.h"

/* Whether a run may go to `path`; errors are said. An existing folder must be empty, or --force given. */
int folder_check(const char *path, bool force);
/* That the input does not lie where the outputs go, unless that is a run's folder. */
int folder_check_input(const char *folder, const char *input);
/* Whether a command may make that file; errors are said. Without --force none may be there, now or when it is done.
 * `option`: "-o ", with its space, or "" where the name says enough. */
int folder_check_file(const char *option, const char *path, bool force);
bool folder_is_for(const char *folder, const char *path); /* by their names the file lies in it */
/* Makes it where it is not there; *made tells. */
int folder_make(const char *path, bool *made);

/* Outputs are written in a staging folder inside the run folder and moved out together, run.json last, so that an
 * earlier run there stays good until the new one is. */
int staging_open(const char *folder, char **staging); /* removes what a killed run left; free *staging */
int staging_publish(const char *folder, const char *staging, const text_list *names);
void staging_discard(char *staging); /* removes it and frees its name; takes NULL */

/* Removes an earlier run's height and maps that this one (which wrote `names`) did not write. */
void folder_remove_stale(const char *folder, const text_list *names);

bool folder_is_run(const char *path); /* holds run.json or a checkpoint */
/* The file of a field ("height", "water") by its name, whatever its format; NULL: none. Free it. */
char *folder_find_field(const char *folder, const char *field);

#define RUN_JSON "run.json"
#define CHECKPOINT "checkpoint.wadi"
#define PREVIEW "preview.png"

#endif
