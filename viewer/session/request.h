/* request.h: a request of the window to the work's thread. */
#ifndef WADI_VIEWER_SESSION_REQUEST_H
#define WADI_VIEWER_SESSION_REQUEST_H

#include "viewer/work/work.h"

/* What is opened: a file or a folder, a recipe's text, a landscape of `wadi demo` by its name. */
typedef enum open_kind { OPEN_FILE, OPEN_TEXT, OPEN_LOOK } open_kind;

typedef enum request_kind {
    REQUEST_OPEN,
    REQUEST_STEP,
    REQUEST_DO,
    REQUEST_IMPORT, /* of the map `label` */
    REQUEST_SWITCH,
    REQUEST_LEVELS, /* steps: 1 from coarse to fine, 0 on one level */
    REQUEST_UNDO,
    REQUEST_REDO,
    REQUEST_GO_TO_STEP,
    REQUEST_CHECKPOINT,
    REQUEST_SAVE, /* this and what follows write files */
    REQUEST_SAVE_RECIPE,
    REQUEST_EXPORT_MAP,
    REQUEST_EXPORT_MESH,
    REQUEST_EXPORT_FOR
} request_kind;

typedef struct request {
    request_kind kind;
    char *path, *label;
    open_kind what; /* `path` is that */
    int64_t steps;
    double number;
    uint64_t group;
    event event;
    wadi_def def;
} request;

request *request_new(request_kind kind);
void request_free(request *request);
void request_drop_event(request *request);    /* frees the event of a request that was not served */
bool request_is_written(request_kind kind);   /* whether the request writes a file */
const char *request_doing(request_kind kind); /* name for the progress bar; NULL: the request is quick */

#endif
