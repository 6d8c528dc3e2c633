/* spline.h (internal): the uniform cubic B-spline. */
#ifndef WADI_CORE_SPLINE_H
#define WADI_CORE_SPLINE_H

/* The weights of the nodes i-1 .. i+2 at i + u. */
void wadi_spline(double u, double weights[4]);
/* Their derivatives. */
void wadi_spline_slopes(double u, double slopes[4]);

#endif
