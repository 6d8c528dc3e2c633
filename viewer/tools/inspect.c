/* inspect.c: the tool that reads a cell. */
#include "viewer/tools/tool.h"

#include <math.h>

static void press(tool_use *use, void *own) {
    const view_pointer *pointer = use->pointer;
    (void)own;
    if (pointer->over) use->calls.looked_at(use->user, (int)floor(pointer->over_x), (int)floor(pointer->over_y));
}

const tool tool_inspect = {.id = "inspect",
                           .label = "Inspect",
                           .key = "2",
                           .title = "Inspect a cell",
                           .help = "Click a cell to read all its fields",
                           .press = press};
