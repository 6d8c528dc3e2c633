/* request.c: frees requests, and names them. */
#include "viewer/session/request.h"

#include <glib.h>

request *request_new(request_kind kind) {
    request *request = g_new0(struct request, 1);
    request->kind = kind;
    return request;
}

void request_free(request *request) {
    g_free(request->path);
    g_free(request->label);
    g_free(request);
}

void request_drop_event(request *request) {
    events one = {.items = &request->event, .count = 1};
    run_events_cut(&one, 0);
}

bool request_is_written(request_kind kind) { return kind >= REQUEST_SAVE; }

const char *request_doing(request_kind kind) {
    if (kind == REQUEST_DO || kind == REQUEST_STEP || kind == REQUEST_CHECKPOINT) return NULL;
    if (kind == REQUEST_LEVELS) return "averaging";
    if (kind == REQUEST_IMPORT) return "reading";
    return kind == REQUEST_OPEN ? "opening" : request_is_written(kind) ? "writing" : "going there";
}
