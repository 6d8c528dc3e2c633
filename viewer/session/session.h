/* session.h: runs the work in its own thread, so that the window never waits for it. The thread serves the window's
 * requests in order, between steps. The window gets copies of maps and figures, at most 30 a second. The window's
 * thread may call all functions but session_new and session_free at any time; they return at once. */
#ifndef WADI_VIEWER_SESSION_H
#define WADI_VIEWER_SESSION_H

#include "viewer/gpu_maps.h"
#include "viewer/session/frames.h"
#include "viewer/session/info.h"
#include "viewer/session/request.h"

#include "run/run_options.h"

typedef struct session session;
session *session_new(const run_options *options);
void session_free(session *session); /* waits for the current step to end; takes NULL */

/* The newest maps since the last call. They stay unchanged until the next call. NULL: there are none. */
const session_frame *session_take_frame(session *session);
bool session_has_frame(session *session); /* whether the next call returns a frame */
/* Maps that come as OpenGL buffers are newer than the last frame. */
gpu_maps *session_gpu_maps(session *session);
/* Copies the info. false: nothing has changed since the last call. */
bool session_take_info(session *session, session_info *info);

/* A landscape of `wadi demo` begins to grow at once. */
void session_open(session *session, const char *path, open_kind what);
void session_play(session *session, bool play);
void session_set_speed(session *session, double steps_per_s); /* 0: as fast as possible */
void session_step(session *session, int64_t steps);
/* takes ownership of what the event owns */
void session_do(session *session, event event, const char *label, uint64_t group);
/* Gives a map from a file to a field or a parameter (run/map_input.h). */
void session_import(session *session, const char *name, const char *path);
/* These replace all sources. */
void session_set_sources(session *session, const wadi_source *sources, size_t count, const char *label, uint64_t group);
/* A group number for session_do. With a name, calls within a second of each other get the same number; with NULL each
 * call gets a new one. */
uint64_t session_group(session *session, const char *what);
void session_switch(session *session, const wadi_def *def, const char *preset, const char *label);
void session_set_levels(session *session, bool coarse_to_fine); /* from the beginning */
void session_undo(session *session);
void session_redo(session *session);
void session_go_to_step(session *session, double at); /* step number over all stages */
void session_stop_going(session *session);
void session_set_overlay(session *session, const char *name); /* NULL: none */
void session_look_at(session *session, int x, int y);         /* -1: no cell */
void session_checkpoint(session *session);

/* A file appears whole or not at all. A message reports the result. */
void session_save(session *session, const char *path);
void session_save_recipe(session *session, const char *path);
void session_export_map(session *session, const char *field, const char *path);
void session_export_mesh(session *session, const char *path, double exaggeration);
/* The files that a program takes (run/export_targets.def), into a new folder. */
void session_export_for(session *session, const char *target, const char *folder);
/* Sets the recovery file. It is written every 25 s while the work changes, and the session removes it when it ends.
 * NULL: none. */
void session_set_autosave(session *session, const char *path);

#endif
