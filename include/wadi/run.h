/* run.h: whole runs (library wadi_run): recipes, stages, events, checkpoints and run folders. It does what the command
 * `wadi run` does, prints nothing, and never ends the process. The same options and inputs give the command's bits.
 *
 *     wadi_run_def def = {.recipe = "alps.yaml", .folder = "alps"};
 *     wadi_run *run;
 *     if (wadi_run_start(&def, &run) != WADI_OK) return puts(wadi_error_message());
 *     wadi_status status = wadi_run_step(run, INT64_MAX, NULL, NULL);
 *     if (status == WADI_OK) status = wadi_run_finish(run);
 *     wadi_run_close(run);
 *
 * Errors: a status, and wadi_error_message(). A message about a recipe begins with its file, line and column.
 * One about an option has its name without the dashes ("steps"), unless wadi_name_options wants them. A run belongs to
 * one thread at a time. Paths are UTF-8 and relative to the process's current folder, but those in a recipe to the
 * recipe's folder. */
#ifndef WADI_RUN_H
#define WADI_RUN_H

#include "wadi/io.h"
#include "wadi/sim.h"
#include "wadi/team.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An option of wadi_run_def.options, from the table that the command has too. */
#define WADI_RUN_OPTION_HELP 4096
typedef struct wadi_run_option {
    const char *name;
    const char *value;               /* what its value is called: "N", "M,LENGTH"; NULL: a flag, without a value */
    const char *const *choices;      /* NULL, or the values that it takes, ended by NULL */
    bool files;                      /* about files and pictures to write: not for a run in memory */
    bool repeated;                   /* may be given several times: "set=Kc=0.3", "set=Ks=0.1" */
    char help[WADI_RUN_OPTION_HELP]; /* one or two lines */
} wadi_run_option;
/* false: there is none with this index. */
WADI_API bool wadi_run_option_at(size_t index, wadi_run_option *option);

/* A run, from its start or its resumption to wadi_run_close. */
typedef struct wadi_run wadi_run;

/* What a run is made from. Start with a structure of zeros. All texts belong to the caller and are copied. */
typedef struct wadi_run_def {
    /* The run folder, which must be empty or not exist (but see "force"). NULL: a run in memory, which writes nothing.
     * Read its results by wadi_run_get. What a recipe says of files to write does not count then. */
    const char *folder;
    /* The heightmap; NULL: the recipe names or generates it. One of `input`, `raster` and `recipe` is needed. */
    const char *input;
    const wadi_raster *raster; /* the heightmap of a run in memory, copied; `input` is then its name in messages */
    const char *recipe;        /* a YAML file, or the run.json of an earlier run; NULL: one stage, from the options */
    /* The recipe's text, in place of the file. `recipe` is then its name in messages, and says the folder of its paths;
     * NULL: "recipe", in the current folder. */
    const char *recipe_text;
    /* Options of `wadi run` without the dashes: "model=mei2007", "steps=200", "set=Kc=0.3", "maps=all", "force".
     * They come before what the recipe says; with a recipe, those that belong to a stage are refused. Also refused are
     * options for which there are members here, those of the command alone (resume, dry-run, json, quiet), and in
     * memory those about files to write. */
    const char *const *options;
    size_t option_count;
} wadi_run_def;

/* Reads the recipe and all inputs, checks that the run fits into memory, makes the folder and writes the first
 * checkpoint there. The folder is locked until wadi_run_close, against other processes too.
 * - WADI_ERROR_ARGUMENT: an unknown option or key, a value outside its range, no such file, a folder that is not empty.
 * - WADI_ERROR_FORMAT: a file that is malformed or cannot be read to its end.
 * - WADI_ERROR_UNSUPPORTED: this build or device cannot do it.
 * - WADI_ERROR_MEMORY: says what is needed and what would fit.
 * - WADI_ERROR_IO: the folder cannot be written.
 * On an error *run is NULL, and a folder that was made is removed. */
WADI_API wadi_status wadi_run_start(const wadi_run_def *def, wadi_run **run);

/* Goes on from the last checkpoint in `folder`, on the same bits. Options as above, but only those that `wadi run
 * --resume` takes: "backend=cpu", "threads=4", "checkpoint-every=100", ... "steps=N" makes N more steps than were done;
 * without it (or "time=SECONDS") a finished run is an argument error. Other errors are those of wadi_run_start. */
