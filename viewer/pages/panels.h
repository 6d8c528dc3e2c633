/* panels.h: the right side: one page each for the model, the water, the look and the figures. */
#ifndef WADI_VIEWER_PAGES_PANELS_H
#define WADI_VIEWER_PAGES_PANELS_H

#include "viewer/workbench.h"

typedef struct panels panels;
panels *panels_new(workbench *bench);
void panels_free(panels *panels); /* after its widget is gone */
GtkWidget *panels_widget(const panels *panels);
void panels_show(panels *panels);                          /* from the session's info */
void panels_show_look(panels *panels);                     /* from the view's look */
void panels_overlay(panels *panels, int by);               /* switches to the next overlay, or an earlier one */
void panels_lend_overlay(panels *panels, const char *map); /* that of a tool; NULL: the user's own again */
void panels_find(panels *panels);                          /* starts a search for a parameter by name */
void panels_save_preset(panels *panels);                   /* asks for the name of a preset */
void panels_show_figures(panels *panels);                  /* brings the figures page to the front */

#endif
