/* tool.h: a tool: what the left button does on the terrain. */
#ifndef WADI_VIEWER_TOOLS_TOOL_H
#define WADI_VIEWER_TOOLS_TOOL_H

#include "viewer/session/session.h"
#include "viewer/view/pointer.h"

#include "wadi/paint.h"

/* What tools report. */
typedef struct tool_calls {
    void (*looked_at)(void *user, int x, int y); /* a cell is to be inspected */
    void (*section)(void *user);                 /* the look's line was drawn or moved */
} tool_calls;

/* What a tool works with. */
typedef struct tool_use {
    view *view;
    session *session;
    const view_pointer *pointer;
    const struct tool *tool; /* the current one */
    uint64_t group;          /* of the events since the press: they are one action */
    double radius_m, falloff;
    double strength;    /* of the current tool, per second */
    double source_rate; /* m3/s */
    tool_calls calls;
    void *user;
} tool_use;

/* A row of the tools' table. All functions may be NULL. `own` is `own_size` bytes for the tool alone, zero at first. */
typedef struct tool {
    const char *id, *label; /* of its action, "tool-<id>"; on its button */
    const char *key;        /* as gtk_shortcut_trigger_parse_string reads it */
    const char *title;      /* in the list of keys */
    const char *help;
    bool (*fits)(const wadi_model *model); /* whether the model can make use of it; NULL: each can */
    bool pours;                            /* it is set by the Discharge slider */
    /* a brush: unit is not NULL */
    wadi_brush brush, shifted; /* shifted: with Shift */
    const char *unit;          /* of strength */
    double least, usual, most; /* strength, for cells of 1 m */
    bool grows;                /* strength is a length: larger on larger cells */
    /* what it does */
    size_t own_size;
    void (*press)(tool_use *use, void *own);
    void (*drag)(tool_use *use, void *own);
    void (*hold)(tool_use *use, void *own, gint64 held_us); /* while it is pressed, moved or not */
    void (*release)(tool_use *use, void *own);
    void (*show)(tool_use *use, void *own, const session_info *info); /* the current tool or not */
} tool;

bool tool_is_brush(const tool *tool);
double tool_tidy(double cells); /* places as they are written in recipes: short, and read back as the same numbers */

#endif
