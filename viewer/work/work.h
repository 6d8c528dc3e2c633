/* work.h: the work: the terrain as it stands, and everything that was done to get there. It knows no window and no
 * thread. What was done is a recipe: stages with their steps and events. `wadi run` repeats it to the same bits, so the
 * work can go to any place of it from a checkpoint before that place. */
#ifndef WADI_VIEWER_WORK_H
#define WADI_VIEWER_WORK_H

#include "viewer/work/packed.h"

#include "run/run_state.h"

/* A position in the history: so many steps of a stage, and so many of its events. */
typedef struct work_place {
    size_t stage;
    int64_t step;
    size_t event;
} work_place;

/* The position before an action. */
typedef struct work_mark {
    work_place place;
    char label[64];
} work_mark;

typedef struct work_saved {
    work_place place;
    packed sim;
    float *hard; /* owned; same meaning as run.hard */
} work_saved;

/* Only the files of this folder touch the members. */
typedef struct work {
    run run;
    wadi_def how;      /* engine, device and threads of every simulation */
    packed *fresh;     /* for each stage of an opened recipe: its initial state before it takes over; otherwise empty */
    work_saved *saved; /* checkpoints, sorted by place */
    size_t saved_count;
    uint64_t budget;      /* bytes for checkpoints */
    double since_saved_s; /* stepping time since the last checkpoint: the cost of going back */
    work_mark *marks;     /* sorted by place */
    size_t mark_count;
    uint64_t group, edits;
} work;

wadi_sim *work_sim(const work *work);
const run *work_run(const work *work);
run_stage *work_stage(const work *work); /* the current one */
size_t work_cells(const work *work);
uint64_t work_edits(const work *work); /* changes whenever the content of a saved file would */

work_place work_now(const work *work);
work_place work_end(const work *work);                     /* end of the history, undone actions included */
int64_t work_steps_at(const work *work, work_place place); /* steps of all stages before it */
int work_compare(work_place a, work_place b);

/* From coarse to fine, the levels are the beginning of the history. */
work_place work_levels_end(const work *work);       /* the beginning, where there is one level */
const run_stage *work_fine_stage(const work *work); /* the current one's at level 0 */
bool work_in_levels(const work *work);              /* whether the work stands before that place */
wadi_status work_check_levels(const work *work);    /* refuses what must wait for that place */

/* Whether a later stage has a sea and the current one has none yet: its height. */
bool work_sea_ahead(const work *work, double *level_m);

/* Where the parameters of the current stage stand, with the preset and the knobs that the user chose. */
settings_now work_settings(const work *work);
wadi_status work_mass(work *work, wadi_mass *mass);
double work_simulated_s(const work *work);

/* For the files of this folder. */
void work_count_steps(work *work); /* call after the simulation has stepped */
/* Takes `sim`, and destroys the current simulation. */
void work_make_current(work *work, wadi_sim *sim, size_t stage);

#endif
