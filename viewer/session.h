/* session.h: the work in a thread of its own, so that the window never waits for it. What the window asks is done in
 * turn, between steps; what it shows are copies, at most 30 a second. All functions but session_new and session_free
 * may be called from the window's thread at any time, and return at once. */
#ifndef WADI_VIEWER_SESSION_H
#define WADI_VIEWER_SESSION_H

#include "viewer/gpu_maps.h"
#include "viewer/work/state.h"

enum { SESSION_MARKS = 256, SESSION_POINTS = 4096, SESSION_SOURCES = 256, SESSION_FIELDS = 24 };

/* Maps as they stood after some step. */
typedef struct session_frame {
    uint64_t terrain; /* another number: another terrain, of another size perhaps */
    int width, height;
    double lx, ly;
    int64_t steps;
    float *maps[5]; /* by wadi_layer; the overlay's is NULL where there is none */
    size_t cells;   /* room in each */
    char overlay[32];
} session_frame;

typedef struct session_mark {
    double at;
    bool action; /* else a checkpoint */
    char label[64];
    work_place place;
} session_mark;

/* One value of the cell that is looked at. */
typedef struct session_value {
    char name[24], unit[12];
    double value;
} session_value;

typedef struct session_info {
    uint64_t serial;  /* another number: something below is another */
    uint64_t terrain; /* 0: nothing is open */
    char name[256];   /* of what was opened */
    wadi_def def;
    char preset[64], device[160];
    wadi_source sources[SESSION_SOURCES];
    size_t source_count;
    bool sources_cut;     /* there are more */
    double heaviest_rain; /* of a painted map; 0: none */
    bool playing, busy;
    double share;   /* of what it is busy with */
    char doing[96]; /* what that is */
    int64_t steps, steps_end;
    double simulated_s, cell_steps_per_s, score, score_before;
    double low_m, high_m; /* of the ground */
    wadi_mass mass;
    session_mark marks[SESSION_MARKS];
    size_t mark_count;
    char undo[64], redo[64]; /* "": nothing */
    uint64_t edits, saved_edits;
    session_value cell[SESSION_FIELDS];
    size_t cell_values;
    int cell_x, cell_y; /* -1: none */
    /* what the plots show, by step */
    size_t points;
    double step[SESSION_POINTS], residual[SESSION_POINTS], scores[SESSION_POINTS], rates[SESSION_POINTS],
        water[SESSION_POINTS];
    /* the last message: an error, a note, or what was done */
    uint64_t message_serial;
    bool message_is_error;
    char message[512];
} session_info;

typedef struct session session;
session *session_new(const run_options *options);
void session_free(session *session); /* waits for the step that is being made; takes NULL */

/* The newest maps, if there are any since the last call; they stay as they are until the next. NULL: none. */
const session_frame *session_take_frame(session *session);
bool session_has_frame(session *session); /* whether the next call gives one */
/* Where maps come this way they are newer than the last frame. */
gpu_maps *session_gpu_maps(session *session);
/* Copies; false: nothing has changed since. */
bool session_take_info(session *session, session_info *info);

/* Path or, with `is_text`, a recipe's text. */
void session_open(session *session, const char *path, bool is_text);
void session_play(session *session, bool play);
void session_set_speed(session *session, double steps_per_s); /* 0: as fast as it can */
void session_step(session *session, int64_t steps);
void session_do(session *session, event event, const char *label, uint64_t group); /* takes what the event owns */
/* In place of those there are. */
void session_set_sources(session *session, const wadi_source *sources, size_t count, const char *label, uint64_t group);
/* A number for what is done in one go: another each time, or with a name the same as long as that goes on. */
uint64_t session_group(session *session, const char *what);
void session_switch(session *session, const wadi_def *def, const char *preset, const char *label);
void session_undo(session *session);
void session_redo(session *session);
void session_go(session *session, work_place place);
void session_go_to_step(session *session, double at); /* of all stages */
void session_stop_going(session *session);
void session_set_overlay(session *session, const char *name); /* NULL: none */
void session_look_at(session *session, int x, int y);         /* -1: no cell */
void session_checkpoint(session *session);

/* What is written appears whole or not at all; the message says how it went. */
void session_save(session *session, const char *path);
void session_save_recipe(session *session, const char *path);
void session_export_map(session *session, const char *field, const char *path);
void session_export_mesh(session *session, const char *path, double exaggeration);
/* Where the work is kept against a crash, every 25 s while it changes; removed when the session ends. NULL: nowhere. */
void session_set_autosave(session *session, const char *path);

#endif
