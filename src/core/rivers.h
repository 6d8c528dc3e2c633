/* rivers.h (internal): measures of the channels that a flood found. */
#ifndef WADI_CORE_RIVERS_H
#define WADI_CORE_RIVERS_H

#include "core/flood.h"

typedef struct wadi_rivers {
    double concavity, hack; /* NaN: too few channels */
    double draining;        /* share of the area; NaN without cells */
} wadi_rivers;

/* false: not enough memory. */
bool wadi_rivers_measure(const wadi_flood *flood, double cell_m2, double threshold_m2, wadi_rivers *rivers);

#endif
