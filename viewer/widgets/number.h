/* number.h: converts numbers to text and back. The decimal point is a point in every locale. */
#ifndef WADI_WIDGETS_NUMBER_H
#define WADI_WIDGETS_NUMBER_H

#include <stdbool.h>

#define NUMBER_TEXT 64 /* bytes; enough for each of these functions */

/* Four significant digits: "0.8", "12350", "1.897e-5"; "no data" if not finite. All functions return `text`. */
const char *number_short(double value, char text[NUMBER_TEXT]);
/* The same with the given number of digits, 1 to 15. */
const char *number_rounded(double value, int digits, char text[NUMBER_TEXT]);
/* The shortest text that reads back as the same value. */
const char *number_exact(double value, char text[NUMBER_TEXT]);
/* Four significant digits and an SI prefix where the unit takes one: "1.235 km", "12.40 mm", "3.041×10⁵ m³". */
const char *number_with_unit(double value, const char *unit, char text[NUMBER_TEXT]);
/* "m3/s" as "m³/s"; "" for "1". */
const char *number_unit(const char *unit, char text[NUMBER_TEXT]);
/* Reads a finite number with a point or a comma; the unit may follow. */
bool number_read(const char *text, const char *unit, double *value);

#endif
