/* total.h (internal): compensated sums. */
#ifndef WADI_CORE_TOTAL_H
#define WADI_CORE_TOTAL_H

/* Compensated (Neumaier) sum in float64. */
typedef struct wadi_total {
    double sum, rest;
} wadi_total;
static inline void wadi_total_add(wadi_total *total, double value) {
    const double sum = total->sum + value;
    const bool larger = (total->sum < 0 ? -total->sum : total->sum) >= (value < 0 ? -value : value);
    total->rest += larger ? (total->sum - sum) + value : (value - sum) + total->sum;
    total->sum = sum;
}

#endif
