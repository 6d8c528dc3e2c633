/* params.h: the panel of a model's parameters, made from its table. */
#ifndef WADI_WIDGETS_PARAMS_H
#define WADI_WIDGETS_PARAMS_H

#include <gtk/gtk.h>

#include "wadi/sim.h"

/* By the user, never by params_show. `name`: the parameter's symbol. `value`: in SI units for the cell size of the last
 * params_show and inside its bounds, or the number of a choice. While a slider moves, about 30 times a second; its
 * last value always comes. */
typedef void params_changed(void *user, const char *name, double value);
/* Sets nothing by itself: the panel shows the preset's values once params_show says so. */
typedef void params_preset_chosen(void *user, const wadi_preset *preset);

/* Empty until params_show. It scrolls by itself; 300 pixels wide or more. */
GtkWidget *params_new(params_changed *changed, params_preset_chosen *preset, void *user);
/* Makes the rows anew where the model is another, else only updates them. Cheap where nothing changed. A row that the
 * user has changed within the last half second follows when that is over, so that it does not jump back to a value
 * from before. */
void params_show(GtkWidget *panel, const wadi_def *def);

#endif
