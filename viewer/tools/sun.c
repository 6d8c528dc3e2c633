/* sun.c: the tool that drags the sun. */
#include "viewer/tools/tool.h"

#include <math.h>

typedef struct sun {
    double azimuth, elevation; /* when the button was pressed */
} sun;

static void press(tool_use *use, void *own) {
    sun *sun = own;
    sun->azimuth = view_look(use->view)->sun_azimuth, sun->elevation = view_look(use->view)->sun_elevation;
}

static void drag(tool_use *use, void *own) {
    const sun *sun = own;
    const view_pointer *pointer = use->pointer;
    wadi_look *look = view_look(use->view);
    const double dx = pointer->x - pointer->drag_x, dy = pointer->y - pointer->drag_y;
    look->sun_azimuth = fmod(sun->azimuth + 0.4 * dx + 720, 360);
    look->sun_elevation = fmin(fmax(sun->elevation - 0.2 * dy, 3), 90);
}

const tool tool_sun = {.id = "sun",
                       .label = "Sun",
                       .key = "5",
                       .title = "Drag the sun",
                       .help = "Drag the sun: across for its direction, up for its height",
                       .own_size = sizeof(sun),
                       .press = press,
                       .drag = drag};
