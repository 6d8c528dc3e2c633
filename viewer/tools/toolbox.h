/* toolbox.h: the tools in use on a view: it passes what the pointer does to the current tool. */
#ifndef WADI_VIEWER_TOOLS_TOOLBOX_H
#define WADI_VIEWER_TOOLS_TOOLBOX_H

#include "viewer/tools/panel.h"

typedef struct toolbox toolbox;
/* The panel chooses the tool and sets its strength. */
toolbox *toolbox_new(session *session, const tools *panel, const tool_calls *calls, void *user);
void toolbox_free(toolbox *toolbox); /* after the view */
void toolbox_set_view(toolbox *toolbox, view *view);
void toolbox_show(toolbox *toolbox, const session_info *info); /* what has changed in the work */

/* For the view's calls. */
void toolbox_pressed(toolbox *toolbox);
void toolbox_dragged(toolbox *toolbox);
void toolbox_held(toolbox *toolbox, gint64 held_us);
void toolbox_released(toolbox *toolbox);
void toolbox_pointed(toolbox *toolbox);

#endif
