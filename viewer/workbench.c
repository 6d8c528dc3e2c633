/* workbench.c: connects the view and the tools. */
#include "viewer/workbench.h"

#include "viewer/view/view.h"

#include <math.h>

static workbench *of(void *user) { return user; }
static void pressed(void *user) { toolbox_pressed(of(user)->toolbox); }
static void dragged(void *user) { toolbox_dragged(of(user)->toolbox); }
static void held(void *user, gint64 held_us) { toolbox_held(of(user)->toolbox, held_us); }
static void released(void *user) { toolbox_released(of(user)->toolbox); }
static void pointed(void *user) { toolbox_pointed(of(user)->toolbox); }
static void scrolled(void *user, double lines) { tools_grow(of(user)->tools, pow(1.12, -lines)); }
static void framed(void *user, bool other) { of(user)->calls.framed(of(user)->user, other); }

static void tools_said(void *user) {
    if (!of(user)->view) return;
    of(user)->calls.tooled(of(user)->user);
    view_redraw(of(user)->view);
}

void workbench_init(workbench *bench, GtkWidget *window, const run_options *options, const workbench_calls *calls,
                    void *user) {
    static const view_calls view_calls = {pressed, dragged, held, released, pointed, scrolled, framed};
    *bench = (workbench){.window = window, .calls = *calls, .user = user};
    bench->info = g_new0(session_info, 1);
    bench->toast = toast_new();
    bench->session = session_new(options);
    bench->tools = tools_new(tools_said, bench);
    bench->toolbox = toolbox_new(bench->session, bench->tools, &calls->tools, user);
    bench->view = view_new(bench->session, &view_calls, bench);
    toolbox_set_view(bench->toolbox, bench->view);
}

void workbench_end(workbench *bench) {
    session_free(bench->session);
    view_free(bench->view);
    toolbox_free(bench->toolbox);
    tools_free(bench->tools);
    toast_free(bench->toast);
    g_free(bench->info);
}

bool workbench_unsaved(const workbench *bench) {
    return bench->info->terrain && bench->info->edits != bench->info->saved_edits;
}
