/* session.c: the window's side of a session: it sends requests and receives copies of the state. */
#include "viewer/session/session.h"

#include "viewer/session/worker.h"

#include "platform/platform.h"

#include "run/message.h"

#include <glib/gstdio.h>
#include <string.h>

session *session_new(const run_options *options) {
    session *session = session_state_new(options);
    wadi_run_listen(&session->listener);
    worker_start(session);
    return session;
}

void session_free(session *session) {
    if (!session) return;
    worker_end(session);
    wadi_run_listen(NULL);
    if (session->autosave) g_remove(session->autosave);
    session_state_free(session);
}

static void wake(session *session) {
    g_mutex_lock(&session->lock);
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

const session_frame *session_take_frame(session *session) {
    const session_frame *frame = frames_take(session->frames);
    if (frame) wake(session);
    return frame;
}

bool session_has_frame(session *session) { return frames_wait(session->frames); }

gpu_maps *session_gpu_maps(session *session) { return session->gpu_maps; }

bool session_take_info(session *session, session_info *info) {
    g_mutex_lock(&session->lock);
    const bool any = !session->info_taken;
    if (any) *info = session->info;
    session->info_taken = true;
    g_mutex_unlock(&session->lock);
    return any;
}

static void ask(session *session, request *request) {
    g_mutex_lock(&session->lock);
    g_queue_push_tail(session->requests, request);
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

void session_open(session *session, const char *path, open_kind what) {
    request *request = request_new(REQUEST_OPEN);
    request->path = g_strdup(path);
    request->what = what;
    session_play(session, false);
    ask(session, request);
}

void session_play(session *session, bool play) {
    g_mutex_lock(&session->lock);
    session->play = play;
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

void session_set_speed(session *session, double steps_per_s) {
    g_mutex_lock(&session->lock);
    session->speed = steps_per_s;
    g_mutex_unlock(&session->lock);
}

void session_step(session *session, int64_t steps) {
    request *request = request_new(REQUEST_STEP);
    request->steps = steps;
    ask(session, request);
}

void session_do(session *session, event event, const char *label, uint64_t group) {
    request *request = request_new(REQUEST_DO);
    request->event = event;
    request->label = g_strdup(label);
    request->group = group;
    ask(session, request);
}

void session_set_sources(session *session, const wadi_source *sources, size_t count, const char *label,
                         uint64_t group) {
    g_mutex_lock(&session->lock);
    const bool cut = session->info.sources_cut;
    if (cut)
        g_snprintf(session->outside, sizeof session->outside,
                   "there are more than %d sources: they can be changed in a recipe only", SESSION_SOURCES);
    if (cut) session->outside_is_error = true;
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
    if (cut) return;
    event event = {.kind = EVENT_SOURCES, .source_count = count};
    event.sources = g_new(wadi_source, count + 1);
    for (size_t i = 0; i < count; i++) event.sources[i] = sources[i];
    session_do(session, event, label, group);
}

uint64_t session_group(session *session, const char *what) {
    const double now = platform_clock_s();
    const bool on = what && strcmp(what, session->group_of) == 0 && now - session->grouped_s < 1;
    g_strlcpy(session->group_of, what ? what : "", sizeof session->group_of);
    session->grouped_s = now;
    return on ? session->groups : ++session->groups;
}

void session_switch(session *session, const wadi_def *def, const char *preset, const char *label) {
    request *request = request_new(REQUEST_SWITCH);
    request->def = *def;
    request->path = g_strdup(preset);
    request->label = g_strdup(label);
    ask(session, request);
}

static void ask_stopped(session *session, request *request) {
    session_play(session, false);
    g_atomic_int_set(&session->stop_going, 1);
    ask(session, request);
}

void session_set_levels(session *session, bool coarse_to_fine) {
    request *request = request_new(REQUEST_LEVELS);
    request->steps = coarse_to_fine;
    ask(session, request);
}

void session_undo(session *session) { ask_stopped(session, request_new(REQUEST_UNDO)); }

void session_redo(session *session) { ask_stopped(session, request_new(REQUEST_REDO)); }

void session_go_to_step(session *session, double at) {
    request *request = request_new(REQUEST_GO_TO_STEP);
    request->number = at;
    ask_stopped(session, request);
}

void session_stop_going(session *session) { g_atomic_int_set(&session->stop_going, 1); }

void session_set_overlay(session *session, const char *name) {
    g_mutex_lock(&session->lock);
    g_strlcpy(session->overlay, name ? name : "", sizeof session->overlay);
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

void session_look_at(session *session, int x, int y) {
    g_mutex_lock(&session->lock);
    session->look_x = x, session->look_y = y;
    session->look_changed = true;
    g_cond_signal(&session->wake);
    g_mutex_unlock(&session->lock);
}

void session_checkpoint(session *session) { ask(session, request_new(REQUEST_CHECKPOINT)); }

static void ask_file(session *session, request_kind kind, const char *path, const char *label, double number) {
    request *request = request_new(kind);
    request->path = g_strdup(path);
    request->label = g_strdup(label);
    request->number = number;
    ask(session, request);
}

void session_import(session *session, const char *name, const char *path) {
    ask_file(session, REQUEST_IMPORT, path, name, 0);
}

void session_save(session *session, const char *path) { ask_file(session, REQUEST_SAVE, path, NULL, 0); }

void session_save_recipe(session *session, const char *path) { ask_file(session, REQUEST_SAVE_RECIPE, path, NULL, 0); }

void session_export_map(session *session, const char *field, const char *path) {
    ask_file(session, REQUEST_EXPORT_MAP, path, field, 0);
}

void session_export_mesh(session *session, const char *path, double exaggeration) {
    ask_file(session, REQUEST_EXPORT_MESH, path, NULL, exaggeration);
}

void session_export_for(session *session, const char *target, const char *folder) {
    ask_file(session, REQUEST_EXPORT_FOR, folder, target, 0);
}

void session_set_autosave(session *session, const char *path) {
    g_mutex_lock(&session->lock);
    g_free(session->autosave);
    session->autosave = g_strdup(path);
    g_mutex_unlock(&session->lock);
}
