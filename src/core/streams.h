/* streams.h (internal): the channels of a flood: their Strahler orders, and the reaches between confluences. */
#ifndef WADI_CORE_STREAMS_H
#define WADI_CORE_STREAMS_H

#include "core/flood.h"
#include "wadi/derive.h"

/* The Strahler order of each cell whose contributing area reaches the threshold; 0 in others. `orders` is zero before.
 * inflows: how many channels flow into each cell; NULL: not wanted. */
void wadi_strahler_orders(const wadi_flood *flood, double threshold_cells, uint8_t *orders, uint8_t *inflows);
/* false: not enough memory. */
bool wadi_streams_find(const wadi_flood *flood, double cell_m2, double threshold_m2, wadi_streams *streams);

#endif
