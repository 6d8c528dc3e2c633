/* stages.h: from one stage of the work to the next. */
#ifndef WADI_VIEWER_WORK_STAGES_H
#define WADI_VIEWER_WORK_STAGES_H

#include "viewer/work/work.h"

/* Appends a stage, which begins with the sources of the current simulation. `preset` may be NULL. */
wadi_status work_add_stage(work *work, const wadi_def *def, const char *preset);
wadi_status work_append(work *work, const wadi_def *def, const char *preset); /* and enters it */
/* Packs the simulations of a run that has just been made, but the current one. */
wadi_status work_settle(work *work);
wadi_status work_enter_next(work *work); /* makes the stage after the current one current */
/* Keeps the hardness of `from` in the work, where the model of `next` has none. */
wadi_status work_keep_hardness(work *work, const wadi_sim *from, const wadi_sim *next);

#endif
