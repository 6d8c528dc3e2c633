/* change.h: what the user changes: events (painting, parameters, sources, rain), and the model. */
#ifndef WADI_VIEWER_WORK_CHANGE_H
#define WADI_VIEWER_WORK_CHANGE_H

#include "viewer/work/work.h"

/* Both forget what was undone. */

/* Takes what the event owns, and sets its `at`. Events of one group (not 0) that follow each other are one action. */
wadi_status work_do(work *work, event event, const char *label, uint64_t group);
/* Gives a map from a file to a field or a parameter (run/map_input.h): an event too. */
wadi_status work_import(work *work, const char *name, const char *path);
/* Continues with another model, or the same model with another border. `preset` may be NULL. */
wadi_status work_switch(work *work, const wadi_def *def, const char *preset, const char *label);

#endif
