/* run_state.h: a run: its stages with their simulations, its inputs, and its position. */
#ifndef WADI_RUN_RUN_STATE_H
#define WADI_RUN_RUN_STATE_H

#include "events.h"
#include "maps.h"
#include "option.h"
#include "pace.h"
#include "read_args.h"
#include "wadi/render.h"
#include "wadi/wadi.h"

enum { MOST_STAGES = 64, MOST_LEVELS = 16 };

/* An input file of the run: "height", "water", "sources", a parameter's symbol, ... */
typedef struct run_input {
    char *name, *path;
    char sha256[65];
} run_input;
typedef struct run_inputs {
    run_input *items;
    size_t count;
} run_inputs;

/* A cell of the grid whose water is recorded, or a line of cells, and what has passed it so far. */
typedef struct gauge {
    char *name; /* owned */
    int x, y, to_x, to_y;
    double *flow_sums; /* owned; of each cell: m3/s, of all samples of the discharge until the last rows */
    double water_m3, sediment_m3;
} gauge;

/* Numbers of one gauge, or of the border, at one time; NaN: there is no such number. */
typedef struct gauge_row {
    double time_s, depth_m, stage_m, discharge, sediment_m, sediment_discharge, water_m3, sediment_m3;
} gauge_row;

typedef struct run_gauges {
    gauge *items; /* owned */
    size_t count;
    int64_t every; /* steps between rows; 0: none are made */
    /* at the last rows */
    double time_s, water_m3, sediment_m3; /* volumes: over the border */
    int64_t samples;                      /* of the discharge */
    gauge_row *rows;                      /* owned; at each time those of all gauges, then that of the border */
    size_t row_count;
} run_gauges;

/* A tile of the whole map (run_tile.h). Number 0: the run is of the whole. */
typedef struct run_tile {
    int number, columns, rows; /* the first is 1, at the top left; then by rows */
    int width, height;         /* of the whole */
    int margin;                /* cells computed around the tile's own, where the whole has so many */
} run_tile;

/* The settings of a run that its simulations do not hold. They are stored in the checkpoint. */
typedef struct run_plan {
    text_list command;
    /* "kind=noise", "size=64x64", ... of a generated terrain; empty: the terrain came from a file */
    text_list generator;
    read_args read;      /* how the height was read */
    char *z_unit, *band; /* own the texts of read.z_unit and read.band */
    run_inputs inputs;   /* of the whole run: height, water, hardness */
    int64_t steps, done; /* of all stages */
    int64_t checkpoint_every;
    unsigned maps;
    wadi_format format; /* UNKNOWN: that of the input */
    bool keep_type;     /* the height has the input's integers, if they can hold its change */
    number_pair breach; /* of the terrain before the run */
    bool hardness_made; /* made from the height */
    bool relaxed;       /* a part was computed in relaxed arithmetic: its bits may differ */
    double score_before;
    double wall_s;      /* stepping time, including interrupted parts */
    bool no_checkpoint; /* do not keep one after the run */
    bool no_preview;    /* of this process alone: no checkpoint keeps it */
    int levels;         /* grids from coarse to fine; 1: the input's alone */
    double level_warp;  /* in cells of the coarser grid */
    wadi_ground ground; /* of pictures */
    run_gauges gauges;
    run_tile tile;
    bool settle; /* the outputs are of settled terrain */
    /* position: this stage, in this round of its repetition, after so many steps of this visit */
    size_t stage;
    int64_t round, visit_done;
    int64_t hardness_stage; /* last visited stage with hardness; -1: none yet */
    bool before;            /* read from an earlier version's checkpoint, whose parameters have no names */
} run_plan;

/* A model with its parameters. A plain run has one stage. Stages `first` to `last` take turns for `rounds` rounds. A
 * run from coarse to fine has the stages of its coarsest level first, those of level 0 last. */
typedef struct run_stage {
    int level;      /* of its grid (wadi/levels.h) */
    int levels;     /* number of the finest levels that it has steps at */
    wadi_sim *sim;  /* owned; NULL: finished for good, or not begun (in the window) */
    wadi_mass mass; /* if it is finished */
    int64_t made;   /* steps, if it is finished */
    /* initial settings, before any event */
    wadi_def def;
    wadi_source *sources;
    size_t source_count;
    events events;
    size_t events_done;
    bool mask_taken, rain_taken; /* taken from the previous stage when it is first entered */
    bool entered;
    char *preset;
    run_inputs inputs; /* mask, sources, maps of parameters */
    size_t maps;       /* number of maps among them */
    size_t first, last;
    int64_t rounds, steps; /* steps: of one visit */
    double wall_s;
} run_stage;

typedef struct run_video run_video;
typedef struct run_series run_series;
typedef struct folder_hold folder_hold;
typedef struct checkpoint_writer checkpoint_writer;

typedef struct run {
    char *folder;      /* owned */
    folder_hold *hold; /* owned; exclusive use of the folder; NULL: nothing is written */
    run_plan plan;
    run_stage *stages;
    size_t stage_count;
    /* size, georeference and sample type of the input; its values are scratch memory after the start */
    wadi_raster *raster;
    wadi_sim *sim; /* of the stage visited last */
    /* Heights of level 0 as it begins. In the window, whose simulations of that level may be packed; NULL: none. */
    float *start;              /* owned */
    float *hard;               /* hardness, while the current stage has none and the one that had it is finished */
    run_video *video;          /* owned; NULL: none */
    run_series *series;        /* likewise */
    checkpoint_writer *writer; /* owned; NULL: no checkpoint so far */
    run_pace pace;
} run;

const char *run_title(const run *run);            /* the model's id, or "recipe" for several stages */
bool run_is_plain(const run *run);                /* a single stage without repetition, at every level */
const run_stage *run_fine_stages(const run *run); /* those of level 0 */
size_t run_fine_count(const run *run);            /* their number */
/* All simulations are in memory together: one of level 0 has one of so many shares of the memory limit. */
size_t run_shares(const run *run);
uint64_t run_level_limit(uint64_t limit, int level); /* from that of level 0 */
int run_level(const run *run);                       /* of the stage visited last */
/* Whether its ground rises, at the start or by an event: then its change is not erosion and deposition alone. */
bool run_rises(const run *run);
bool run_has_ice(const run *run); /* in any stage */
bool run_is_relaxed(const wadi_def *def);
/* That of the input, or else of the options. */
wadi_format run_height_format(const run *run);
/* With --format input, if such files can hold the input's integers. */
bool run_keeps_integers(const run *run);
wadi_status run_add_input(run_inputs *inputs, const char *name, const char *path, const char *sha256);
void run_inputs_free(run_inputs *inputs);
const char *run_input_path(const run_inputs *inputs, const char *name); /* NULL: no input has this name */

#endif
