/* source.c: the tool that places, moves and removes river sources. */
#include "viewer/tools/tool.h"

#include <math.h>
#include <string.h>

enum { FLOWING = 0x2f8fe6, SWITCHED_OFF = 0x8a8a8a }; /* colours of the marks */

typedef struct rivers {
    wadi_source sources[SESSION_SOURCES];
    wadi_mark marks[SESSION_SOURCES]; /* the marks that the look shows */
    size_t count;
    bool held; /* the pointer holds sources[held_index] */
    size_t held_index;
} rivers;

static void show_marks(tool_use *use, rivers *rivers) {
    wadi_look *look = view_look(use->view);
    for (size_t i = 0; i < rivers->count; i++) {
        const wadi_source *source = &rivers->sources[i];
        const unsigned colour = source->rate_m3s > 0 ? FLOWING : SWITCHED_OFF;
        rivers->marks[i] = (wadi_mark){source->x, source->y, source->radius_m, colour, true};
    }
    look->marks = rivers->marks;
    look->mark_count = rivers->count;
}

static void send(tool_use *use, rivers *rivers, const char *label) {
    show_marks(use, rivers);
    session_set_sources(use->session, rivers->sources, rivers->count, label, use->group);
}

/* Holds the source nearest to the pointer, if one is near. */
static void find(const tool_use *use, rivers *rivers) {
    const session_frame *frame = view_frame(use->view);
    double best = INFINITY;
    rivers->held = false;
    for (size_t i = 0; i < rivers->count; i++) {
        const wadi_source *source = &rivers->sources[i];
        const double far =
            hypot((source->x - use->pointer->over_x) * frame->lx, (source->y - use->pointer->over_y) * frame->ly);
        const double near_enough = fmax(source->radius_m, 0.015 * view_camera(use->view)->distance);
        if (far <= near_enough && far < best) best = far, rivers->held = true, rivers->held_index = i;
    }
}

static void take_away(tool_use *use, rivers *rivers) {
    rivers->count--;
    for (size_t i = rivers->held_index; i < rivers->count; i++) rivers->sources[i] = rivers->sources[i + 1];
    rivers->held = false;
    send(use, rivers, "source taken away");
}

static void add(tool_use *use, rivers *rivers) {
    rivers->held = true, rivers->held_index = rivers->count;
    rivers->sources[rivers->count++] = (wadi_source){tool_tidy(use->pointer->over_x),
                                                     tool_tidy(use->pointer->over_y),
                                                     (double)(float)use->radius_m / 4,
                                                     (double)(float)use->source_rate,
                                                     0,
                                                     INFINITY};
    send(use, rivers, "source");
}

static void press(tool_use *use, void *own) {
    rivers *rivers = own;
    if (!use->pointer->over || !view_frame(use->view)) return;
    find(use, rivers);
    if (use->pointer->control && rivers->held)
        take_away(use, rivers);
    else if (!rivers->held && !use->pointer->control && rivers->count < SESSION_SOURCES)
        add(use, rivers);
}

static void drag(tool_use *use, void *own) {
    rivers *rivers = own;
    const session_frame *frame = view_frame(use->view);
    if (!rivers->held || !use->pointer->over || !frame) return;
    wadi_source *source = &rivers->sources[rivers->held_index];
    source->x = tool_tidy(fmin(fmax(use->pointer->over_x, 0), frame->width - 0.02));
    source->y = tool_tidy(fmin(fmax(use->pointer->over_y, 0), frame->height - 0.02));
    send(use, rivers, "source moved");
}

static void release(tool_use *use, void *own) {
    (void)use;
    ((rivers *)own)->held = false;
}

static void show(tool_use *use, void *own, const session_info *info) {
    rivers *rivers = own;
    if (use->pointer->pressed && use->tool->show == show) return; /* the user is moving a source */
    const bool same = rivers->count == info->source_count &&
                      memcmp(rivers->sources, info->sources, info->source_count * sizeof *info->sources) == 0;
    if (same) return;
    rivers->count = info->source_count;
    memcpy(rivers->sources, info->sources, sizeof rivers->sources);
    show_marks(use, rivers);
    view_redraw(use->view);
}

const tool tool_source = {.id = "source",
                          .label = "River",
                          .key = "4",
                          .title = "River sources",
                          .help = "Click to place a river's source, drag to move it; with Ctrl click to take it away",
                          .pours = true,
                          .own_size = sizeof(rivers),
                          .press = press,
                          .drag = drag,
                          .release = release,
                          .show = show};
