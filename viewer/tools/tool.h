/* tool.h: a tool: what the left button does on the terrain. */
#ifndef WADI_VIEWER_TOOLS_TOOL_H
#define WADI_VIEWER_TOOLS_TOOL_H

#include "viewer/session/session.h"
#include "viewer/view/pointer.h"

#include "wadi/paint.h"

/* Calls by which tools report to the window. */
typedef struct tool_calls {
    void (*looked_at)(void *user, int x, int y); /* a cell is to be inspected */
    void (*section)(void *user);                 /* the section line was drawn or moved */
} tool_calls;

/* The state that a tool works with. */
typedef struct tool_use {
    view *view;
    session *session;
    const view_pointer *pointer;
    const struct tool *tool; /* the current one */
    uint64_t group;          /* the events since the press form one group, hence one action */
    double radius_m, falloff;
    double strength;    /* of the current tool, per second */
    double source_rate; /* m3/s */
    tool_calls calls;
    void *user;
} tool_use;

/* A row of the table of tools. All functions may be NULL. `own` is the tool's memory of `own_size` bytes, zero at
 * first. */
typedef struct tool {
    const char *id, *label; /* the action is "tool-<id>"; the label is the button's */
    const char *key;        /* as gtk_shortcut_trigger_parse_string reads it */
    const char *title;      /* in the list of keys */
    const char *help;
    bool (*fits)(const wadi_model *model); /* whether the tool has an effect in this model; NULL: in every model */
    bool pours;                            /* uses the Discharge slider */
    /* a brush, if unit is not NULL */
    wadi_brush brush, shifted; /* shifted: with Shift */
    const char *unit;          /* of strength */
    double least, usual, most; /* strength, for cells of 1 m */
    const char *shows;         /* the map that it paints, drawn over the ground meanwhile; NULL: none */
    bool grows;                /* strength is a length, which scales with the cell size */
    const char
        *of; /* if not NULL: strength is a multiple of this parameter's usual value, and unit follows the parameter's */
    /* behaviour */
    size_t own_size;
    void (*press)(tool_use *use, void *own);
    void (*drag)(tool_use *use, void *own);
    void (*hold)(tool_use *use, void *own, gint64 held_us); /* while the button is held, moved or not */
    void (*release)(tool_use *use, void *own);
    void (*show)(tool_use *use, void *own, const session_info *info); /* also for tools that are not current */
} tool;

bool tool_is_brush(const tool *tool);
double tool_tidy(double cells); /* rounds a place: short in recipes, and read back as the same number */

#endif
