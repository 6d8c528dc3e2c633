/* first_page.h: what the window shows while no terrain is open: landscapes to make, each with a picture and a sentence,
 * and the ways to a terrain of one's own. The buttons activate actions of the window. */
#ifndef WADI_VIEWER_FIRST_PAGE_H
#define WADI_VIEWER_FIRST_PAGE_H

#include <gtk/gtk.h>

GtkWidget *first_page_new(void);

#endif
