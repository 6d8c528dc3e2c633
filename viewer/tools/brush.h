/* brush.h: what all brushes share: a stroke is painted while the button is held. */
#ifndef WADI_VIEWER_TOOLS_BRUSH_H
#define WADI_VIEWER_TOOLS_BRUSH_H

#include "viewer/tools/tool.h"

typedef struct brush_stroke {
    bool begun; /* set when the pointer first reaches the ground */
    double last_x, last_y, level_m;
    gint64 beats; /* thirtieths of a second that are painted */
} brush_stroke;

void brush_press(tool_use *use, void *own);
void brush_hold(tool_use *use, void *own, gint64 held_us);

/* The members that all rows of brushes share. */
#define BRUSH_ACTS .own_size = sizeof(brush_stroke), .press = brush_press, .hold = brush_hold

#endif
