/* pits.h (internal): the local lowest and highest places of a map, and how far they persist. */
#ifndef WADI_CORE_PITS_H
#define WADI_CORE_PITS_H

#include "wadi/status.h"

typedef struct wadi_pits {
    uint64_t all, deep; /* deep: more than 1 m */
} wadi_pits;

/* peaks: the same of the map upside down. At most 2^32 - 1 cells. false: not enough memory. */
bool wadi_pits_count(const float *heights, int width, int height, bool peaks, wadi_pits *pits);

#endif
