/* soil.h (internal): the depth of soil in balance with the ground's shape. */
#ifndef WADI_CORE_SOIL_H
#define WADI_CORE_SOIL_H

#include "core/surface.h"

/* m; NaN where there are no data. Memory error. */
wadi_status wadi_soil_map(const wadi_surface *surface, float *values);

#endif
