/* params.h: the panel of a model's knobs and parameters, made from the model's tables. The parameters fold away beneath
 * the knobs. */
#ifndef WADI_WIDGETS_PARAMS_H
#define WADI_WIDGETS_PARAMS_H

#include <gtk/gtk.h>

#include "params_row.h"
#include "preset_choice.h"

/* Empty until params_show. It scrolls, and is at least 300 pixels wide. */
GtkWidget *params_new(params_changed *changed, params_changed *knob, params_preset_chosen *preset, void *user);
/* `preset` is what the definition began with; NULL: unknown. Another model makes new rows; otherwise they are updated.
 * It is cheap when nothing has changed. A row that the user changed within the last half second is updated after that,
 * so that it does not jump back to an older value. */
void params_show(GtkWidget *panel, const wadi_def *def, const wadi_preset *preset);
void params_own(GtkWidget *panel, const own_preset *own, size_t count); /* as preset_choice_own */
void params_add_beside_presets(GtkWidget *panel, GtkWidget *widget);
void params_find(GtkWidget *panel); /* unfolds the parameters, and starts a search */

#endif
