/* look_page.h: sets the overlay and how the terrain looks. */
#ifndef WADI_VIEWER_PAGES_LOOK_PAGE_H
#define WADI_VIEWER_PAGES_LOOK_PAGE_H

#include "viewer/workbench.h"

typedef struct look_page look_page;
look_page *look_page_new(workbench *bench); /* freed with g_free, after its widget is gone */
GtkWidget *look_page_widget(const look_page *page);
void look_page_show(look_page *page);            /* from the view's look */
void look_page_overlay(look_page *page, int by); /* switches to the next overlay, or an earlier one */
/* The overlay of a tool; NULL: the user's own again, unless another was chosen meanwhile. */
void look_page_lend(look_page *page, const char *map);

#endif
