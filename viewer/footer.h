/* footer.h: the bar at the bottom: play, speed, the timeline and the current step. */
#ifndef WADI_VIEWER_FOOTER_H
#define WADI_VIEWER_FOOTER_H

#include "viewer/workbench.h"

typedef struct footer footer;
footer *footer_new(workbench *bench); /* freed with g_free, after its widget is gone */
GtkWidget *footer_widget(const footer *footer);
void footer_show(footer *footer);          /* from the session's info */
void footer_show_timeline(footer *footer); /* the same, where a terrain is open */

#endif