WADI_API wadi_status wadi_run_resume(const char *folder, const char *const *options, size_t option_count,
                                     wadi_run **run);

typedef struct wadi_run_progress {
    int64_t done, total; /* steps of the whole run, those before a resumption included */
    int64_t steps;       /* made since the last call; 0 in the first call */
    double seconds;      /* that they took, with the drawing of a video's frames */
    double left_s;       /* estimate of the time for all that is left; INFINITY before the first steps */
} wadi_run_progress;

/* Called before the first step and then about five times a second, in the thread of wadi_run_step. false: stop. It may
 * read the run and its simulation, but not change them. */
typedef bool wadi_run_progress_fn(void *context, const wadi_run_progress *progress);

/* Advances by `steps` steps (0 or more), or to the end of the run if that is nearer; INT64_MAX: to the end. Stages,
 * events, and checkpoints that are due are done on the way. `progress` may be NULL. If it stops the run, the status is
 * WADI_OK and wadi_run_done is below wadi_run_total. The number of calls and of stops does not change the result.
 *     WADI_ERROR_NUMERIC  a field stopped being finite: the message names field, cell and step
 *     WADI_ERROR_DEVICE   a device was lost; wadi_run_resume goes on from the last checkpoint
 *     WADI_ERROR_MEMORY, WADI_ERROR_IO
 * After an error the run can only be closed. */
WADI_API wadi_status wadi_run_step(wadi_run *run, int64_t steps, wadi_run_progress_fn *progress, void *context);

/* Writes a checkpoint into the run folder, whole or not at all. After an error the earlier one is still there. */
WADI_API wadi_status wadi_run_checkpoint(wadi_run *run);

/* Writes the results of a run whose steps are all done: height, maps, preview.png, run.json, the last checkpoint and
 * the video. They appear together or not at all. Argument error: steps are left, or it was called before. In memory, it
 * only lets what is suspended in the water settle, as the command does before it writes the height. */
WADI_API wadi_status wadi_run_finish(wadi_run *run);

/* Size, cells and place on Earth of the results. Its values are scratch memory. It belongs to the run. */
WADI_API const wadi_raster *wadi_run_grid(const wadi_run *run);
/* Reads a map of the whole run, as wadi_sim_get would: what wadi_run_finish writes under this name. (The command writes
 * the map "sediment" as it was before it settled.) During a coarser level, the map is carried up to the size of the
 * results. count: width * height of wadi_run_grid. */
WADI_API wadi_status wadi_run_get(const wadi_run *run, const char *map, float *values, size_t count);
WADI_API wadi_status wadi_run_mass(wadi_run *run, wadi_mass *mass); /* of the whole run */

/* Frees the run and unlocks its folder; takes NULL. A run that was not finished can be resumed from its last checkpoint
 * (none is written here). */
WADI_API void wadi_run_close(wadi_run *run);

WADI_API int64_t wadi_run_done(const wadi_run *run);      /* steps, of all stages */
WADI_API int64_t wadi_run_total(const wadi_run *run);     /* the same, at the end */
WADI_API const char *wadi_run_model(const wadi_run *run); /* its id, or "recipe" for more than one stage */
/* The simulation of the current stage, to read fields and parameters from. It belongs to the run, and another stage may
 * have another one: ask again after steps. */
WADI_API const wadi_sim *wadi_run_sim(const wadi_run *run);

/* Notes and warnings: one line each, from any call of this library, in the thread of the call. `text` lives for the
 * call of `hear`, and may hold control characters from files. */
typedef enum wadi_run_message { WADI_RUN_NOTE, WADI_RUN_WARNING } wadi_run_message;
typedef struct wadi_run_listener {
    void (*hear)(void *context, wadi_run_message kind, const char *text);
    void *context;
} wadi_run_listener;
/* The process's listener from now on; NULL, as at first: none. It must live as long as a call of this library. */
WADI_API void wadi_run_listen(const wadi_run_listener *listener);

/* From now on a team (team.h) computes the simulations of this process's runs. NULL, as at first: this process alone.
 * It must live as long as a run. */
WADI_API void wadi_run_use_team(const wadi_team *team);

#ifdef __cplusplus
}
#endif
#endif
