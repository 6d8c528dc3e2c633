#include "core/spline.h"

void wadi_spline(double u, double weights[4]) {
    const double v = 1 - u;
    weights[0] = v * v * v / 6;
    weights[1] = (4 - 3 * u * u * (2 - u)) / 6;
    weights[2] = (4 - 3 * v * v * (2 - v)) / 6;
    weights[3] = u * u * u / 6;
}

void wadi_spline_slopes(double u, double slopes[4]) {
    const double v = 1 - u;
    slopes[0] = -v * v / 2;
    slopes[1] = (3 * u - 4) * u / 2;
    slopes[2] = (4 - 3 * v) * v / 2;
    slopes[3] = u * u / 2;
}
