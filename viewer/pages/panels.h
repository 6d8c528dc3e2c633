/* panels.h: the right side: a page for the model, the water, the look and the figures. */
#ifndef WADI_VIEWER_PAGES_PANELS_H
#define WADI_VIEWER_PAGES_PANELS_H

#include "viewer/workbench.h"

typedef struct panels panels;
panels *panels_new(workbench *bench);
void panels_free(panels *panels); /* after its widget is gone */
GtkWidget *panels_widget(const panels *panels);
void panels_show(panels *panels);            /* what the session's info says */
void panels_show_look(panels *panels);       /* what the view's look says */
void panels_overlay(panels *panels, int by); /* the next map over the ground, or an earlier one */
void panels_find(panels *panels);            /* a parameter, by the name that is typed */
void panels_show_figures(panels *panels);    /* brings that page to the front */

#endif
