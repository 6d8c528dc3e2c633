/* rain_series.c: reads "time_min,rain_mm_h" and rows of numbers. */
#include "rain_series.h"

#include "array.h"
#include "fail.h"
#include "option.h"
#include "run_def.h"
#include "sources.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 1e15

typedef struct unit {
    const char *name;
    double si;
} unit;
static const unit times[] = {{"time_s", 1}, {"time_min", 60}, {"time_h", 3600}, {NULL, 0}};
static const unit rains[] = {{"rain_mm_h", 1e-3 / 3600}, {"rain_m_s", 1}, {NULL, 0}};

typedef struct reader {
    const char *path;
    const wadi_def *def;
    double dt_s;
    int line;
    double time_si, rain_si, last_s; /* units; 0: the header has not been read. last_s: of the row above */
    /* The rate that holds, since when, and what it and those before have rained of that step; in steps. */
    double rate, since, rained;
    events events;
} reader;

static double unit_of(const unit *units, const char *name) {
    while (units->name && strcmp(units->name, name) != 0) units++;
    return units->si;
}

static wadi_status read_header(reader *reader, const char *time, const char *rain) {
    reader->time_si = unit_of(times, time);
    reader->rain_si = unit_of(rains, rain);
    if (reader->time_si > 0 && reader->rain_si > 0) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT,
                     "the first line is '%.40s,%.40s'; it names the columns and their units: time_s, "
                     "time_min or time_h, then rain_mm_h or rain_m_s",
                     time, rain);
}

static wadi_status add(reader *reader, int64_t at, double rate) {
    event event = run_event_set(reader->def->model, "rain", rate);
    event.at = at;
    return event.adjustment ? run_events_add(&reader->events, event) : WADI_ERROR_MEMORY;
}

/* In steps. A time that misses a step's beginning by rounding alone is there. */
static double step_of(const reader *reader, double time_s) {
    const double at = time_s / reader->dt_s;
    return fabs(at - round(at)) <= 1e-6 ? round(at) : at;
}

/* The rate that holds until now: a step in which rates change has their mean. */
static wadi_status rain_until(reader *reader, double now) {
    const double step = floor(reader->since), next = step + 1;
    wadi_status status = WADI_OK;
    if (now < next) {
        reader->rained += reader->rate * (now - reader->since);
        reader->since = now;
        return status;
    }
    const bool whole = reader->since <= step;
    if (!whole) status = add(reader, (int64_t)step, reader->rained + reader->rate * (next - reader->since));
    const double first = whole ? step : next;
    if (status == WADI_OK && floor(now) > first) status = add(reader, (int64_t)first, reader->rate);
    reader->rained = reader->rate * (now - floor(now));
    reader->since = now;
    return status;
}

static wadi_status read_row(reader *reader, const char *time_text, const char *rain_text) {
    double time, rain;
    if (!run_parse_number(time_text, &time) || !run_parse_number(rain_text, &rain))
        return wadi_fail(WADI_ERROR_ARGUMENT, "'%.40s,%.40s': two numbers are wanted", time_text, rain_text);
    time *= reader->time_si;
    if (!(time >= 0)) return wadi_fail(WADI_ERROR_ARGUMENT, "a time before 0");
    if (!(time > reader->last_s)) return wadi_fail(WADI_ERROR_ARGUMENT, "the time is not after that of the row above");
    wadi_def scratch = *reader->def;
    wadi_status status = wadi_def_set(&scratch, "rain", rain * reader->rain_si);
    reader->last_s = time;
    if (status != WADI_OK || time / reader->dt_s > MOST_STEPS) return status;
    status = rain_until(reader, step_of(reader, time));
    reader->rate = rain * reader->rain_si;
    return status;
}

static wadi_status read_line(reader *reader, char *line) {
    line = run_text_trim(line);
    if (!*line || *line == '#') return WADI_OK;
    char *comma = strchr(line, ',');
    if (!comma || strchr(comma + 1, ','))
        return wadi_fail(WADI_ERROR_ARGUMENT, "two columns are wanted: time and rain");
    *comma = '\0';
    const char *time = run_text_trim(line), *rain = run_text_trim(comma + 1);
    return reader->time_si > 0 ? read_row(reader, time, rain) : read_header(reader, time, rain);
}

static wadi_status read_file(reader *reader) {
    size_t size;
    char *text;
    wadi_status status = run_text_file_read("--rain-series", reader->path, &text, &size);
    if (!text) return status;                                              /* status is an error then */
    char *start = strncmp(text, "\xef\xbb\xbf", 3) == 0 ? text + 3 : text; /* a spreadsheet's byte order mark */
    for (char *line = start; line && status == WADI_OK;) {
        char *end = strchr(line, '\n');
        if (end) *end = '\0';
        reader->line++;
        status = run_fail_at(reader->path, (place){reader->line, 0}, run_fail_as_input(read_line(reader, line)));
        line = end ? end + 1 : NULL;
    }
    free(text);
    if (status == WADI_OK && reader->last_s < 0)
        status = wadi_fail(WADI_ERROR_ARGUMENT, "--rain-series %s: holds no row of numbers", reader->path);
    return status == WADI_OK ? rain_until(reader, floor(reader->since) + 2) : status; /* the last rate holds on */
}

/* The series counts steps of one length, in seconds. */
static wadi_status check(const wadi_def *def, bool is_map, const events *events) {
    size_t count;
    const wadi_parameter *rows = wadi_model_parameters(def->model, &count);
    const int dt = wadi_model_parameter_index(def->model, "time-step"),
              rain = wadi_model_parameter_index(def->model, "rain");
    if (!run_flows_by_the_second(def->model) || rain < 0 || strcmp(rows[rain].unit, "m/s") != 0)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--rain-series: %s has no rain by the second", wadi_model_id(def->model));
    if (is_map)
        return wadi_fail(WADI_ERROR_ARGUMENT, "--rain-series: replaces the map of --rain; a map whose values multiply "
                                              "the series is --set rain-map=@FILE");
    for (size_t i = 0; i < events->count; i++)
        if (events->items[i].kind == EVENT_SET && !isnan(events->items[i].adjustment->values[dt]))
            return wadi_fail(WADI_ERROR_ARGUMENT, "--rain-series: does not go with events that set %s", rows[dt].name);
    return WADI_OK;
}

/* Both are ordered. At the same step the series comes last. */
static wadi_status merge(events *into, events *series) {
    events all = {run_array_new(into->count + series->count, sizeof *all.items), 0};
    if (!all.items) return WADI_ERROR_MEMORY;
    size_t a = 0, b = 0;
    while (a < into->count || b < series->count) {
        const bool first = b == series->count || (a < into->count && into->items[a].at <= series->items[b].at);
        all.items[all.count++] = first ? into->items[a++] : series->items[b++];
    }
    free(into->items);
    free(series->items);
    *into = all;
    series->items = NULL, series->count = 0;
    return WADI_OK;
}

wadi_status run_rain_series_add(const char *path, const wadi_def *def, bool is_map, events *events) {
    reader reader = {.path = path, .def = def, .dt_s = wadi_def_safety(def).dt_s, .last_s = -1};
    wadi_status status = check(def, is_map, events);
    if (status == WADI_OK) status = read_file(&reader);
    if (status == WADI_OK) status = merge(events, &reader.events);
    run_events_free(&reader.events);
    return status;
}
