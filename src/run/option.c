#include "option.h"

#include "message.h"
#include "text.h"

#include "wadi/io.h"
#include "wadi/model.h"
#include "wadi/render.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const run_boundary_names[] = {"closed", "open", "wrap", NULL};
const char *const run_scale_names[] = {"world", "cell", NULL};
const char *const run_series_formats[] = {"nc", "zarr", NULL};
const char *const run_switch_names[] = {"off", "on", NULL};
const char *const run_ground_names[] = {[WADI_GROUND_GREEN] = "green", [WADI_GROUND_DRY] = "dry", NULL};

#define WORD(name, word, ending) word,
const char *const run_format_names[] = {"input", WADI_EACH_FORMAT(WORD) NULL};

bool run_parse_number(const char *text, double *number) {
    char *end;
    if (isspace((unsigned char)*text)) return false;
    *number = strtod(text, &end);
    return end != text && *end == '\0' && is_finite(*number);
}

const char *run_did_you_mean(const char *wrong, const char *const *names, size_t count, char text[128]) {
    const char *nearest = wadi_nearest_name(wrong, names, count);
    snprintf(text, 128, nearest ? "; did you mean %s?" : "%s", nearest ? nearest : "");
    return text;
}

static size_t choices_count(const char *const *choices) {
    size_t count = 0;
    while (choices[count]) count++;
    return count;
}

const char *run_option_choices_text(const char *const *choices, char text[OPTION_CHOICES]) {
    if (**choices == '\0') choices++; /* stands for "not given" */
    const size_t count = choices_count(choices);
    *text = '\0';
    for (size_t i = 0; i < count; i++)
        run_text_add(text, OPTION_CHOICES, "%s%s", i == 0 ? "" : i + 1 == count ? " or " : ", ", choices[i]);
    return text;
}

/* Sets the error for an option's bad value; returns WADI_ERROR_ARGUMENT. */
static wadi_status bad_value(const option *option, const char *value, const char *wanted) {
    return wadi_fail(WADI_ERROR_ARGUMENT, "--%s %s: %s is wanted", option->name, value, wanted);
}

static wadi_status out_of_bounds(const option *option, double number) {
    if (option->minimum == 0 && option->maximum == 0) return WADI_OK;
    if (number >= option->minimum && number <= option->maximum) return WADI_OK;
    if (!is_finite(option->maximum))
        return wadi_fail(WADI_ERROR_ARGUMENT, "--%s %.10g: %.10g or more is wanted", option->name, number,
                         option->minimum);
    return wadi_fail(WADI_ERROR_ARGUMENT, "--%s %.10g: a value from %.10g to %.10g is wanted", option->name, number,
                     option->minimum, option->maximum);
}

static wadi_status store_count(const option *option, const char *value, int64_t *count) {
    char *end;
    errno = 0;
    long long number = strtoll(value, &end, 10);
    if (end == value || *end || errno) return bad_value(option, value, "a whole number");
    *count = number;
    return out_of_bounds(option, (double)number);
}

static wadi_status store_seed(const option *option, const char *value, uint64_t *seed) {
    char *end;
    errno = 0;
    *seed = strtoull(value, &end, 0);
    if (!isdigit((unsigned char)*value) || *end || errno) return bad_value(option, value, "a whole number from 0");
    return WADI_OK;
}

/* "4G": units of 1024. */
static wadi_status store_bytes(const option *option, const char *value, uint64_t *bytes) {
    static const char units[] = "KMGT";
    char *end;
    double number = strtod(value, &end);
    const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
    for (const char *at = units; unit && at <= unit; at++) number *= 1024;
    if (!isdigit((unsigned char)*value) || end[unit != NULL] || !(number >= 1 && number < 1e18))
        return bad_value(option, value, "a number of bytes, as 512M or 4G,");
    *bytes = (uint64_t)number;
    return WADI_OK;
}

static wadi_status store_number(const option *option, const char *value, double *number) {
    if (!run_parse_number(value, number)) return bad_value(option, value, "a number");
    return out_of_bounds(option, *number);
}

static wadi_status store_size(const option *option, const char *value, int size[2]) {
    const char *text = value;
    for (int i = 0; i < 2; i++) {
        char *end;
        errno = 0;
        long number = strtol(text, &end, 10);
        bool separated = i == 0 ? *end == 'x' || *end == 'X' : *end == '\0';
        if (!isdigit((unsigned char)*text) || errno || !separated || number > 1 << 24)
            return bad_value(option, value, "a size like 1024x512");
        size[i] = (int)number;
        text = end + 1;
    }
    const int least = option->minimum > 0 ? (int)option->minimum : 2;
    if (size[0] >= least && size[1] >= least) return WADI_OK;
    return bad_value(option, value, least == 1 ? "1x1 or more" : "2x2 or more");
}

static wadi_status store_pair(const option *option, const char *value, number_pair *pair) {
    char *first = run_text_copy(value);
    if (!first) return WADI_ERROR_MEMORY;
    char *comma = strchr(first, ',');
    if (comma) *comma = '\0';
    bool good = run_parse_number(first, &pair->first);
    pair->second = pair->first;
    if (comma) good = good && run_parse_number(comma + 1, &pair->second);
    free(first);
    if (!good) return bad_value(option, value, option->value);
    pair->count = comma ? 2 : 1;
    wadi_status status = out_of_bounds(option, pair->first);
    return status != WADI_OK ? status : out_of_bounds(option, pair->second);
}

static wadi_status store_choice(const option *option, const char *value, int *choice) {
    size_t count = choices_count(option->choices);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(option->choices[i], value) != 0) continue;
        *choice = (int)i;
        return WADI_OK;
    }
    char wanted[OPTION_CHOICES], near[128];
    return wadi_fail(WADI_ERROR_ARGUMENT, "--%s %s: %s is wanted%s", option->name, value,
                     run_option_choices_text(option->choices, wanted),
                     run_did_you_mean(value, option->choices, count, near));
}

wadi_status run_option_store(const option *option, const char *value, void *values) {
    void *place = (char *)values + option->offset;
    switch (option->type) {
    case OPTION_FLAG:
        *(bool *)place = true;
        return WADI_OK;
    case OPTION_TEXT:
        if (!*value) return wadi_fail(WADI_ERROR_ARGUMENT, "--%s: its value is empty", option->name);
        *(const char **)place = value;
        return WADI_OK;
    case OPTION_TEXTS:
        return run_text_list_add(place, value);
    case OPTION_COUNT:
        return store_count(option, value, place);
    case OPTION_SEED:
        return store_seed(option, value, place);
    case OPTION_BYTES:
        return store_bytes(option, value, place);
    case OPTION_NUMBER:
        return store_number(option, value, place);
    case OPTION_SIZE:
        return store_size(option, value, place);
    case OPTION_PAIR:
        return store_pair(option, value, place);
    case OPTION_CHOICE:
        return store_choice(option, value, place);
    }
    return WADI_ERROR_ARGUMENT; /* not reached */
}
