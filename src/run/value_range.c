#include "value_range.h"

#include "array.h"
#include "fail.h"
#include "option.h"
#include "sources.h"

#include "wadi/derive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- text --- */

static bool parse_end(char *text, range_end *end) {
    const size_t length = strlen(text);
    end->percent = length > 1 && text[length - 1] == '%';
    if (end->percent) text[length - 1] = '\0';
    return run_parse_number(text, &end->value) && !(end->percent && !(end->value >= 0 && end->value <= 100));
}

static bool parse(char *text, value_range *range) {
    *range = (value_range){.logarithmic = strncmp(text, "log:", 4) == 0, .even = strncmp(text, "even:", 5) == 0};
    if (range->even) return parse_end(text + 5, &range->high) && range->high.value > 0;
    char *low = text + (range->logarithmic ? 4 : 0), *dots = strstr(low, "..");
    if (!dots) return false;
    *dots = '\0';
    if (!parse_end(low, &range->low) || !parse_end(dots + 2, &range->high)) return false;
    const bool comparable = range->low.percent == range->high.percent;
    return !(comparable && !(range->low.value < range->high.value)) &&
           !(range->logarithmic && !range->low.percent && !(range->low.value > 0));
}

wadi_status run_value_range_parse(const char *what, const char *text, value_range *range) {
    char copy[RANGE_TEXT];
    const bool fits = (size_t)snprintf(copy, sizeof copy, "%s", text) < sizeof copy;
    if (fits && parse(copy, range)) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "%s %.80s: is no range; write A..B, percentiles as 1%%..99%%, log:A..B with A above 0, or even:A "
                     "for -A..A",
                     what, text);
}

static void put_end(char *text, range_end end) {
    run_text_add(text, RANGE_TEXT, "%.9g%s", end.value, end.percent ? "%" : "");
}

const char *run_value_range_text(const value_range *range, char text[RANGE_TEXT]) {
    text[0] = '\0';
    run_text_add(text, RANGE_TEXT, "%s", range->logarithmic ? "log:" : range->even ? "even:" : "");
    if (!range->even) {
        put_end(text, range->low);
        run_text_add(text, RANGE_TEXT, "..");
    }
    put_end(text, range->high);
    return text;
}

/* --- percentiles --- */

enum { LOOKED_AT = 1 << 18 };

static int order(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The sorted values that count, of at most LOOKED_AT cells. NULL: none, or no memory. */
static float *sample(const float *values, size_t count, bool sizes, size_t *found) {
    const size_t step = count / LOOKED_AT + 1;
    float *kept = run_array_new(count / step + 1, sizeof *kept);
    bool signs = false;
    *found = 0;
    for (size_t i = 0; kept && i < count; i += step) signs |= values[i] < 0 && !sizes;
    for (size_t i = 0; kept && i < count; i += step) {
        const float value = sizes ? fabsf(values[i]) : values[i];
        if (isfinite(value) && (signs || value > 0)) kept[(*found)++] = value;
    }
    if (*found > 0) {
        qsort(kept, *found, sizeof *kept, order);
        return kept;
    }
    free(kept);
    return NULL;
}

/* The smallest or the largest of all. */
static double extreme(const float *values, size_t count, bool sizes, bool largest) {
    double best = 0;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        const double value = sizes ? fabs((double)values[i]) : (double)values[i];
        if (!is_finite(value) || (any && (largest ? value <= best : value >= best))) continue;
        best = value;
        any = true;
    }
    return best;
}

/* 1 where there is none. */
static double smallest_above_0(const float *values, size_t count) {
    double best = INFINITY;
    for (size_t i = 0; i < count; i++)
        if (values[i] > 0) best = fmin(best, (double)values[i]);
    return is_finite(best) ? best : 1;
}

static double end_of(range_end end, const float *values, size_t count, bool sizes) {
    if (!end.percent) return end.value;
    if (end.value == 0 || end.value == 100) return extreme(values, count, sizes, end.value == 100);
    size_t found;
    float *sorted = sample(values, count, sizes, &found);
    const double at = end.value / 100 * (double)(found > 0 ? found - 1 : 0);
    const double value = sorted ? (double)sorted[(size_t)(at + 0.5)] : 0;
    free(sorted);
    return value;
}

double run_range_end_of(range_end end, const float *values, size_t count) { return end_of(end, values, count, false); }

value_range run_value_range_settle(value_range range, const float *values, size_t count) {
    range.high = (range_end){.value = end_of(range.high, values, count, range.even)};
    range.low = (range_end){.value = range.even ? -range.high.value : end_of(range.low, values, count, false)};
    if (range.logarithmic && !(range.low.value > 0)) range.low.value = smallest_above_0(values, count);
    if (range.low.value < range.high.value) return range;
    range.even = false;
    range.high.value = range.logarithmic ? 10 * range.low.value : range.low.value + 1;
    return range;
}

float run_value_range_share(const value_range *r, float value) {
    const double v = (double)value, low = r->low.value, high = r->high.value;
    if (isnan(value)) return NAN;
    const double at = !r->logarithmic ? (v - low) / (high - low) : v > low ? log(v / low) / log(high / low) : 0;
    return at > 0 ? at < 1 ? (float)at : 1.0f : 0.0f;
}

/* --- lists --- */

static wadi_status check_map(const char *item, size_t length) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)length, item);
    if (length < sizeof name && (wadi_map_facts_of(name) || wadi_derived_facts_of(name))) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "--range %.80s: there is no map %s; 'wadi derive --help' lists them", item,
                     name);
}

static wadi_status add(range_list *ranges, const char *item) {
    const char *equals = strchr(item, '=');
    value_range range;
    wadi_status status = equals ? check_map(item, (size_t)(equals - item)) : WADI_OK;
    if (status == WADI_OK) status = run_value_range_parse("--range", equals ? equals + 1 : item, &range);
    return status == WADI_OK ? run_text_list_add(&ranges->items, item) : status;
}

static wadi_status add_lines(range_list *ranges, const char *path) {
    char *text;
    size_t size;
    wadi_status status = run_text_file_read("--range ", path, &text, &size);
    int number = 1;
    for (char *line = text; status == WADI_OK && *line; number++) {
        const size_t length = strcspn(line, "\n");
        const bool last = line[length] == '\0';
        line[length] = '\0';
        const char *item = run_text_trim(line);
        if (*item && *item != '#') status = run_fail_at(path, (place){number, 0}, add(ranges, item));
        line += length + !last;
    }
    if (text) free(text);
    return status;
}

wadi_status run_ranges_read(const text_list *options, range_list *ranges) {
    wadi_status status = WADI_OK;
    *ranges = (range_list){0};
    for (size_t i = 0; i < options->count && status == WADI_OK; i++) {
        const char *item = options->items[i];
        status = item[0] == '@' ? add_lines(ranges, item + 1) : add(ranges, item);
    }
    return status;
}

void run_ranges_free(range_list *ranges) { run_text_list_free(&ranges->items); }

const char *run_range_text(const range_list *ranges, const char *map, bool named) {
    const char *text = NULL;
    const size_t length = strlen(map);
    for (size_t i = 0; i < ranges->items.count; i++) {
        const char *item = ranges->items.items[i], *equals = strchr(item, '=');
        if (!equals)
            text = named ? text : item;
        else if ((size_t)(equals - item) == length && strncmp(item, map, length) == 0)
            text = equals + 1;
    }
    return text;
}

wadi_status run_range_of(const range_list *ranges, const char *map, const char *by_default, value_range *range) {
    const char *text = run_range_text(ranges, map, false);
    return run_value_range_parse("--range", text ? text : by_default, range);
}
