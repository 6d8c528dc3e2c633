/* preset_choice.h: the drop-down of a model's presets, which says when the values are no preset's any more. */
#ifndef WADI_WIDGETS_PRESET_CHOICE_H
#define WADI_WIDGETS_PRESET_CHOICE_H

#include <gtk/gtk.h>

#include "wadi/sim.h"

/* Sets nothing by itself: the panel shows the preset's values once params_show says so. */
typedef void params_preset_chosen(void *user, const wadi_preset *preset);

typedef struct preset_choice preset_choice;

/* *widget is the drop-down; the choice belongs to it, and goes with it. */
preset_choice *preset_choice_new(params_preset_chosen *chosen, void *user, GtkWidget **widget);
/* `anew`: the definition is not that of the last time. */
void preset_choice_show(preset_choice *choice, const wadi_def *def, bool anew);

#endif
