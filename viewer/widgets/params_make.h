/* params_make.h: makes the row of a parameter, for a number or for a choice. */
#ifndef WADI_WIDGETS_PARAMS_MAKE_H
#define WADI_WIDGETS_PARAMS_MAKE_H

#include "params_row.h"

/* The row belongs to its box, and is freed with it. */
params_row *params_make_row(const wadi_model *model, const wadi_parameter *parameter, double least_usual,
                            params_changed *changed, void *user);

#endif
