/* knobs.h: sliders for a model's knobs, which move its parameters together. */
#ifndef WADI_WIDGETS_KNOBS_H
#define WADI_WIDGETS_KNOBS_H

#include "params_row.h"

typedef struct knobs knobs;

/* Empty until knobs_show. *widget owns the returned knobs. `moved` gets a knob's name and its position, 0 to 1. */
knobs *knobs_new(params_changed *moved, void *user, GtkWidget **widget);
/* Where the knobs of the definition stand, which began with `preset` (NULL: unknown). */
void knobs_show(knobs *knobs, const wadi_def *def, const wadi_preset *preset);
bool knobs_any(const knobs *knobs); /* whether the model has knobs to show */

#endif
