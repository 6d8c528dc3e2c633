/* checkpoints.h: checkpoints of the work, in memory. They thin out towards the past, within a budget. */
#ifndef WADI_VIEWER_WORK_CHECKPOINTS_H
#define WADI_VIEWER_WORK_CHECKPOINTS_H

#include "viewer/work/work.h"

wadi_status work_checkpoint(work *work); /* keeps the current state */
size_t work_checkpoints(const work *work);
work_place work_checkpoint_at(const work *work, size_t index);
void work_set_budget(work *work, uint64_t bytes);

/* For the files of this folder. */
void work_checkpoint_if_far(work *work);                           /* where repeating would take a while */
size_t work_checkpoint_before(const work *work, work_place place); /* at or before it; saved_count: none */
void work_drop_checkpoint(work *work, size_t index);
wadi_status work_restore(work *work, const work_saved *saved);

#endif
