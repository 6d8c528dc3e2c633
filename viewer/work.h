/* work.h: what is being shaped: the terrain as it stands, all that was done to get there, and the ways back and forth.
 * It knows of no window and no thread. What was done is a recipe: stages with their steps and events (cli/run.h), which
 * `wadi run` does again to the same bits; so any place of it can be gone to, from a checkpoint before it. */
#ifndef WADI_VIEWER_WORK_H
#define WADI_VIEWER_WORK_H

#include "cli/recipe.h"

/* After so many steps of a stage, and so many of its events. */
typedef struct work_place {
    size_t stage;
    int64_t step;
    size_t event;
} work_place;

typedef struct work_mark {
    work_place place; /* before what the label says was done */
    char label[64];
} work_mark;

typedef struct work work;

/* Where it is computed, for all simulations. */
typedef struct work_engine {
    wadi_engine engine;
    int device; /* -1: the fastest */
    int threads;
} work_engine;

/* These say their errors (cli_report_to) and return the exit code. A heightmap, a run folder, a recipe, or a file of
 * work; `options` as on the command line of wadi run. */
int work_open(const char *path, const run_options *options, work **work);
/* The same of a recipe's text. */
int work_open_text(const char *text, const run_options *options, work **work);
void work_close(work *work); /* takes NULL */
/* The file of work: everything, to go on with. Whole or not at all. */
wadi_status work_save(const work *work, const char *path);
/* What was done until now, for `wadi run --recipe`. */
wadi_status work_write_recipe(const work *work, const char *path);

wadi_sim *work_sim(const work *work);
const run *work_run(const work *work);
work_place work_now(const work *work);
work_place work_end(const work *work);                     /* of all that was done, undone things included */
int64_t work_steps_at(const work *work, work_place place); /* of all stages before it */
int work_compare(work_place a, work_place b);
wadi_status work_mass(work *work, wadi_mass *mass);
double work_simulated_s(const work *work);
uint64_t work_edits(const work *work); /* changes with whatever would be saved */

/* What is done now is done from here on: what was undone is gone. On a number that stops being finite the work goes
 * back to the last checkpoint. */
wadi_status work_step(work *work, int64_t steps);
/* Takes what the event owns; `at` is set. What has the same group (not 0) as the one before is one action. */
wadi_status work_do(work *work, event event, const char *label, uint64_t group);
/* Goes on with another model, or the same with another border. `preset` may be NULL. */
wadi_status work_switch(work *work, const wadi_def *def, const char *preset, const char *label);
/* Begins an action that is not an event: letting it run. */
void work_note(work *work, const char *label);

/* Called now and then while it gets there; false: stop where it is. */
/* How many steps are to be made at once, that they take half of most_s to all of it: after `made` took so long. */
int64_t work_piece(int64_t piece, int64_t made, double seconds, double most_s);
typedef bool work_going(void *context, double share);
wadi_status work_go(work *work, work_place place, work_going *going, void *context);
/* false: nothing is left to undo or redo. `label` is what it is called, and lives as long as the mark. */
bool work_undo_place(const work *work, work_place *place, const char **label);
bool work_redo_place(const work *work, work_place *place, const char **label);

const work_mark *work_marks(const work *work, size_t *count);
wadi_status work_checkpoint(work *work); /* of now; the others thin out */
size_t work_checkpoints(const work *work);
work_place work_checkpoint_at(const work *work, size_t index);
void work_set_budget(work *work, uint64_t bytes); /* for checkpoints, in memory */

#endif
