/* centre.h: the terrain, and what lies over it: legend, messages, progress, the time of a picture. */
#ifndef WADI_VIEWER_CENTRE_H
#define WADI_VIEWER_CENTRE_H

#include "viewer/workbench.h"

typedef struct centre centre;
centre *centre_new(workbench *bench); /* freed with g_free, after its widget is gone */
GtkWidget *centre_widget(const centre *centre);
void centre_show(centre *centre);        /* what the session's info says */
void centre_show_legend(centre *centre); /* of the map over the ground */
void centre_show_time(centre *centre);   /* of the last pictures */

#endif
