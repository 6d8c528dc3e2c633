/* run.h: what the parts of `wadi run` share. */
#ifndef WADI_CLI_RUN_H
#define WADI_CLI_RUN_H

#include "backend.h"
#include "events.h"
#include "landscape.h"
#include "maps.h"
#include "read_args.h"

#include "wadi/render.h"
#include "wadi/wadi.h"

typedef struct place {
    int line, column; /* from 1; column 0: the line is known alone */
} place;

enum { SOURCE_FIELDS = 6, SOURCE_FIELDS_NEEDED = 4, MOST_RUN_OPTIONS = 64 };

/* River sources as given: x and y in cells or in the terrain's CRS. */
typedef struct source_row {
    double values[SOURCE_FIELDS];
    place at;
} source_row;
typedef struct source_rows {
    source_row *rows;
    size_t count;
} source_rows;

/* Where in a recipe the options stand, for messages. */
typedef struct run_places {
    const char *file;
    place self; /* the recipe or the stage */
    place options[MOST_RUN_OPTIONS];
    place *settings;
} run_places;

typedef struct run_options {
    const char *output, *resume, *recipe;
    const char *model, *preset;
    int64_t steps; /* -1: not given */
    double time_s; /* -1: not given */
    text_list settings;
    const char *rain, *sources, *hardness, *water, *mask;
    int boundary; /* -1: the preset's */
    uint64_t seed;
    const char *maps;
    int format; /* 0: as the input */
    int64_t checkpoint_every;
    const char *video;
    int64_t every; /* steps between its frames; 0: not given */
    double rate;   /* frames a second; 0: not given */
    landscape_args film;
    backend_args on;
    int64_t threads;
    bool pixel, allow_out_of_range, dry_run, json, quiet, force, no_checkpoint, strict_inputs;
    read_args read;
    const source_rows *source_rows; /* written out in a recipe */
    const events *events;           /* the same */
    const run_places *places;       /* NULL: the command line */
} run_options;

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
} run;

typedef struct run_output {
    const char *name;
    char *path; /* in the run folder */
    char sha256[65];
    wadi_range range;
    wadi_write_options written;
} run_output;

typedef struct run_result {
    run_output outputs[MAP_COUNT + 1];
    size_t output_count;
    text_list files; /* everything written, in the order it is put in place */
    double score_after;
    wadi_mass mass;
} run_result;

typedef struct recipe recipe;

/* All of these say their errors and return the exit code. */

/* run_options.c */
extern const command run_command;
/* Errors from here on are the option's (NULL: the stage's), where options come from a recipe; or a --set's. */
void run_at(const run_options *options, const void *member);
void run_at_setting(const run_options *options, size_t setting);

/* run_def.c: model, preset, parameters, rain. Parameters given as maps come as "symbol=path". */
int run_make_def(const run_options *options, const wadi_raster *raster, wadi_def *def, run_stage *stage,
                 text_list *maps);
/* --steps, or those of --time; left as it is where neither was given. */
int run_target_steps(const run_options *options, const wadi_def *def, int64_t *steps);
/* The --set that gives a parameter; -1: none. */
int run_setting_of(const run_options *options, const wadi_model *model, int parameter);

/* run_inputs.c: reads everything and makes the stages' simulations, ready to step. Nothing is written. */
int run_load(const recipe *recipe, run *run);
uint64_t run_memory(const run *run, const wadi_def *defs); /* of the host */
void run_add_input(run_inputs *inputs, const char *name, const char *path, const char *sha256);
void run_inputs_free(run_inputs *inputs);

/* sources.c */
extern const char *const source_fields[];
int sources_read(const char *path, source_rows *rows); /* a CSV file; free the rows */
int sources_place(const source_rows *rows, const char *file, bool pixel, const wadi_raster *raster,
                  wadi_source **sources);
/* A whole text file of at most 64 MiB, ended by a 0; `option` names it in messages. NULL: an error was said. */
char *text_file_read(const char *option, const char *path, size_t *size);

