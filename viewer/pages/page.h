/* page.h: the building blocks of the pages on the right side. */
#ifndef WADI_VIEWER_PAGES_PAGE_H
#define WADI_VIEWER_PAGES_PAGE_H

#include <gtk/gtk.h>

GtkWidget *page_column(void);
void page_row(GtkWidget *into, const char *label, GtkWidget *widget);
void page_heading(GtkWidget *into, const char *text);
GtkWidget *page_scrolled(GtkWidget *child);
GtkWidget *page_note(const char *text); /* dim text */

#endif
