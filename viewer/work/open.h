/* open.h: opens the work from a file. */
#ifndef WADI_VIEWER_WORK_OPEN_H
#define WADI_VIEWER_WORK_OPEN_H

#include "viewer/work/work.h"

#include "run/run_options.h"

/* The file is a heightmap, a run folder, a recipe,
 * or a file of work. `options` are those of wadi run. */
wadi_status work_open(const char *path, const run_options *options, work **work);
wadi_status work_open_text(const char *text, const run_options *options, work **work); /* of a recipe */
/* A landscape of `wadi demo`, small unless the options say how many cells. */
wadi_status work_open_look(const char *name, const run_options *options, work **work);
void work_close(work *work); /* takes NULL */

#endif
