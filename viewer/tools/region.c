/* region.c: the tool that limits erosion to a region, by the mask: a circle, and with Shift the circles before, too. */
#include "viewer/tools/tool.h"

#include <math.h>

typedef struct region {
    bool begun; /* a circle is drawn from this place: */
    double x, y, radius_m;
} region;

static void send(tool_use *use, wadi_dab dab) {
    session_do(use->session, (event){.kind = EVENT_PAINT, .dab_count = 1, .dabs = g_memdup2(&dab, sizeof dab)},
               "erode here", use->group);
}

static void send_everywhere(tool_use *use, const session_frame *frame, wadi_brush brush) {
    send(use, (wadi_dab){.brush = brush,
                         .x = tool_tidy(0.5 * frame->width),
                         .y = tool_tidy(0.5 * frame->height),
                         .radius_m = ceil(hypot(frame->width * frame->lx, frame->height * frame->ly)),
                         .strength = 1});
}

static void press(tool_use *use, void *own) {
    region *region = own;
    const session_frame *frame = view_frame(use->view);
    region->begun = frame && use->pointer->over && !use->pointer->control;
    region->x = tool_tidy(use->pointer->over_x), region->y = tool_tidy(use->pointer->over_y);
    region->radius_m = 0;
    if (frame && use->pointer->control) send_everywhere(use, frame, WADI_BRUSH_EXPOSE);
}

static void drag(tool_use *use, void *own) {
    region *region = own;
    wadi_look *look = view_look(use->view);
    const session_frame *frame = view_frame(use->view);
    if (!region->begun || !frame) return;
    const double x = use->pointer->over_x - region->x, y = use->pointer->over_y - region->y;
    if (use->pointer->over) region->radius_m = (double)(float)hypot(x * frame->lx, y * frame->ly);
    look->ring_x = region->x, look->ring_y = region->y;
    look->ring_radius_m = region->radius_m, look->ring_falloff = use->falloff;
}

/* A click that does not move is no circle. */
static void release(tool_use *use, void *own) {
    region *region = own;
    const session_frame *frame = view_frame(use->view);
    const bool drawn = region->begun && frame && region->radius_m > fmin(frame->lx, frame->ly);
    region->begun = false;
    if (!drawn) return;
    if (!use->pointer->shift) send_everywhere(use, frame, WADI_BRUSH_PROTECT);
    send(use, (wadi_dab){.brush = WADI_BRUSH_EXPOSE,
                         .x = region->x,
                         .y = region->y,
                         .radius_m = region->radius_m,
                         .strength = 1,
                         .falloff = (double)(float)use->falloff});
}

const tool tool_region = {
    .id = "region",
    .label = "Erode here",
    .key = "backslash",
    .title = "Erode here: a circle; with Shift one more, with Ctrl everywhere",
    .help = "Drag a circle: it erodes there alone. With Shift there too; Ctrl and a click: everywhere",
    .shows = "mask",
    .own_size = sizeof(region),
    .press = press,
    .drag = drag,
    .release = release};
