/* params.h: the panel of a model's parameters, made from its table. */
#ifndef WADI_WIDGETS_PARAMS_H
#define WADI_WIDGETS_PARAMS_H

#include <gtk/gtk.h>

#include "params_row.h"
#include "preset_choice.h"

/* Empty until params_show. It scrolls by itself; 300 pixels wide or more. */
GtkWidget *params_new(params_changed *changed, params_preset_chosen *preset, void *user);
/* Makes the rows anew where the model is another, else only updates them. Cheap where nothing changed. A row that the
 * user has changed within the last half second follows when that is over, so that it does not jump back to a value
 * from before. */
void params_show(GtkWidget *panel, const wadi_def *def);

#endif
