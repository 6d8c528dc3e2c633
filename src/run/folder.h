/* folder.h: a run folder on disk: made, filled whole or not at all, and found again. */
#ifndef WADI_RUN_FOLDER_H
#define WADI_RUN_FOLDER_H

#include "message.h"

/* Whether a run may go to `path`. An existing folder must be empty but for what killed processes left,
 * or --force given; and no other process may be at work in it. */
wadi_status folder_check(const char *path, bool force);
/* That the input does not lie where the outputs go, unless that is a run's folder. */
wadi_status folder_check_input(const char *folder, const char *input);
/* Whether a command may make that file. Without --force none may be there, now or when it is done.
 * `option`: "-o ", with its space, or "" where the name says enough. */
wadi_status folder_check_file(const char *option, const char *path, bool force);
char *folder_of_file(const char *path); /* "a/b" for "a/b/c", "." for "c"; NULL without memory; free it */
bool folder_is_for(const char *folder, const char *path); /* by their names the file lies in it */

/* A run folder that no other process writes in, from its taking to its leaving or to this process's end. What killed
 * processes left in it is cleared at both. */
typedef struct folder_hold folder_hold;
/* For a new run: makes the folder where it is not there. */
wadi_status folder_take(const char *path, bool force, folder_hold **hold);
/* For a folder that is there; `made`: by the caller, just now. `what` begins the message: "--resume hills". */
wadi_status folder_hold_take(const char *what, const char *path, bool made, folder_hold **hold);
/* The folder of a file that is a run folder's checkpoint by its name; *hold is NULL for others. */
wadi_status folder_hold_checkpoint(const char *file, folder_hold **hold);
wadi_status folder_check_free(const char *what, const char *path); /* refuses what folder_hold_take would, now */
/* A run is in it: else a folder that was made for it goes again when it is left. */
void folder_begun(folder_hold *hold);
void folder_leave(folder_hold *hold);      /* takes NULL */
bool folder_is_leftover(const char *name); /* of a file in it: of a killed process, or of one that runs */

/* Outputs are written in a staging folder inside the run folder. It is renamed when all are there; then they are moved
 * out, run.json last. So an earlier run there stays good until the new one is whole, and a move that was cut short goes
 * on when the folder is next taken. */
wadi_status staging_open(const char *folder, char **staging); /* free *staging */
/* Height and maps of an earlier run that this one did not write are removed. */
wadi_status staging_publish(const char *folder, const char *staging);
void staging_discard(char *staging);            /* removes it and frees its name; takes NULL */
wadi_status staging_finish(const char *folder); /* a publishing that was cut short; mostly there is none */

bool folder_has(const char *folder, const char *name); /* a file */
bool folder_is_run(const char *path);                  /* holds run.json or a checkpoint */
/* The file of a field ("height", "water") by its name, whatever its format. *path is NULL where there is none; free it.
 */
wadi_status folder_find_field(const char *folder, const char *field, char **path);
bool folder_has_field(const char *folder, const char *field);

#define STAGING ".wadi-new-"
#define RUN_JSON "run.json"
#define CHECKPOINT "checkpoint.wadi"
#define PREVIEW "preview.png"

#endif
