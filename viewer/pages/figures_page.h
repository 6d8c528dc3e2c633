/* figures_page.h: shows figures of a cell, of the mass balance, and over the steps. */
#ifndef WADI_VIEWER_PAGES_FIGURES_PAGE_H
#define WADI_VIEWER_PAGES_FIGURES_PAGE_H

#include "viewer/workbench.h"

typedef struct figures_page figures_page;
figures_page *figures_page_new(workbench *bench); /* freed with g_free, after its widget is gone */
GtkWidget *figures_page_widget(const figures_page *page);
void figures_page_show(figures_page *page); /* from the session's info */

#endif
