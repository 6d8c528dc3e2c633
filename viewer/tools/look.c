/* look.c: the tool that turns and moves the view. */
#include "viewer/tools/tool.h"

#include "viewer/view/camera.h"

static void drag(tool_use *use, void *own) {
    (void)own;
    view_drag_camera(use->view, use->pointer->shift);
}

const tool tool_look = {.id = "look",
                        .label = "Look",
                        .key = "1",
                        .title = "Look",
                        .help = "Turn the view by dragging; with Shift move it",
                        .drag = drag};
