/* pointer.h: mouse and keyboard input on the terrain. */
#ifndef WADI_VIEWER_VIEW_POINTER_H
#define WADI_VIEWER_VIEW_POINTER_H

#include "viewer/view/view_state.h"

const view_pointer *view_get_pointer(const view *view);
void view_point(view *view); /* finds the place under the pointer again */

/* For the files of this folder. */
void view_listen(view *view);
void view_hold(view *view, gint64 held_us); /* reports that the left button is still held */

#endif
