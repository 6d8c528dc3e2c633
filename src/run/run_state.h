/* run_state.h: a run: its stages with their simulations, its inputs, and where it stands. */
#ifndef WADI_RUN_RUN_STATE_H
#define WADI_RUN_RUN_STATE_H

#include "events.h"
#include "maps.h"
#include "read_args.h"
#include "wadi/wadi.h"

enum { MOST_STAGES = 64 };

/* A file that the run was given: "height", "water", "sources", a parameter's symbol, ... */
typedef struct run_input {
    char *name, *path;
    char sha256[65];
} run_input;
typedef struct run_inputs {
    run_input *items;
    size_t count;
} run_inputs;

/* What a run was started with, as far as the simulations do not know it themselves. It goes into the checkpoint. */
typedef struct run_plan {
    text_list command;
    text_list generator; /* of a generated terrain: "kind=noise", "size=64x64", ...; empty: it came from a file */
    read_args read;      /* how the height was read */
    char *z_unit;        /* what read.z_unit points to */
    run_inputs inputs;   /* of the whole run: height, water, hardness */
    int64_t steps, done; /* of all stages */
    int64_t checkpoint_every;
    unsigned maps;
    wadi_format format; /* UNKNOWN: as the input */
    bool hardness_made; /* from the height */
    bool relaxed;       /* some of it was computed so: the bits are not those of strict arithmetic */
    double score_before;
    double wall_s;      /* spent stepping, interrupted parts included */
    bool no_checkpoint; /* of the finished run */
    /* where it stands: this stage, in this round of its repetition, having done so many steps of this visit */
    size_t stage;
    int64_t round, visit_done;
    int64_t hardness_stage; /* the last one visited that knows hardness; -1: none yet */
} run_plan;

/* One model with its parameters. A plain run is one stage. Stages `first` to `last` take turns, `rounds` times. */
typedef struct run_stage {
    wadi_sim *sim;  /* owned; NULL: over for good, or not begun (the window's) */
    wadi_mass mass; /* of one that is over */
    int64_t made;   /* steps of one that is over */
    /* what it begins with, before any event */
    wadi_def def;
    wadi_source *sources;
    size_t source_count;
    events events;
    size_t events_done;
    bool mask_taken, rain_taken; /* from the stage before, when it is first entered */
    bool entered;
    char *preset;
    run_inputs inputs; /* mask, sources, maps of parameters */
    size_t maps;       /* how many of them are maps */
    size_t first, last;
    int64_t rounds, steps; /* steps: of one visit */
    double wall_s;
} run_stage;

typedef struct run_video run_video;
typedef struct folder_hold folder_hold;

typedef struct run {
    const char *folder;
    folder_hold *hold; /* owned: of the folder; NULL: nothing is written */
    run_plan plan;
    run_stage *stages;
    size_t stage_count;
    wadi_raster *raster; /* the input's size, georeference and sample type; its values are scratch after the start */
    wadi_sim *sim;       /* the stage's that was visited last */
    float *hard;         /* hardness, while a stage that knows none has its turn and the one that did is over */
    run_video *video;    /* owned; NULL: none */
    bool json, quiet;
    bool interrupted; /* it stopped before its end, as it was asked to; it can go on */
} run;

const char *run_title(const run *run); /* the model's id, or "recipe" where there is more than one stage */
bool run_is_plain(const run *run);     /* one stage, once */
bool run_is_relaxed(const wadi_def *def);
wadi_status run_add_input(run_inputs *inputs, const char *name, const char *path, const char *sha256);
void run_inputs_free(run_inputs *inputs);
const char *run_input_path(const run_inputs *inputs, const char *name); /* NULL: none of this name */

#endif
