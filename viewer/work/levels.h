/* levels.h: from coarse to fine in the work. The levels are the beginning of what was done, and nothing else can be
 * done before they are. What is done afterwards belongs to a stage of its own, so that a recipe can repeat it. */
#ifndef WADI_VIEWER_WORK_LEVELS_H
#define WADI_VIEWER_WORK_LEVELS_H

#include "viewer/work/work.h"

wadi_status work_leave_levels(work *work); /* at their end: begins a stage for what follows */

/* Whether the work can begin from coarse to fine, or on one level again: nothing but parameters was changed yet. */
bool work_can_begin_levels(const work *work);
/* From coarse to fine for as long as the preset says, or on one level. Cannot be undone, but called again. */
wadi_status work_begin_levels(work *work, bool coarse_to_fine);

#endif
