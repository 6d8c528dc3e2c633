/* accumulation.h (internal): contributing areas by multiple flow directions. */
#ifndef WADI_CORE_ACCUMULATION_H
#define WADI_CORE_ACCUMULATION_H

#include "core/flood.h"

/* The cells that drain through each cell, itself included; 0 in cells that are not reached. */
void wadi_spread_cells(const wadi_flood *flood, double exponent, double *cells);

#endif
