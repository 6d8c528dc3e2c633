/* session_state.c: makes and frees a session's state, and takes messages. */
#include "viewer/session/session_state.h"

#include "platform/platform.h"

#include <string.h>

static void hear(void *context, wadi_run_message kind, const char *text) {
    session *session = context;
    char line[512];
    g_snprintf(line, sizeof line, "%s%s", kind == WADI_RUN_WARNING ? "warning: " : "", text);
    if (g_thread_self() == session->thread) {
        info_tell(&session->next, false, line);
        return;
    }
    g_mutex_lock(&session->lock);
    g_strlcpy(session->outside, line, sizeof session->outside);
    session->outside_is_error = false;
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

session *session_state_new(const run_options *options) {
    session *session = g_new0(struct session, 1);
    session->listener = (wadi_run_listener){hear, session};
    session->options = *options;
    session->requests = g_queue_new();
    session->frames = frames_new();
    session->gpu_maps = gpu_maps_new();
    if (!session->gpu_maps) g_error("not enough memory for the window");
    session->look_x = session->look_y = -1;
    session->next.cell_x = session->next.cell_y = -1;
    session->info_taken = true;
    session->last_save_s = platform_clock_s();
    g_mutex_init(&session->lock);
    g_cond_init(&session->wake);
    return session;
}

void session_state_free(session *session) {
    g_queue_free(session->requests);
    frames_free(session->frames);
    gpu_maps_free(session->gpu_maps);
    g_free(session->autosave);
    g_mutex_clear(&session->lock);
    g_cond_clear(&session->wake);
    g_free(session);
}

void session_check(session *session, wadi_status status) { info_check(&session->next, status); }
