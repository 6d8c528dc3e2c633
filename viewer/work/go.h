/* go.h: the work steps on, and goes to any place of what was done. */
#ifndef WADI_VIEWER_WORK_GO_H
#define WADI_VIEWER_WORK_GO_H

#include "viewer/work/work.h"

/* Forgets what was undone. If a value stops being finite, the work goes back to the last checkpoint. */
wadi_status work_step(work *work, int64_t steps);

/* Called now and then on the way. Returns false to stop there. */
typedef bool work_going(void *context, double share);
/* `going` may be NULL. */
wadi_status work_go(work *work, work_place place, work_going *going, void *context);

/* How many steps to make at once next, so that they take between half of most_s and most_s: the last `made` steps took
 * `seconds`. */
int64_t work_piece(int64_t piece, int64_t made, double seconds, double most_s);

#endif
