/* accumulation.h (internal): contributing areas by multiple flow directions. */
#ifndef WADI_CORE_ACCUMULATION_H
#define WADI_CORE_ACCUMULATION_H

#include "core/flood.h"

/* The cells that drain through each cell, itself included; 0 in cells that are not reached. */
void wadi_spread_cells(const wadi_flood *flood, double exponent, double *cells);
/* The mean direction in which a cell gives, of length 1: to the east and to the north. 0, 0 where it gives out of the
 * map, or evenly to opposite sides. */
void wadi_spread_direction(const wadi_flood *flood, double exponent, uint32_t cell, double *east, double *north);

#endif
