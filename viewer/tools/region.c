/* region.c: the tools that limit erosion to a region, by the mask: a circle or an outline, and with Shift what was
 * there before, too. */
#include "viewer/tools/tool.h"

#include <math.h>

/* --- both --- */

static void send_event(tool_use *use, event_kind kind, const wadi_dab *dabs, size_t count) {
    session_do(use->session, (event){.kind = kind, .dab_count = count, .dabs = g_memdup2(dabs, count * sizeof *dabs)},
               "erode here", use->group);
}

static void send_everywhere(tool_use *use, const session_frame *frame, wadi_brush brush) {
    const wadi_dab dab = {.brush = brush,
                          .x = tool_tidy(0.5 * frame->width),
                          .y = tool_tidy(0.5 * frame->height),
                          .radius_m = ceil(hypot(frame->width * frame->lx, frame->height * frame->ly)),
                          .strength = 1};
    send_event(use, EVENT_PAINT, &dab, 1);
}

/* Whether a region begins. With Ctrl there is none. */
static bool begins(tool_use *use) {
    const session_frame *frame = view_frame(use->view);
    if (frame && use->pointer->control) send_everywhere(use, frame, WADI_BRUSH_EXPOSE);
    return frame && use->pointer->over && !use->pointer->control;
}

/* --- a circle --- */

typedef struct region {
    bool begun; /* a circle is drawn from this place: */
    double x, y, radius_m;
} region;

static void press(tool_use *use, void *own) {
    region *region = own;
    region->begun = begins(use);
    region->x = tool_tidy(use->pointer->over_x), region->y = tool_tidy(use->pointer->over_y);
    region->radius_m = 0;
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
    const wadi_dab dab = {.brush = WADI_BRUSH_EXPOSE,
                          .x = region->x,
                          .y = region->y,
                          .radius_m = region->radius_m,
                          .strength = 1,
                          .falloff = (double)(float)use->falloff};
    send_event(use, EVENT_PAINT, &dab, 1);
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

/* --- an outline --- */

enum { MOST_CORNERS = 512 };

typedef struct lasso {
    bool begun;
    double apart; /* cells between corners */
    double xy[MOST_CORNERS][2];
    size_t count;
} lasso;

/* Every second corner stays, and from now on they lie twice as far apart. */
static void thin_out(lasso *lasso) {
    for (size_t i = 0; i < lasso->count / 2; i++) {
        lasso->xy[i][0] = lasso->xy[2 * i][0];
        lasso->xy[i][1] = lasso->xy[2 * i][1];
    }
    lasso->count /= 2;
    lasso->apart *= 2;
}

static void add_corner(lasso *lasso, double x, double y) {
    const double *last = lasso->count > 0 ? lasso->xy[lasso->count - 1] : NULL;
    if (last && hypot(x - last[0], y - last[1]) < lasso->apart) return;
    if (lasso->count == MOST_CORNERS) thin_out(lasso);
    lasso->xy[lasso->count][0] = tool_tidy(x);
    lasso->xy[lasso->count++][1] = tool_tidy(y);
}

static void show_outline(tool_use *use, const lasso *lasso) {
    wadi_look *look = view_look(use->view);
    look->outline = lasso->xy;
    look->outline_corners = lasso->begun ? lasso->count : 0;
}

static void press_lasso(tool_use *use, void *own) {
    lasso *lasso = own;
    lasso->begun = begins(use);
    lasso->count = 0;
    lasso->apart = 1;
    if (lasso->begun) add_corner(lasso, use->pointer->over_x, use->pointer->over_y);
}

static void drag_lasso(tool_use *use, void *own) {
    lasso *lasso = own;
    if (!lasso->begun || !use->pointer->over) return;
    add_corner(lasso, use->pointer->over_x, use->pointer->over_y);
    show_outline(use, lasso);
}

static double width_of(const lasso *lasso, int axis) {
    double low = lasso->xy[0][axis], high = low;
    for (size_t i = 1; i < lasso->count; i++) {
        low = fmin(low, lasso->xy[i][axis]);
        high = fmax(high, lasso->xy[i][axis]);
    }
    return high - low;
}

/* Half the narrower side of the box around it. */
static double radius_of(const lasso *lasso, const session_frame *frame) {
    return (double)(float)(0.5 * fmin(width_of(lasso, 0) * frame->lx, width_of(lasso, 1) * frame->ly));
}

static void send_outline(tool_use *use, const lasso *lasso, double radius_m) {
    wadi_dab corners[MOST_CORNERS];
    for (size_t i = 0; i < lasso->count; i++)
        corners[i] = (wadi_dab){.brush = WADI_BRUSH_EXPOSE,
                                .x = lasso->xy[i][0],
                                .y = lasso->xy[i][1],
                                .radius_m = radius_m,
                                .strength = 1,
                                .falloff = (double)(float)use->falloff};
    send_event(use, EVENT_AREA, corners, lasso->count);
}

/* A click or a line is no region. */
static void release_lasso(tool_use *use, void *own) {
    lasso *lasso = own;
    const session_frame *frame = view_frame(use->view);
    const double radius_m = frame && lasso->count >= 3 ? radius_of(lasso, frame) : 0;
    if (!lasso->begun) return;
    lasso->begun = false;
    show_outline(use, lasso);
    if (!frame || !(radius_m > fmin(frame->lx, frame->ly))) return;
    if (!use->pointer->shift) send_everywhere(use, frame, WADI_BRUSH_PROTECT);
    send_outline(use, lasso, radius_m);
}

const tool tool_lasso = {
    .id = "lasso",
    .label = "Lasso",
    .key = "r",
    .title = "Lasso, erode inside: an outline; with Shift one more, with Ctrl everywhere",
    .help = "Draw around an area: it erodes there alone. With Shift there too; Ctrl and a click: everywhere",
    .shows = "mask",
    .own_size = sizeof(lasso),
    .press = press_lasso,
    .drag = drag_lasso,
    .release = release_lasso};
