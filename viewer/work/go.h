/* go.h: makes steps, and goes to any place of the history. */
#ifndef WADI_VIEWER_WORK_GO_H
#define WADI_VIEWER_WORK_GO_H

#include "viewer/work/work.h"

/* Drops undone actions. If a value is no longer finite, the work goes back to the last checkpoint. */
wadi_status work_step(work *work, int64_t steps);

/* Called from time to time on the way. Returns false to stop there. */
typedef bool work_going(void *context, double share);
/* `going` may be NULL. */
wadi_status work_go(work *work, work_place place, work_going *going, void *context);

#endif
