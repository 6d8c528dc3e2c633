/* panel.h: the panel that chooses the tool and sets its size and strength. */
#ifndef WADI_VIEWER_TOOLS_PANEL_H
#define WADI_VIEWER_TOOLS_PANEL_H

#include <gtk/gtk.h>

#include "viewer/tools/table.h"

typedef struct tools tools;
typedef void tools_changed(void *user); /* by the user or by the program */

tools *tools_new(tools_changed *changed, void *user);
void tools_free(tools *tools); /* after its widget is gone */
GtkWidget *tools_widget(const tools *tools);
const tool *tools_now(const tools *tools);
void tools_choose(tools *tools, int number);         /* index in tool_table */
void tools_allow(tools *tools, const wadi_def *def); /* enables the tools that fit the model; before, none is */
void tools_set_cell(tools *tools, double cell_m, int columns); /* of the terrain */
double tools_radius_m(const tools *tools);
double tools_falloff(const tools *tools);
double tools_strength(const tools *tools);    /* strength of the current tool, per second */
double tools_source_rate(const tools *tools); /* m3/s */
void tools_grow(tools *tools, double by);     /* changes the radius by a factor */
void tools_grow_strength(tools *tools, double by);

#endif
