#include "text.h"

#include "array.h"
#include "wadi/model.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *run_text_format(const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    size_t size = length < 0 ? 1 : (size_t)length + 1;
    char *text = run_array_new(size, 1);
    if (text) vsnprintf(text, size, format, again);
    va_end(again);
    return text;
}

char *run_text_copy(const char *text) { return run_text_format("%s", text); }

char *run_text_join(const char *folder, const char *name) {
    size_t length = strlen(folder);
    bool ends = length > 0 && (folder[length - 1] == '/' || folder[length - 1] == '\\');
    return run_text_format("%s%s%s", folder, ends ? "" : "/", name);
}

void run_text_add(char *text, size_t size, const char *format, ...) {
    const size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    if (used < size) vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

wadi_status run_text_list_take(text_list *list, char *text) {
    char **item = text ? run_array_add(&list->items, &list->count, sizeof *item) : NULL;
    if (!item) {
        free(text);
        return WADI_ERROR_MEMORY;
    }
    *item = text;
    return WADI_OK;
}

wadi_status run_text_list_add(text_list *list, const char *text) {
    return run_text_list_take(list, run_text_copy(text));
}

void run_text_list_free(text_list *list) {
    for (size_t i = 0; i < list->count; i++) free(list->items[i]);
    free(list->items);
    *list = (text_list){0};
}

const char *run_text_bytes(uint64_t bytes, char text[32]) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit < 5; unit++) value /= 1024;
    snprintf(text, 32, value < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return text;
}

const char *run_text_rate(double value, char text[32]) {
    static const char *const units[] = {"", " k", " M", " G", " T"};
    size_t unit = 0;
    for (; value >= 1000 && unit < 4; unit++) value /= 1000;
    snprintf(text, 32, value < 10 ? "%.2f%s" : value < 100 ? "%.1f%s" : "%.0f%s", value, units[unit]);
    return text;
}

const char *run_text_duration(double seconds, char text[32]) {
    if (!(seconds >= 0) || seconds > 1e9) {
        snprintf(text, 32, "?");
    } else if (seconds < 0.1) {
        snprintf(text, 32, "%.0f ms", 1000 * seconds);
    } else if (seconds < 60) {
        snprintf(text, 32, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    } else if (seconds < 3600) {
        snprintf(text, 32, "%d min %02d s", (int)seconds / 60, (int)seconds % 60);
    } else {
        snprintf(text, 32, "%d h %02d min", (int)(seconds / 3600), (int)fmod(seconds, 3600) / 60);
    }
    return text;
}

const char *run_text_simulated(double seconds, char text[32]) {
    const bool years = seconds >= WADI_YEAR_S;
    snprintf(text, 32, years ? "%.4g years" : "%g s", years ? seconds / WADI_YEAR_S : seconds);
    return text;
}

char *run_text_trim(char *text) {
    while (isspace((unsigned char)*text)) text++;
    size_t length = strlen(text);
    while (length > 0 && isspace((unsigned char)text[length - 1])) text[--length] = '\0';
    return text;
}

bool run_text_same(const char *one, const char *other) {
    while (*one && tolower((unsigned char)*one) == tolower((unsigned char)*other)) one++, other++;
    return *one == '\0' && *other == '\0';
}