/* run.c */
void run_free(run *run);
const char *run_title(const run *run); /* the model's id, or "recipe" where there is more than one stage */
int run_check_backend(const run_options *given);
bool run_is_relaxed(const wadi_def *def);
/* From a written checkpoint on: the same for a new and for a resumed run. */
int run_finish(run *run);

/* run_replay.c: the inputs of a run.json, by their hashes: a warning for each that is another now; strict: refused. */
int run_check_replay(const recipe *recipe, const run *run, bool strict);

/* run_resume.c */
int run_resume(const run_options *given, const arguments *arguments, run *run);

/* run_stages.c: which stage's turn it is. */
/* What `sim` takes over from the one before: all that wadi_sim_take does; `hard`, where the one before knows no
 * hardness (NULL: leave it); and what the stage says. */
wadi_status run_hand_over(const run_stage *stage, wadi_sim *sim, const wadi_sim *from, const float *hard);
/* Keeps what a stage begins with. */
void run_stage_begin(run_stage *stage, const wadi_sim *sim);
bool run_misses_hardness(const wadi_sim *sim, const wadi_sim *from);
void run_stage_free(run_stage *stage);
bool run_events_due(const run *run);    /* of the stage whose turn it is */
bool run_is_plain(const run *run);      /* one stage, once */
int64_t run_steps_left(const run *run); /* of this visit */
/* After the last step of a visit, before the first, and where events are due: does them, and hands the state on. */
int run_next_visit(run *run);
int64_t run_stage_steps(const run_stage *stage); /* in all rounds; -1: too many */
double run_simulated_s(const run *run);
/* Of the whole run; and each stage's own, noted in the stage. */
wadi_status run_mass(run *run, wadi_mass *mass);
/* The simulation that a map is of: the last stage's, but flow and velocity of the last one in which water flowed. */
wadi_status run_map_sim(const run *run, const char *map, float *scratch, const wadi_sim **sim);

/* checkpoint.c */
int checkpoint_write(const run *run);
wadi_status checkpoint_save(const run *run, wadi_write_fn *write, void *context);
wadi_status checkpoint_write_file(const run *run, const char *path); /* whole or not at all */
/* Errors are said of `what`. */
int checkpoint_load(wadi_read_fn *read, void *context, const char *what, const wadi_def *how, run *run);
int checkpoint_read_file(const char *path, const wadi_def *how, run *run);
int checkpoint_read(const char *folder, const wadi_def *how, run *run);
int checkpoint_check(const char *folder); /* that there is one, to go on from */

/* run_outputs.c: writes the run folder's files and puts them in place. */
wadi_format run_output_format(const run *run);
int run_write_outputs(run *run, run_result *result);
void run_result_free(run_result *result);
/* The flat picture of the run as it stands: height into `heights`, water into the raster's values; a view of both; what
 * stands above it (free it). */
int run_picture_fields(const run *run, float *heights);
wadi_view run_picture_view(const run *run, const float *heights);
char *run_picture_title(const run *run);

/* run_video.c: all of it does nothing where there is no video. */
int run_video_plan(const run_options *options, run *run);        /* before anything is read */
int run_video_check(const run_options *options, const run *run); /* its place, once the run and its folder are known */
int run_video_begin(run *run);                                   /* with the first frame */
int64_t run_video_steps_left(const run *run);                    /* until the next one */
double
run_video_step(run *run); /* after steps: a frame where one is due. Seconds that it took; errors wait for the end */
/* Puts the file in place: as far as it goes where the run was stopped, not where it failed. */
int run_video_end(run *run, bool failed);
void run_video_free(run_video *video);                   /* leaves no file where it was not ended */
int run_video_estimate(const run *run, double *seconds); /* that drawing it will take */
void run_video_print(const run *run, bool planned);
void run_video_write(json *json, const run *run); /* the member "video" */
uint64_t run_video_memory(const run *run);

/* manifest.c: the members of run.json, into an object that is open. */
void manifest_write(json *json, const run *run, const run_result *result);
double run_cell_steps_per_s(const run *run);
const char *run_input_path(const run_inputs *inputs, const char *name); /* NULL: none of this name */

/* recipe_write.c: the run as a recipe, that member of run.json. */
void recipe_write(json *json, const run *run);

#endif
