/* number.h: numbers as text for people, and back. Always with a point, whatever the locale says. */
#ifndef WADI_WIDGETS_NUMBER_H
#define WADI_WIDGETS_NUMBER_H

#include <stdbool.h>

#define NUMBER_TEXT 64 /* bytes, room for any of these */

/* Four significant digits: "0.8", "12350", "1.897e-5"; "no data" for what is not finite. All return `text`. */
const char *number_short(double value, char text[NUMBER_TEXT]);
/* The same with so many digits, 1 to 15. */
const char *number_rounded(double value, int digits, char text[NUMBER_TEXT]);
/* The shortest text that reads back as the same value. */
const char *number_exact(double value, char text[NUMBER_TEXT]);
/* Four significant digits and an SI prefix where the unit takes one: "1.235 km", "12.40 mm", "3.041×10⁵ m³". */
const char *number_with_unit(double value, const char *unit, char text[NUMBER_TEXT]);
/* "m3/s" as "m³/s"; "" for "1". */
const char *number_unit(const char *unit, char text[NUMBER_TEXT]);
/* A finite number, with a point or a comma, and the unit after it or not. */
bool number_read(const char *text, const char *unit, double *value);

#endif
