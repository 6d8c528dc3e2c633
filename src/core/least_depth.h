/* least_depth.h (internal): the depth from which water is more than a film, in pictures and in meshes. */
#ifndef WADI_CORE_LEAST_DEPTH_H
#define WADI_CORE_LEAST_DEPTH_H

#include <math.h>

/* m: the least such depth on cells of this size. Where rain is on every slope, wadi_view_film measures more. */
static inline double wadi_least_depth(double lx, double ly) { return 0.002 * sqrt(lx * ly); }

#endif
