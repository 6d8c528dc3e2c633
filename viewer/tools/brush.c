/* brush.c: brush strokes. A stroke is a chain of dabs that lie so close that they merge. While the button is held, it
 * makes 30 dabs a second, whatever the frame rate. */
#include "viewer/tools/brush.h"

#include <math.h>
#include <string.h>

enum { BEATS_A_SECOND = 30, BEAT_US = G_USEC_PER_SEC / BEATS_A_SECOND, MOST_DABS = 64 };

static void send(tool_use *use, const wadi_dab *dabs, size_t count) {
    event event = {.kind = EVENT_PAINT, .dab_count = count, .dabs = g_memdup2(dabs, count * sizeof *dabs)};
    session_do(use->session, event, wadi_brush_name(dabs->brush), use->group);
}

/* A dab without its place. Its strength is that of a thirtieth of a second. */
static wadi_dab dab_of(const tool_use *use, const brush_stroke *stroke) {
    const double strength = (double)(float)(use->strength / BEATS_A_SECOND);
    const wadi_brush brush = use->pointer->shift ? use->tool->shifted : use->tool->brush;
    return (wadi_dab){.brush = brush,
                      .radius_m = (double)(float)use->radius_m,
                      .strength = strcmp(use->tool->unit, "/s") == 0 ? fmin(strength, 1) : strength,
                      .falloff = (double)(float)use->falloff,
                      .level_m = brush == WADI_BRUSH_FLATTEN ? stroke->level_m : 0};
}

static void begin(const tool_use *use, brush_stroke *stroke) {
    stroke->begun = true;
    stroke->last_x = use->pointer->over_x, stroke->last_y = use->pointer->over_y;
    stroke->level_m = (double)(float)view_height_at(use->view, stroke->last_x, stroke->last_y);
}

/* Paints on from the place of the last dab. */
static void paint(tool_use *use, brush_stroke *stroke, int beats) {
    wadi_dab dabs[MOST_DABS];
    const session_frame *frame = view_frame(use->view);
    if (!frame || !use->pointer->over) return;
    if (!stroke->begun) begin(use, stroke);
    const double x = use->pointer->over_x - stroke->last_x, y = use->pointer->over_y - stroke->last_y;
    const double dabs_apart = ceil(hypot(x * frame->lx, y * frame->ly) / (0.35 * use->radius_m));
    const int count = (int)fmin(fmax(dabs_apart, beats), MOST_DABS);
    for (int i = 0; i < count; i++) {
        const double t = (i + 1.0) / count;
        dabs[i] = dab_of(use, stroke);
        dabs[i].x = tool_tidy(stroke->last_x + t * x);
        dabs[i].y = tool_tidy(stroke->last_y + t * y);
    }
    stroke->last_x = use->pointer->over_x, stroke->last_y = use->pointer->over_y;
    send(use, dabs, (size_t)count);
}

void brush_hold(tool_use *use, void *own, gint64 held_us) {
    brush_stroke *stroke = own;
    const gint64 beats = 1 + held_us / BEAT_US - stroke->beats;
    if (beats < 1) return;
    view_point(use->view);
    paint(use, stroke, (int)MIN(beats, MOST_DABS));
    stroke->beats += beats;
}

void brush_press(tool_use *use, void *own) {
    brush_stroke *stroke = own;
    stroke->begun = false;
    stroke->beats = 0;
    brush_hold(use, own, 0);
}
