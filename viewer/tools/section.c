/* section.c: the tool that draws the line of a cross-section. */
#include "viewer/tools/tool.h"

static void press(tool_use *use, void *own) {
    wadi_look *look = view_look(use->view);
    (void)own;
    if (!use->pointer->over) return;
    look->line = false;
    look->line_x0 = use->pointer->over_x, look->line_y0 = use->pointer->over_y;
}

static void drag(tool_use *use, void *own) {
    wadi_look *look = view_look(use->view);
    (void)own;
    if (!use->pointer->over) return;
    look->line = true;
    look->line_x1 = use->pointer->over_x, look->line_y1 = use->pointer->over_y;
    use->calls.section(use->user);
}

const tool tool_section = {.id = "section",
                           .label = "Section",
                           .key = "3",
                           .title = "Cross-section",
                           .help = "Drag from one point to another for a cross-section",
                           .press = press,
                           .drag = drag};
