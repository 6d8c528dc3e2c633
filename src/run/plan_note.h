/* plan_note.h: what a run is and where it stands, but for its simulations, as the note in a checkpoint. */
#ifndef WADI_RUN_PLAN_NOTE_H
#define WADI_RUN_PLAN_NOTE_H

#include "note.h"
#include "run_state.h"

wadi_status run_plan_put(note *note, const run *run);
/* `grid`: of the simulation that the note came with. *there, by stage: whether its simulation follows; free it.
 * Messages begin with `what`. */
wadi_status run_plan_take(note *note, const char *what, const wadi_def *grid, run *run, bool **there);
wadi_status run_plan_damaged(const char *what); /* the error */

#endif
