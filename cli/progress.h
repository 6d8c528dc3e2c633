/* progress.h: how far a run is: a bar on a terminal, else a line every few seconds, or JSON lines on stdout. */
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
    double steps_per_s; /* lately */
    double told_s;      /* when something was last shown */
    bool shown;
} progress;

progress_kind progress_kind_for(bool json, bool quiet);
progress progress_begin(progress_kind kind, const char *title, int64_t done, int64_t total, double cells);
/* `steps` more are done; they took `seconds`. */
void progress_add(progress *progress, int64_t steps, double seconds);
/* Takes the bar away, so that other lines can follow. */
void progress_end(progress *progress);

#endif
