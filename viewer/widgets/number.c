#include "number.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 4 /* significant */

/* "1.500e-05" to "1.5e-5" */
static void tidy(char *text) {
    char *exponent = strchr(text, 'e');
    char tail[16] = "";
    if (exponent != NULL) {
        const char *digits = exponent + 1;
        const bool negative = *digits == '-';
        digits += strspn(digits, "+-0");
        g_snprintf(tail, sizeof tail, "e%s%s", negative ? "-" : "", digits);
        *exponent = '\0';
    }
    if (strchr(text, '.') != NULL) {
        size_t length = strlen(text);
        while (text[length - 1] == '0') length--;
        if (text[length - 1] == '.') length--;
        text[length] = '\0';
    }
    g_strlcat(text, tail, NUMBER_TEXT);
}

static void scientific(double value, int digits, char text[NUMBER_TEXT]) {
    char format[8];
    g_snprintf(format, sizeof format, "%%.%de", digits - 1);
    g_ascii_formatd(text, NUMBER_TEXT, format, value);
}

/* The power of ten of the leading digit after rounding to so many digits. */
static int leading_power(double value, int digits) {
    char text[NUMBER_TEXT];
    scientific(fabs(value), digits, text);
    return (int)g_ascii_strtoll(strchr(text, 'e') + 1, NULL, 10);
}

static void fixed(double value, int decimals, char text[NUMBER_TEXT]) {
    char format[8];
    g_snprintf(format, sizeof format, "%%.%df", decimals > 0 ? decimals : 0);
    g_ascii_formatd(text, NUMBER_TEXT, format, value);
}

/* Writes the number without a power of ten if its exponent is below `longest`. */
static const char *write_number(double value, int digits, int longest, char text[NUMBER_TEXT]) {
    g_strlcpy(text, value == 0 ? "0" : "no data", NUMBER_TEXT);
    if (!isfinite(value) || value == 0) return text;
    const int power = leading_power(value, digits);
    if (power >= -3 && power < longest)
        fixed(value, digits - 1 - power, text);
    else
        scientific(value, digits, text);
    tidy(text);
    return text;
}

const char *number_rounded(double value, int digits, char text[NUMBER_TEXT]) {
    return write_number(value, digits, 6, text);
}

const char *number_short(double value, char text[NUMBER_TEXT]) { return number_rounded(value, DIGITS, text); }

const char *number_exact(double value, char text[NUMBER_TEXT]) {
    for (int digits = 1; digits <= 17; digits++) {
        write_number(value, digits, 15, text);
        if (g_ascii_strtod(text, NULL) == value) break;
    }
    return text;
}

/* "m", "m/s" and "cells/s" take a prefix. With a power or no unit, a prefix would mean something else. */
static bool takes_prefix(const char *unit) {
    const size_t first = strcspn(unit, "/");
    if (first == 0) return false;
    for (size_t i = 0; i < first; i++)
        if (!g_ascii_isalpha(unit[i])) return false;
    return true;
}

/* The power of 1000 that the value is divided by for the unit's prefix. */
static int thousands_of(double value, const char *unit) {
    if (!takes_prefix(unit)) return 0;
    const int power = leading_power(value, DIGITS), thousands = (int)floor(power / 3.0);
    const bool word = strcspn(unit, "/") > 2;                               /* "1419 steps/s", but "1.419 km" */
    const int most = strcmp(unit, "s") == 0 || (word && power < 4) ? 0 : 4; /* nobody counts in kiloseconds */
    return CLAMP(thousands, -3, most);
}

/* "3.041×10⁵" */
static void with_power(double value, int power, char text[NUMBER_TEXT]) {
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    char digits[8];
    fixed(value / pow(10, power), DIGITS - 1, text);
    g_strlcat(text, power < 0 ? "×10⁻" : "×10", NUMBER_TEXT);
    g_snprintf(digits, sizeof digits, "%d", abs(power));
    for (const char *c = digits; *c != '\0'; c++) g_strlcat(text, raised[*c - '0'], NUMBER_TEXT);
}

const char *number_with_unit(double value, const char *unit, char text[NUMBER_TEXT]) {
    static const char *const prefixes[] = {"n", "µ", "m", "", "k", "M", "G", "T"};
    char number[NUMBER_TEXT] = "0", written[NUMBER_TEXT];
    if (!isfinite(value)) return number_short(value, text);
    int thousands = 0;
    if (value != 0) {
        thousands = thousands_of(value, unit);
        const double scaled = value / pow(1000, thousands);
        const int power = leading_power(scaled, DIGITS);
        if (power > 4 || power < -3) with_power(scaled, power, number);
        /* a count has no decimals; other numbers keep theirs, so that a changing figure does not jump */
        else if (scaled == round(scaled))
            fixed(scaled, 0, number);
        else
            fixed(scaled, DIGITS - 1 - power, number);
    }
    number_unit(unit, written);
    const bool spaced = written[0] != '\0' && written[0] != '%';
    g_snprintf(text, NUMBER_TEXT, "%s%s%s%s", number, spaced ? " " : "", prefixes[thousands + 3], written);
    return text;
}

const char *number_unit(const char *unit, char text[NUMBER_TEXT]) {
    text[0] = '\0';
    if (unit == NULL || strcmp(unit, "1") == 0) return text;
    for (const char *c = unit; *c != '\0'; c++) {
        const bool power = c > unit && g_ascii_isalpha(c[-1]);
        const char one[2] = {*c, '\0'};
        g_strlcat(text, power && *c == '2' ? "²" : power && *c == '3' ? "³" : one, NUMBER_TEXT);
    }
    return text;
}

bool number_read(const char *text, const char *unit, double *value) {
    char copy[NUMBER_TEXT], written[NUMBER_TEXT];
    if (g_strlcpy(copy, text, sizeof copy) >= sizeof copy) return false;
    char *comma = strchr(copy, ',');
    if (comma != NULL && strchr(copy, '.') == NULL) *comma = '.';
    char *end;
    const double read = g_ascii_strtod(copy, &end);
    if (end == copy || !isfinite(read)) return false;
    const char *rest = g_strstrip(end);
    if (*rest != '\0' && strcmp(rest, unit) != 0 && strcmp(rest, number_unit(unit, written)) != 0) return false;
    *value = read;
    return true;
}
