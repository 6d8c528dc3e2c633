/* toolbox.h: the tools of a view: passes pointer events to the current tool. */
#ifndef WADI_VIEWER_TOOLS_TOOLBOX_H
#define WADI_VIEWER_TOOLS_TOOLBOX_H

#include "viewer/tools/panel.h"

typedef struct toolbox toolbox;
/* The panel chooses the tool and sets its strength. */
toolbox *toolbox_new(session *session, const tools *panel, const tool_calls *calls, void *user);
void toolbox_free(toolbox *toolbox); /* call after the view is freed */
void toolbox_set_view(toolbox *toolbox, view *view);
void toolbox_show(toolbox *toolbox, const session_info *info); /* the work has changed */

/* The view calls these. */
void toolbox_pressed(toolbox *toolbox);
void toolbox_dragged(toolbox *toolbox);
void toolbox_held(toolbox *toolbox, gint64 held_us);
void toolbox_released(toolbox *toolbox);
void toolbox_pointed(toolbox *toolbox);

#endif
