/* view.h: the widget that shows the terrain, drawn by OpenGL. */
#ifndef WADI_VIEWER_VIEW_H
#define WADI_VIEWER_VIEW_H

#include "viewer/view/view_state.h"

view *view_new(session *session, const view_calls *calls, void *user);
void view_free(view *view); /* after its widget is gone */

#endif
