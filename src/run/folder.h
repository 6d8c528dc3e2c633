/* folder.h: a run folder on disk: makes it, fills it completely or not at all, and finds its files. */
#ifndef WADI_RUN_FOLDER_H
#define WADI_RUN_FOLDER_H

#include "message.h"

/* Whether a run may use `path`. An existing folder must be empty (apart from files of killed processes), or `force` be
 * set. No other process may use it. */
wadi_status run_folder_check(const char *path, bool force);
/* Refuses an input in the output folder, unless that is a run's folder. */
wadi_status run_folder_check_input(const char *folder, const char *input);
/* Whether a command may make the file. Without `force` no file may exist, now or at the end. `option`: "-o " with its
 * space, or "" if the name suffices. */
wadi_status run_folder_check_file(const char *option, const char *path, bool force);
/* The same for a heightmap after -o, whose ending must name a format that this build writes. */
wadi_status run_folder_check_heightmap(const char *path, bool force);
char *run_folder_of_file(const char *path); /* "a/b" for "a/b/c", "." for "c"; NULL without memory; free it */
bool run_folder_is_for(const char *folder, const char *path); /* whether the file is in the folder, by their names */

/* Exclusive use of a run folder, from run_folder_take to run_folder_leave or the end of the process. At both, files of
 * killed processes are removed. */
typedef struct folder_hold folder_hold;
/* For a new run: makes the folder if needed. */
wadi_status run_folder_take(const char *path, bool force, folder_hold **hold);
/* For an existing folder; `made`: the caller has just made it. `what` begins the message: "--resume hills". */
wadi_status run_folder_hold_take(const char *what, const char *path, bool made, folder_hold **hold);
/* If the file is a run folder's checkpoint by its name, takes that folder; otherwise *hold is NULL. */
wadi_status run_folder_hold_checkpoint(const char *file, folder_hold **hold);
wadi_status run_folder_check_free(const char *what,
                                  const char *path); /* refuses what run_folder_hold_take would refuse now */
/* The folder holds a run now. Otherwise run_folder_leave removes a folder that was made for it. */
void run_folder_begun(folder_hold *hold);
void run_folder_leave(folder_hold *hold);      /* takes NULL */
bool run_folder_is_leftover(const char *name); /* whether a file name is of a killed or running process */

/* Outputs are written to a staging folder inside the run folder. When it is complete it is renamed. Then its files are
 * moved out, run.json last. So an earlier run stays valid until the new one is complete, and the next user of the
 * folder finishes an interrupted move. */
wadi_status run_staging_open(const char *folder, char **staging); /* free *staging */
/* Moves the files out, and removes height and maps of an earlier run that were not written again. */
wadi_status run_staging_publish(const char *folder, const char *staging);
void run_staging_discard(char *staging);            /* removes it and frees its name; takes NULL */
wadi_status run_staging_finish(const char *folder); /* finishes an interrupted publication, if there is one */

bool run_folder_has(const char *folder, const char *name); /* a file */
bool run_folder_is_run(const char *path);                  /* holds run.json or a checkpoint */
/* The file of a field ("height", "water") by its name, whatever its format. *path is NULL where there is none; free it.
 */
wadi_status run_folder_find_field(const char *folder, const char *field, char **path);
bool run_folder_has_field(const char *folder, const char *field);

/* Refuses what is no ordinary file: to open a pipe can wait forever. */
wadi_status run_folder_check_source(const char *path);

#define STAGING ".wadi-new-"
#define RUN_JSON "run.json"
#define CHECKPOINT "checkpoint.wadi"
#define SERIES "series." /* maps at many times; an ending of run_series_formats follows */
#define PREVIEW "preview.png"
#define GAUGES_CSV "gauges.csv"

#endif
