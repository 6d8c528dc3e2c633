/* params_number.h: the part of a row that sets a number: a slider and an entry. */
#ifndef WADI_WIDGETS_PARAMS_NUMBER_H
#define WADI_WIDGETS_PARAMS_NUMBER_H

#include "params_row.h"

void params_number_add(params_row *row, GtkWidget *name, const char *label);
/* Both show row->value. */
void params_number_display(params_row *row);

#endif
