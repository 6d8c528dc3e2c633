/* preset_choice.h: the drop-down of a model's presets and of the user's. It shows when the values are no longer those
 * of a preset. */
#ifndef WADI_WIDGETS_PRESET_CHOICE_H
#define WADI_WIDGETS_PRESET_CHOICE_H

#include <gtk/gtk.h>

#include "wadi/sim.h"

/* A preset of the user's. */
typedef struct own_preset {
    const char *name, *summary;
    const wadi_model *model;
    wadi_status (*apply)(const void *what, wadi_def *def); /* sets the values and the border */
    const void *what;
} own_preset;

/* The choice alone changes nothing: the panel shows the preset's values after the next params_show. */
typedef void params_preset_chosen(void *user, const wadi_preset *preset, const own_preset *own); /* one is NULL */

typedef struct preset_choice preset_choice;

/* *widget is the drop-down, which owns the returned choice. */
preset_choice *preset_choice_new(params_preset_chosen *chosen, void *user, GtkWidget **widget);
/* The user's presets, of all models. They must live until the next call. */
void preset_choice_own(preset_choice *choice, const own_preset *own, size_t count);
/* `base`: the preset that the definition began with; NULL: unknown. `anew`: the definition differs from the last one.
 */
void preset_choice_show(preset_choice *choice, const wadi_def *def, const wadi_preset *base, bool anew);

#endif
