/* water_page.h: sets random rain and the discharge of river sources. */
#ifndef WADI_VIEWER_PAGES_WATER_PAGE_H
#define WADI_VIEWER_PAGES_WATER_PAGE_H

#include "viewer/workbench.h"

typedef struct water_page water_page;
water_page *water_page_new(workbench *bench); /* freed with g_free, after its widget is gone */
GtkWidget *water_page_widget(const water_page *page);
void water_page_show(water_page *page); /* from the session's info */

#endif
