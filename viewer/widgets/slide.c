#include "slide.h"

#include <math.h>

#define DECADES_LINEAR 100.0 /* a range above 0 whose ratio is larger is logarithmic */
#define FAR_DOWN 20.0        /* "far below the maximum" is less than one in so many */
/* tolerance for the rounding of scaled bounds: the kind of slider must not depend on the cell size */
#define ROUNDED (1 + 1e-9)
#define ZERO 0.01 /* the positions below it stand for 0: one step of an arrow key */

slide slide_for(double minimum, double maximum, double least_usual) {
    slide slide = {SLIDE_LINEAR, minimum, maximum, 0};
    if (minimum > 0 && maximum > DECADES_LINEAR * ROUNDED * minimum) slide.kind = SLIDE_LOG;
    if (!(minimum < 0) && !(minimum > 0) && least_usual > 0 && least_usual * FAR_DOWN * ROUNDED < maximum) {
        slide.kind = SLIDE_LOG_FROM_ZERO;
        slide.floor = fmin(least_usual / 10, maximum / 1000);
    }
    return slide;
}

/* Rounds to three significant digits, or to about a thousandth of a linear range. */
static double rounded(const slide *slide, double value) {
    if (value == 0) return 0;
    const double size = slide->kind == SLIDE_LINEAR ? (slide->maximum - slide->minimum) / 5 : fabs(value);
    const double power = floor(log10(size) + 1e-9) - 2;
    const double unit = pow(10, fabs(power)); /* a whole number, so that decimals come out exact */
    return power < 0 ? round(value * unit) / unit : round(value / unit) * unit;
}

double slide_value(const slide *slide, double position) {
    const double low = slide->minimum, high = slide->maximum;
    double value;
    if (position <= 0) return low;
    if (position >= 1) return high;
    if (slide->kind == SLIDE_LINEAR)
        value = low + position * (high - low);
    else if (slide->kind == SLIDE_LOG)
        value = low * pow(high / low, position);
    else if (position < ZERO - 1e-9)
        return low;
    else
        value = slide->floor * pow(high / slide->floor, (position - ZERO) / (1 - ZERO));
    return fmin(high, fmax(low, rounded(slide, value)));
}

double slide_position(const slide *slide, double value) {
    const double low = slide->minimum, high = slide->maximum;
    double position;
    if (!(value > low)) return 0;
    if (!(value < high)) return 1;
    if (slide->kind == SLIDE_LINEAR)
        position = (value - low) / (high - low);
    else if (slide->kind == SLIDE_LOG)
        position = log(value / low) / log(high / low);
    else
        position = ZERO + (1 - ZERO) * log(fmax(1, value / slide->floor)) / log(high / slide->floor);
    return fmin(1, fmax(0, position));
}
