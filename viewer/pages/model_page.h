/* model_page.h: chooses the model, its border and its parameters. */
#ifndef WADI_VIEWER_PAGES_MODEL_PAGE_H
#define WADI_VIEWER_PAGES_MODEL_PAGE_H

#include "viewer/workbench.h"

typedef struct model_page model_page;
model_page *model_page_new(workbench *bench);
void model_page_free(model_page *page); /* after its widget is gone */
GtkWidget *model_page_widget(const model_page *page);
void model_page_show(model_page *page);        /* from the session's info */
void model_page_save_preset(model_page *page); /* asks for a name */
void model_page_find(model_page *page);        /* starts a search for a parameter by name */

#endif
