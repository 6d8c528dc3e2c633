/* tools.h: what the left button does on the terrain, and the panel that chooses it. */
#ifndef WADI_VIEWER_TOOLS_H
#define WADI_VIEWER_TOOLS_H

#include <gtk/gtk.h>

#include "wadi/paint.h"

typedef enum tool {
    TOOL_LOOK, /* turns the camera */
    TOOL_INSPECT,
    TOOL_SECTION,
    TOOL_SOURCE,
    TOOL_SUN,
    TOOL_BRUSHES, /* the tools from here on are brushes */
    TOOL_RAISE = TOOL_BRUSHES,
    TOOL_SMOOTH,
    TOOL_FLATTEN,
    TOOL_WATER,
    TOOL_HARDNESS,
    TOOL_MASK,
    TOOL_RAIN,
    TOOLS
} tool;

typedef struct tool_facts {
    const char *id, *label, *key, *help;
    wadi_brush brush, other;   /* what Shift makes of it */
    const char *unit;          /* of strength, per second */
    double least, usual, most; /* strength, for cells of 1 m */
    bool grows;                /* it is a length: larger on larger cells */
} tool_facts;
extern const tool_facts tool_table[TOOLS];

typedef struct tools tools;
typedef void tools_changed(void *user);
/* The panel. */
tools *tools_new(tools_changed *changed, void *user);
void tools_free(tools *tools); /* once its widget is gone */
GtkWidget *tools_widget(const tools *tools);
tool tools_now(const tools *tools);
void tools_choose(tools *tools, tool tool);
/* What the model knows: hardness, rain by place. */
void tools_allow(tools *tools, bool hardness, bool rain);
void tools_set_cell(tools *tools, double cell_m, int columns);
double tools_radius_m(const tools *tools);
double tools_falloff(const tools *tools);
double tools_strength(const tools *tools);    /* of the tool now, per second */
double tools_source_rate(const tools *tools); /* m3/s */
void tools_grow(tools *tools, double by);     /* the radius */
void tools_grow_strength(tools *tools, double by);
bool tool_is_brush(tool tool);

#endif
