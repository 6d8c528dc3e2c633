/* series.h: a few functions from + - * / only. Each libm rounds differently; these give the same bits on every machine.
 */
#ifndef WADI_CORE_SERIES_H
#define WADI_CORE_SERIES_H

#include <math.h>

/* exp(-x) for x >= 0: a Taylor series for x / 2^k, squared k times. */
static inline double wadi_falling_exp(double x) {
    int squarings = 0;
    for (; x > 0.125 && squarings < 64; squarings++) x /= 2;
    double sum = 1;
    for (int i = 12; i > 0; i--) sum = 1 - x / i * sum;
    for (; squarings > 0; squarings--) sum *= sum;
    return sum;
}

/* The natural logarithm of x > 0: the series of atanh for a mantissa in [sqrt(1/2), sqrt(2)). */
static inline double wadi_log(double x) {
    int exponent;
    double mantissa = frexp(x, &exponent); /* exact */
    if (mantissa < 0.70710678118654752) {
        mantissa *= 2;
        exponent--;
    }
    const double z = (mantissa - 1) / (mantissa + 1), square = z * z;
    double sum = 0;
    for (int i = 23; i > 0; i -= 2) sum = sum * square + 1.0 / i;
    return 2 * z * sum + exponent * 0.69314718055994531;
}

/* base^power for base > 0. */
static inline double wadi_power(double base, double power) {
    const double x = power * wadi_log(base);
    return x > 0 ? 1 / wadi_falling_exp(x) : wadi_falling_exp(-x);
}

/* Cosine and sine of an angle in turns: Taylor series within an eighth of a turn of the nearest quarter. */
static inline void wadi_turn(double turns, double *cosine, double *sine) {
    turns -= floor(turns);
    const int quarter = (int)(4 * turns + 0.5);
    const double x = (turns - 0.25 * quarter) * 6.2831853071795865, square = x * x;
    double c = 1, s = 1;
    for (int i = 18; i > 0; i -= 2) {
        c = 1 - square / (i * (i - 1)) * c;
        s = 1 - square / (i * (i + 1)) * s;
    }
    s *= x;
    *cosine = quarter % 4 == 0 ? c : quarter % 4 == 1 ? -s : quarter % 4 == 2 ? -c : s;
    *sine = quarter % 4 == 0 ? s : quarter % 4 == 1 ? c : quarter % 4 == 2 ? -s : -c;
}

/* The direction of (x, y) in degrees, from -180 to 180; 0 at the origin. The angle is halved twice, by
 * tan(a / 2) = tan(a) / (1 + sqrt(1 + tan(a)^2)), and comes from its Taylor series. */
static inline double wadi_degrees(double y, double x) {
    const double across = fabs(x), up = fabs(y), longer = across > up ? across : up;
    if (!(longer > 0)) return 0;
    double t = (across > up ? up : across) / longer;
    for (int i = 0; i < 2; i++) t /= 1 + sqrt(1 + t * t);
    double sum = 0;
    for (int i = 25; i > 0; i -= 2) sum = 1.0 / i - t * t * sum;
    double degrees = 4 * 57.295779513082321 * t * sum;
    if (up > across) degrees = 90 - degrees;
    if (x < 0) degrees = 180 - degrees;
    return y < 0 ? -degrees : degrees;
}

#endif
