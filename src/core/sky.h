/* sky.h (internal): how much of the sky a cell sees. */
#ifndef WADI_CORE_SKY_H
#define WADI_CORE_SKY_H

#include "wadi/derive.h"

/* Fills a map: 1 on open ground, 0 at the bottom of a shaft; NaN where there are no data. Looks at most `reach` cells
 * far. */
void wadi_sky_map(const wadi_derive_def *def, int reach, float *values);

#endif
