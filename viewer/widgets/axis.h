/* axis.h: where an axis has its ticks, and what is written beside them. */
#ifndef WADI_WIDGETS_AXIS_H
#define WADI_WIDGETS_AXIS_H

#include "number.h"

#define AXIS_TICKS 8 /* at most */

typedef struct axis {
    double low, high; /* low < high */
    double tick[AXIS_TICKS];
    int ticks;
    double scale;       /* a tick's text is its value over this */
    const char *suffix; /* "k" where scale is 1000 */
    int decimals;       /* of the text; below 0: so many digits, and a power of ten */
} axis;

/* About `wanted` ticks at multiples of 1, 2 or 5. A range that is empty or not finite is made one around its value. */
axis axis_linear(double low, double high, int wanted);
/* Ticks at powers of ten, or at 1, 2 and 5 where there are few; 0 < low < high, else as axis_linear. */
axis axis_log(double low, double high, int wanted);
const char *axis_text(const axis *axis, int tick, char text[NUMBER_TEXT]);

#endif
