/* session.h: the work in a thread of its own, so that the window never waits for it. The thread does what the window
 * asks, one request after the other, between steps. What the window shows are copies, at most 30 a second. All
 * functions but session_new and session_free may be called from the window's thread at any time, and return at once. */
#ifndef WADI_VIEWER_SESSION_H
#define WADI_VIEWER_SESSION_H

#include "viewer/gpu_maps.h"
#include "viewer/session/frames.h"
#include "viewer/session/info.h"

#include "run/run_options.h"

typedef struct session session;
session *session_new(const run_options *options);
void session_free(session *session); /* waits for the step that is being made; takes NULL */

/* The newest maps since the last call; they stay as they are until the next call. NULL: there are none. */
const session_frame *session_take_frame(session *session);
bool session_has_frame(session *session); /* whether the next call gives one */
/* Maps that come this way are newer than the last frame. */
gpu_maps *session_gpu_maps(session *session);
/* Copies. false: nothing has changed since the last call. */
bool session_take_info(session *session, session_info *info);

/* Path or, with `is_text`, a recipe's text. */
void session_open(session *session, const char *path, bool is_text);
void session_play(session *session, bool play);
void session_set_speed(session *session, double steps_per_s); /* 0: as fast as it can */
void session_step(session *session, int64_t steps);
void session_do(session *session, event event, const char *label, uint64_t group); /* takes what the event owns */
/* These replace all sources. */
void session_set_sources(session *session, const wadi_source *sources, size_t count, const char *label, uint64_t group);
/* A group number for session_do. With a name, calls within a second of each other get the same number; with NULL each
 * call gets a new one. */
uint64_t session_group(session *session, const char *what);
void session_switch(session *session, const wadi_def *def, const char *preset, const char *label);
void session_undo(session *session);
void session_redo(session *session);
void session_go_to_step(session *session, double at); /* of all stages */
void session_stop_going(session *session);
void session_set_overlay(session *session, const char *name); /* NULL: none */
void session_look_at(session *session, int x, int y);         /* -1: no cell */
void session_checkpoint(session *session);

/* A file appears whole or not at all. A message reports the result. */
void session_save(session *session, const char *path);
void session_save_recipe(session *session, const char *path);
void session_export_map(session *session, const char *field, const char *path);
void session_export_mesh(session *session, const char *path, double exaggeration);
/* The file in which the work is kept against a crash, every 25 s while it changes. The session removes it when it ends.
 * NULL: none. */
void session_set_autosave(session *session, const char *path);

#endif
