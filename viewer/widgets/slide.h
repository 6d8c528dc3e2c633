/* slide.h: maps a slider's position, 0 to 1, to values. */
#ifndef WADI_WIDGETS_SLIDE_H
#define WADI_WIDGETS_SLIDE_H

typedef enum slide_kind { SLIDE_LINEAR, SLIDE_LOG, SLIDE_LOG_FROM_ZERO } slide_kind;

typedef struct slide {
    slide_kind kind;
    double minimum, maximum;
    double floor; /* the smallest value above 0 of SLIDE_LOG_FROM_ZERO */
} slide;

/* A range over more than two decades is logarithmic. `least_usual` (0: unknown) is the smallest value above 0 that is
 * used in practice. If it is far below the maximum, a range from 0 is logarithmic from a decade below it. */
slide slide_for(double minimum, double maximum, double least_usual);
/* Rounded to a value that the slider can be set to, within the range. */
double slide_value(const slide *slide, double position);
double slide_position(const slide *slide, double value);

#endif
