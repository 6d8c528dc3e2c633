/* value_range.h: the range of a map's values that a texture shows, from 0 to 1: two numbers, percentiles, or a
 * logarithmic scale. Fixed numbers give the same shade to the same value, for all tiles and seeds. */
#ifndef WADI_RUN_VALUE_RANGE_H
#define WADI_RUN_VALUE_RANGE_H

#include "text.h"

typedef struct range_end {
    double value;
    bool percent; /* a percentile: 0 the smallest value, 100 the largest. Between them, cells of 0 do not count in a map
                     without values below 0. */
} range_end;

typedef struct value_range {
    bool logarithmic;
    bool even; /* from -high to high, where `high` may be a percentile of the size of the values */
    range_end low, high;
} value_range;

/* "A..B", "P%..Q%", "log:A..B", "even:A", "even:P%". `what` begins the message of an error. */
wadi_status run_value_range_parse(const char *what, const char *text, value_range *range);
/* The number, or the percentile of these values. */
double run_range_end_of(range_end end, const float *values, size_t count);
/* With percentiles replaced by numbers. A range without width becomes one of 1. */
value_range run_value_range_settle(value_range range, const float *values, size_t count);
/* From 0 to 1; of a settled range. NaN is NaN. */
float run_value_range_share(const value_range *settled, float value);
enum { RANGE_TEXT = 80 };
/* As run_value_range_parse takes it. The text is returned. */
const char *run_value_range_text(const value_range *range, char text[RANGE_TEXT]);

/* Ranges of maps, as options name them: "MAP=RANGE", "RANGE" for all, "@FILE" with such lines. */
typedef struct range_list {
    text_list items; /* "MAP=RANGE"; a later one counts */
} range_list;
wadi_status run_ranges_read(const text_list *options, range_list *ranges); /* free it in any case */
void run_ranges_free(range_list *ranges);
/* The text of the last one for this map or, unless `named`, for all. NULL: none. */
const char *run_range_text(const range_list *ranges, const char *map, bool named);
/* That for this map or for all, else `by_default`. */
wadi_status run_range_of(const range_list *ranges, const char *map, const char *by_default, value_range *range);

#endif
