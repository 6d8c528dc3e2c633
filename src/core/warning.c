/* warning.c: warnings of models before a run that may dig without end. */
#include <math.h>
#include <stdio.h>

#include "core/model.h"

#define LEAST_RELIEF 4 /* cells: flat ground soon gets relief */

double wadi_relief(const wadi_setup *setup) {
    return fmax(setup->high_m - setup->low_m, LEAST_RELIEF * sqrt(setup->lx * setup->ly));
}

/* Names the larger of the two. The recommended value leaves room for the other. */
const char *wadi_too_wet(wadi_rain a, wadi_rain b, double most) {
    static _Thread_local char text[200];
    if (a.amount + b.amount <= most) return NULL;
    const wadi_rain *larger = a.amount >= b.amount ? &a : &b;
    snprintf(text, sizeof text, "%s = %.4g%s%s: so much rain may dig without end in this relief; at most %.2g would do",
             larger->name, larger->value, *larger->unit != '\0' ? " " : "", larger->unit,
             larger->soaked + (larger->value - larger->soaked) * (0.45 * most / larger->amount));
    return text;
}
