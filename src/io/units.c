/* units.c: units of length, and numbers as text in any locale. */
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

/* The first row of each code has its name; the others are spellings. */
static const io_unit units[] = {
    {9001, "metre", 1},
    {9001, "m", 1},
    {9001, "meter", 1},
    {9001, "metres", 1},
    {9001, "meters", 1},
    {9002, "foot", 0.3048},
    {9002, "ft", 0.3048},
    {9002, "feet", 0.3048},
    {9002, "international foot", 0.3048},
    {9003, "US survey foot", 1200.0 / 3937.0},
    {9003, "us-ft", 1200.0 / 3937.0},
    {9003, "ftUS", 1200.0 / 3937.0},
    {9003, "us-foot", 1200.0 / 3937.0},
    {9003, "us survey feet", 1200.0 / 3937.0},
    {1033, "centimetre", 0.01},
    {1033, "cm", 0.01},
    {1033, "centimeter", 0.01},
    {1025, "millimetre", 0.001},
    {1025, "mm", 0.001},
    {1025, "millimeter", 0.001},
    {0, "decimetre", 0.1}, /* EPSG has none */
    {0, "dm", 0.1},
    {0, "decimeter", 0.1},
    {9014, "fathom", 1.8288},
    {9014, "fathoms", 1.8288},
    {9095, "British foot (1936)", 0.3048007491},
    {9096, "yard", 0.9144},
    {9036, "kilometre", 1000},
    {9036, "km", 1000},
    {9036, "kilometer", 1000},
};

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Compares without case. Blank, '-' and '_' are equal. */
static bool same_name(const char *a, const char *b) {
    for (; *a != '\0' && *b != '\0'; a++, b++) {
        const char x = *a == '-' || *a == '_' ? ' ' : lower(*a);
        const char y = *b == '-' || *b == '_' ? ' ' : lower(*b);
        if (x != y) return false;
    }
    return *a == *b;
}

const io_unit *io_unit_of_name(const char *name) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (same_name(units[i].name, name)) return units[i].code == 0 ? &units[i] : io_unit_of_code(units[i].code);
    return NULL;
}

const io_unit *io_unit_of_code(int code) {
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (code != 0 && units[i].code == code) return &units[i];
    return NULL;
}

void io_set_unit(wadi_raster *raster, io_meaning *meaning, const char *name) {
    if (name[0] == '\0' || meaning->unit_m > 0) return;
    static const char *const of_maps[] = {"m3/s", "m/s", "m2", "cells", "degrees", "1/m", "1"};
    for (size_t i = 0; i < sizeof of_maps / sizeof *of_maps; i++)
        if (strcmp(name, of_maps[i]) == 0) snprintf(raster->map_unit, sizeof raster->map_unit, "%s", name);
    if (raster->map_unit[0] != '\0') return;
    const io_unit *unit = io_unit_of_name(name);
    if (unit == NULL) {
        snprintf(meaning->unit_name, sizeof meaning->unit_name, "%s", name);
        return;
    }
    meaning->unit_m = unit->metres;
    raster->from.unit = WADI_ORIGIN_FILE;
    snprintf(raster->georef.vertical_unit, sizeof raster->georef.vertical_unit, "%s", unit->name);
}

/* The shortest text that reads back as the same number. */
void io_format_number(double number, char *text, size_t size) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, size, "%.*g", digits, number);
        if (strtod(text, NULL) == number || io_is_nan(number)) break;
    }
    char *point = strchr(text, localeconv()->decimal_point[0]);
    if (point != NULL) *point = '.';
}

/* NaN and infinity as different C libraries print them. */
static bool parse_special(const char *text, double *number) {
    static const struct {
        const char *name;
        double value;
    } specials[] = {{"nan", NAN},      {"1.#qnan", NAN},       {"1.#ind", NAN},     {"1.#snan", NAN},
                    {"inf", INFINITY}, {"infinity", INFINITY}, {"1.#inf", INFINITY}};
    const bool negative = *text == '-';
    if (*text == '-' || *text == '+') text++;
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
        if (!same_name(specials[i].name, text)) continue;
        *number = negative ? -specials[i].value : specials[i].value;
        return true;
    }
    return false;
}

bool io_parse_whole(const char *text, double *number) {
    char local[64];
    text += strspn(text, " \t\r\n");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) length--;
    if (length == 0 || length >= sizeof local) return false;
    memcpy(local, text, length);
    local[length] = '\0';
    if (parse_special(local, number)) return true;
    if (strspn(local, "+-.,0123456789eE") != length) return false;
    char *comma = strchr(local, ',');
    if (comma == NULL) comma = strchr(local, '.');
    if (comma != NULL) *comma = localeconv()->decimal_point[0];
    char *end;
    *number = strtod(local, &end);
    return *end == '\0' && end != local;
}

bool io_parse_number(const char *text, double *number) {
    char local[64] = "";
    strncpy(local, text, sizeof local - 1);
    char *point = strchr(local, '.');
    if (point != NULL) *point = localeconv()->decimal_point[0];
    char *end;
    *number = strtod(local, &end);
    return end != local;
}
