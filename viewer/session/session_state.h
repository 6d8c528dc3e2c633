/* session_state.h: the state of a session. Only the files of this folder access the members. */
#ifndef WADI_VIEWER_SESSION_STATE_H
#define WADI_VIEWER_SESSION_STATE_H

#include "viewer/gpu_maps.h"
#include "viewer/session/frames.h"
#include "viewer/session/info.h"
#include "viewer/session/request.h"

#include "run/message.h"
#include "run/run_options.h"

#include <glib.h>

typedef struct session {
    GThread *thread;
    frames *frames;     /* has its own lock */
    gpu_maps *gpu_maps; /* has a lock of its own */
    gint stop_going;    /* atomic */

    /* shared by both threads, under the lock */
    GMutex lock;
    GCond wake;
    GQueue *requests;
    bool quit, play, info_taken, look_changed;
    double speed; /* steps a second; 0: as fast as possible */
    char overlay[32], *autosave;
    int look_x, look_y; /* -1: no cell */
    session_info info;
    char outside[512]; /* a message from another thread; "": none */
    bool outside_is_error;

    wadi_run_listener listener; /* notes and warnings of the library, from any thread */

    /* of the window's thread */
    uint64_t groups;
    char group_of[64];
    double grouped_s;

    /* of the work's thread */
    run_options options;
    work *work;
    session_info next; /* copied to `info` */
    bool playing;
    uint64_t terrain;
    double speed_now; /* the speed that play_from_s and played refer to */
    double last_figures_s, last_save_s, last_checkpoint_s, play_from_s;
    int64_t most, played;      /* steps: at most so many at a time; made since play_from_s */
    double stepped_s, stepped; /* since the last figures: seconds, cell-steps */
    uint64_t kept_edits, gpu_edits, measured_edits, published;
} session;

session *session_state_new(const run_options *options);
void session_state_free(session *session);
void session_check(session *session, wadi_status status); /* reports the library's error, if there is one */

#endif
