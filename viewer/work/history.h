/* history.h: the actions that were done, and which of them can be undone and redone. */
#ifndef WADI_VIEWER_WORK_HISTORY_H
#define WADI_VIEWER_WORK_HISTORY_H

#include "viewer/work/work.h"

/* Begins an action that is not an event, for example a run. */
void work_note(work *work, const char *label);
/* The place to go to. false: there is nothing to undo or redo. The label lives as long as its mark. */
bool work_undo_place(const work *work, work_place *place, const char **label);
bool work_redo_place(const work *work, work_place *place, const char **label);
const work_mark *work_marks(const work *work, size_t *count);

/* For the files of this folder. */
bool work_has_future(const work *work); /* undone actions */
void work_cut_future(work *work);       /* drops them */
void work_add_mark(work *work, const char *label);
void work_drop_mark(work *work); /* the one that was just added */

#endif
