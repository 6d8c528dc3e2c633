/* worker.c: the loop of the work's thread. */
#include "viewer/session/worker.h"

#include "viewer/session/play.h"
#include "viewer/session/publish.h"
#include "viewer/session/serve.h"
#include "viewer/work/open.h"
#include "viewer/work/save.h"

#include "platform/platform.h"

static void begin_busy(session *session, request_kind kind) {
    const char *doing = request_doing(kind);
    if (!doing) return;
    g_mutex_lock(&session->lock);
    g_strlcpy(session->info.doing, doing, sizeof session->info.doing);
    g_mutex_unlock(&session->lock);
    publish_share(session, 0);
}

static void keep(session *session) {
    g_mutex_lock(&session->lock);
    char *path = g_strdup(session->autosave);
    g_mutex_unlock(&session->lock);
    const bool due = platform_clock_s() - session->last_save_s > 25;
    if (path && session->work && !work_in_levels(session->work) && due &&
        work_edits(session->work) != session->kept_edits) {
        const wadi_status status = work_save(session->work, path);
        if (status == WADI_OK) session->kept_edits = work_edits(session->work);
        if (status != WADI_OK) session->next.serial++;
        session_check(session, status);
        session->last_save_s = platform_clock_s();
    }
    g_free(path);
}

static request *next_request(session *session, bool *quit, double *speed) {
    g_mutex_lock(&session->lock);
    const gint64 until = g_get_monotonic_time() + 100 * 1000;
    if (!session->quit && !session->playing && !session->play && g_queue_is_empty(session->requests))
        g_cond_wait_until(&session->wake, &session->lock, until);
    request *request = g_queue_pop_head(session->requests);
    const bool play = session->play;
    *quit = session->quit;
    *speed = session->speed;
    g_mutex_unlock(&session->lock);
    if (!request && !*quit) play_set(session, play);
    return request;
}

/* Notes whether the simulation has stopped by itself, for example on an error. */
static void note_stopped(session *session, bool was_playing) {
    g_mutex_lock(&session->lock);
    if (was_playing && !session->playing) session->play = false;
    if (!session->work) session->play = false;
    g_mutex_unlock(&session->lock);
}

static void *work_on(void *context) {
    session *session = context;
    bool quit = false, ended = false;
    for (double speed = 0; !ended;) {
        request *request = next_request(session, &quit, &speed);
        const bool playing = session->playing;
        ended = quit && !request;
        /* files are written even when the window quits */
        if (request && (!quit || request_is_written(request->kind))) {
            begin_busy(session, request->kind);
            serve(session, request);
            session->next.serial++;
        } else if (session->playing && !quit) {
            play_on(session, speed);
            session->next.serial++;
        }
        note_stopped(session, playing);
        if (session->work && !quit) publish_maps(session);
        if (!quit) publish_info(session, request != NULL || playing != session->playing);
        if (!quit) keep(session);
        if (request && quit && !request_is_written(request->kind)) request_drop_event(request);
        if (request) request_free(request);
    }
    work_close(session->work); /* in this thread, because it has the OpenGL context of the simulation's buffers */
    session->work = NULL;
    gpu_maps_end(session->gpu_maps);
    return NULL;
}

void worker_start(session *session) { session->thread = g_thread_new("work", work_on, session); }

void worker_end(session *session) {
    g_mutex_lock(&session->lock);
    session->quit = true;
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
    g_thread_join(session->thread);
}
