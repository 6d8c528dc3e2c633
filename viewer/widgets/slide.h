/* slide.h: what a slider's way from 0 to 1 means in values. */
#ifndef WADI_WIDGETS_SLIDE_H
#define WADI_WIDGETS_SLIDE_H

typedef enum slide_kind { SLIDE_LINEAR, SLIDE_LOG, SLIDE_LOG_FROM_ZERO } slide_kind;

typedef struct slide {
    slide_kind kind;
    double minimum, maximum;
    double floor; /* of SLIDE_LOG_FROM_ZERO: the least value above 0 */
} slide;

/* Logarithmic over more than two decades. `least_usual` (0: not known) is the smallest value above 0 that anyone is
 * known to use: a range from 0 is logarithmic where that lies far down, and begins a decade below it. */
slide slide_for(double minimum, double maximum, double least_usual);
/* Rounded to what a slider can be set to, and inside the range. */
double slide_value(const slide *slide, double position);
double slide_position(const slide *slide, double value);

#endif
