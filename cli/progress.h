/* progress.h: shows the progress of a run: a bar on a terminal, otherwise a line every few seconds, or JSON lines on
 * stdout. */
#ifndef WADI_CLI_PROGRESS_H
#define WADI_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum progress_kind { PROGRESS_NONE, PROGRESS_BAR, PROGRESS_LINES, PROGRESS_JSON } progress_kind;

typedef struct progress {
    progress_kind kind;
    const char *title;
    int64_t done, total; /* steps */
    double cells;
    double steps_per_s; /* recent */
    double left_s;      /* estimated */
    double told_s;      /* time of the last output */
    bool shown;
} progress;

progress_kind progress_kind_for(bool json, bool quiet);
progress progress_begin(progress_kind kind, const char *title, int64_t done, int64_t total, double cells);
/* Adds `steps` steps that took `seconds`; all other steps will take left_s. */
void progress_add(progress *progress, int64_t steps, double seconds, double left_s);
/* Removes the bar, so that other lines can follow. */
void progress_end(progress *progress);

#endif
