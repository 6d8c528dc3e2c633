/* save.h: writes the work to a file. A file appears whole or not at all. */
#ifndef WADI_VIEWER_WORK_SAVE_H
#define WADI_VIEWER_WORK_SAVE_H

#include "viewer/work/work.h"

wadi_status work_save(const work *work, const char *path);         /* the file of work */
wadi_status work_write_recipe(const work *work, const char *path); /* of what was done, for `wadi run --recipe` */

#endif
