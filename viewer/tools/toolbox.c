/* toolbox.c: the current tool and its state. */
#include "viewer/tools/toolbox.h"

#include "viewer/tools/table.h"

struct toolbox {
    const tools *panel;
    tool_use use;
    void *own[TOOLS]; /* one for each tool; reference-counted */
};

/* Tools with the same press function share their memory. So a stroke goes on when the user chooses another brush. */
static void *new_own(const toolbox *toolbox, int number) {
    const tool *tool = tool_table[number];
    for (int i = 0; i < number; i++)
        if (tool->press && tool_table[i]->press == tool->press) return g_rc_box_acquire(toolbox->own[i]);
    return g_rc_box_alloc0(MAX(tool->own_size, 1));
}

toolbox *toolbox_new(session *session, const tools *panel, const tool_calls *calls, void *user) {
    toolbox *toolbox = g_new0(struct toolbox, 1);
    toolbox->panel = panel;
    toolbox->use = (tool_use){.session = session, .calls = *calls, .user = user};
    for (int i = 0; i < TOOLS; i++) toolbox->own[i] = new_own(toolbox, i);
    return toolbox;
}

void toolbox_free(toolbox *toolbox) {
    for (int i = 0; i < TOOLS; i++) g_rc_box_release(toolbox->own[i]);
    g_free(toolbox);
}

void toolbox_set_view(toolbox *toolbox, view *view) {
    toolbox->use.view = view;
    toolbox->use.pointer = view_get_pointer(view);
}

/* Updates the state with the settings of the panel. */
static tool_use *use_now(toolbox *toolbox) {
    tool_use *use = &toolbox->use;
    const tools *panel = toolbox->panel;
    use->tool = tools_now(panel);
    use->radius_m = tools_radius_m(panel);
    use->falloff = tools_falloff(panel);
    use->strength = tools_strength(panel);
    use->source_rate = tools_source_rate(panel);
    return use;
}

static void *own_of(const toolbox *toolbox) {
    for (int i = 0; i < TOOLS; i++)
        if (tool_table[i] == toolbox->use.tool) return toolbox->own[i];
    return NULL;
}

void toolbox_pressed(toolbox *toolbox) {
    tool_use *use = use_now(toolbox);
    use->group = session_group(use->session, NULL);
    if (use->tool->press) use->tool->press(use, own_of(toolbox));
}

void toolbox_dragged(toolbox *toolbox) {
    tool_use *use = use_now(toolbox);
    if (use->tool->drag) use->tool->drag(use, own_of(toolbox));
}

void toolbox_held(toolbox *toolbox, gint64 held_us) {
    tool_use *use = use_now(toolbox);
    if (use->tool->hold) use->tool->hold(use, own_of(toolbox), held_us);
}

void toolbox_released(toolbox *toolbox) {
    tool_use *use = use_now(toolbox);
    for (int i = 0; i < TOOLS; i++)
        if (tool_table[i]->release) tool_table[i]->release(use, toolbox->own[i]);
}

/* A brush shows a ring around the pointer. */
void toolbox_pointed(toolbox *toolbox) {
    const tool_use *use = use_now(toolbox);
    wadi_look *look = view_look(use->view);
    const bool ring = use->pointer->over && tool_is_brush(use->tool);
    look->ring_radius_m = ring ? use->radius_m : 0;
    look->ring_falloff = use->falloff;
    look->ring_x = use->pointer->over_x, look->ring_y = use->pointer->over_y;
}

void toolbox_show(toolbox *toolbox, const session_info *info) {
    tool_use *use = use_now(toolbox);
    for (int i = 0; i < TOOLS; i++)
        if (tool_table[i]->show) tool_table[i]->show(use, toolbox->own[i], info);
}
