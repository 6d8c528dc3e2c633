/* axis.h: the positions of an axis's ticks, and their texts. */
#ifndef WADI_WIDGETS_AXIS_H
#define WADI_WIDGETS_AXIS_H

#include "number.h"

#define AXIS_TICKS 8 /* at most */

typedef struct axis {
    double low, high; /* low < high */
    double tick[AXIS_TICKS];
    int ticks;
    double scale;       /* a tick's text is its value divided by this */
    const char *suffix; /* "k" where scale is 1000 */
    int decimals;       /* of the text; if negative: the number of digits before a power of ten */
} axis;

/* About `wanted` ticks at multiples of 1, 2 or 5. An empty range is widened around its value. */
axis axis_linear(double low, double high, int wanted);
/* Ticks at powers of ten, or also at 2 and 5 times those where there are few. Needs 0 < low < high; otherwise it is
 * linear. */
axis axis_log(double low, double high, int wanted);
const char *axis_text(const axis *axis, int tick, char text[NUMBER_TEXT]);

#endif
