/* footer.h: the bar below: play, speed, the timeline, and where the work stands. */
#ifndef WADI_VIEWER_FOOTER_H
#define WADI_VIEWER_FOOTER_H

#include "viewer/workbench.h"

typedef struct footer footer;
footer *footer_new(workbench *bench); /* freed with g_free, after its widget is gone */
GtkWidget *footer_widget(const footer *footer);
void footer_show(footer *footer);          /* what the session's info says */
void footer_show_timeline(footer *footer); /* the same; once there is a terrain */

#endif
