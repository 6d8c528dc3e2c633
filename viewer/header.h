/* header.h: the bar at the top: the name of the open work, and the menu. */
#ifndef WADI_VIEWER_HEADER_H
#define WADI_VIEWER_HEADER_H

#include "viewer/workbench.h"

typedef struct header header;
header *header_new(const workbench *bench); /* freed with g_free, after its widget is gone */
GtkWidget *header_widget(const header *header);
void header_show(header *header, const workbench *bench); /* from the session's info */

#endif
