/* centre.h: the terrain, and the widgets over it: legend, messages, progress, frame time. */
#ifndef WADI_VIEWER_CENTRE_H
#define WADI_VIEWER_CENTRE_H

#include "viewer/workbench.h"

typedef struct centre centre;
centre *centre_new(workbench *bench); /* freed with g_free, after its widget is gone */
GtkWidget *centre_widget(const centre *centre);
void centre_show(centre *centre);        /* from the session's info */
void centre_show_legend(centre *centre); /* legend of the overlay */
void centre_show_time(centre *centre);   /* time of the last pictures */

#endif
