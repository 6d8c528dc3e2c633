/* parts.h: what a process that serves does for the engine of parts. */
#ifndef WADI_ENGINE_PARTS_PARTS_H
#define WADI_ENGINE_PARTS_PARTS_H

#include "engine/parts/team.h"

/* The engine's state, without memory for parts; and its end. */
wadi_status wadi_parts_make(wadi_domain *whole, uint64_t number);
void wadi_parts_free(wadi_domain *whole);
/* Does an order for the parts here. Process 0 then has the answers of all, and another has given its own. */
wadi_status wadi_parts_do(wadi_domain *whole, const wadi_order *order);

#endif
