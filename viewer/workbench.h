/* workbench.h: connects the session, the view of its terrain, and the tools. Panels, files and actions use it. */
#ifndef WADI_VIEWER_WORKBENCH_H
#define WADI_VIEWER_WORKBENCH_H

#include "viewer/toast.h"
#include "viewer/tools/toolbox.h"

/* What the workbench reports. */
typedef struct workbench_calls {
    tool_calls tools;
    void (*framed)(void *user, bool other); /* a frame has arrived; other: it belongs to another state */
    void (*tooled)(void *user);             /* a tool was chosen or set; not before there is a view */
} workbench_calls;

typedef struct workbench {
    GtkWidget *window; /* for dialogs */
    session *session;
    session_info *info; /* the last one taken */
    tools *tools;
    toolbox *toolbox;
    view *view;
    toast *toast;
    workbench_calls calls;
    void *user;
} workbench;

void workbench_init(workbench *bench, GtkWidget *window, const run_options *options, const workbench_calls *calls,
                    void *user);
void workbench_end(workbench *bench);           /* after the widgets are gone; waits for the session */
bool workbench_unsaved(const workbench *bench); /* whether there are unsaved changes */

#endif
