/* info.h: what the window shows of the work apart from the picture: names, figures, marks, sources, messages. */
#ifndef WADI_VIEWER_SESSION_INFO_H
#define WADI_VIEWER_SESSION_INFO_H

#include "viewer/work/work.h"

enum { SESSION_MARKS = 256, SESSION_POINTS = 4096, SESSION_SOURCES = 256, SESSION_FIELDS = 24 };

typedef struct session_mark {
    double at;
    bool action; /* false: a checkpoint */
    char label[64];
    work_place place;
} session_mark;

/* One value of the inspected cell. */
typedef struct session_value {
    char name[24], unit[12];
    double value;
} session_value;

typedef struct session_info {
    uint64_t serial;        /* changes when any member below changes */
    uint64_t terrain;       /* 0: no terrain is open */
    char name[256];         /* of the open work */
    bool rises;             /* its ground rises */
    int level, levels;      /* of grids; 0 is the finest */
    bool may_change_levels; /* whether it can begin from coarse to fine, or on one level */
    wadi_ground ground;     /* colours that the recipe or the run asks for */
    wadi_def def;
    bool is_map[WADI_MAX_PARAMETERS]; /* of the parameters */
    char preset[64], device[160];
    wadi_source sources[SESSION_SOURCES];
    size_t source_count;
    bool sources_cut;     /* there are more sources than fit */
    double heaviest_rain; /* maximum of a painted rain map; 0: none */
    bool playing, busy;
    double share;   /* progress of `doing`, 0..1 */
    char doing[96]; /* the long operation that is running */
    int64_t steps, steps_end;
    double simulated_s, cell_steps_per_s, score, score_before;
    double low_m, high_m; /* of the ground */
    wadi_mass mass;
    session_mark marks[SESSION_MARKS];
    size_t mark_count;
    char undo[64], redo[64]; /* labels of the actions; "": nothing to undo or redo */
    uint64_t edits, saved_edits;
    session_value cell[SESSION_FIELDS];
    size_t cell_values;
    int cell_x, cell_y; /* -1: none */
    /* the plots' points, by step */
    size_t points;
    double step[SESSION_POINTS], residual[SESSION_POINTS], scores[SESSION_POINTS], rates[SESSION_POINTS],
        water[SESSION_POINTS];
    /* the last message: an error, a note or a result */
    uint64_t message_serial;
    bool message_is_error;
    char message[512];
} session_info;

void info_tell(session_info *info, bool is_error, const char *text); /* escaped */
void info_check(session_info *info, wadi_status status);             /* reports the library's error, if there is one */
/* false: the model has no such field, or it cannot be read; the latter is reported. */
bool info_get_field(session_info *info, const work *work, const char *field, float *map, size_t cells);

void info_describe(session_info *info, const work *work, uint64_t terrain); /* cheap */
void info_measure_heights(session_info *info, const work *work);            /* reads the whole grid */
/* the same, and adds a point to the plots */
void info_measure(session_info *info, work *work);
void info_read_cell(session_info *info, const work *work, int x, int y);

#endif
