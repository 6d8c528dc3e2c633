/* events.h: changes to a stage between its steps. The window records them, and `wadi run --recipe` repeats them with
 * the same bits. */
#ifndef WADI_RUN_EVENTS_H
#define WADI_RUN_EVENTS_H

#include "adjust.h"
#include "json.h"
#include "map_event.h"
#include "yaml.h"

#include "wadi/wadi.h"

/* Checkpoints hold the number of a kind. */
typedef enum event_kind { EVENT_SET, EVENT_PAINT, EVENT_SOURCES, EVENT_DROPS, EVENT_AREA, EVENT_MAP } event_kind;

typedef struct event {
    int64_t at; /* applied after so many steps of the stage */
    event_kind kind;
    int line, column; /* place in a recipe; 0: made in the window */
    /* EVENT_SET */
    adjustment *adjustment; /* owned */
    /* EVENT_PAINT: dabs that differ only in their place; EVENT_AREA: these places are the corners of an area */
    wadi_dab *dabs;
    size_t dab_count;
    /* EVENT_SOURCES: replace all sources; x and y in cells */
    wadi_source *sources;
    size_t source_count;
    /* EVENT_DROPS */
    wadi_drops drops;
    /* EVENT_MAP */
    map_event *map; /* owned */
} event;

/* In the order of application; `at` never decreases. */
typedef struct events {
    event *items;
    size_t count;
} events;

/* Takes what the event owns, which is freed on an error. */
wadi_status run_events_add(events *events, event event);
void run_event_free(event *event);                 /* what it owns */
void run_events_cut(events *events, size_t count); /* keeps the first `count` */
void run_events_free(events *events);
wadi_status run_events_copy(const events *from, events *to); /* to the end of `to` */

/* Values that an event of a map has, among events from..to - 1: for another one of this sha256 to share. NULL: none. */
map_values *run_events_map_values(const events *events, size_t from, size_t to, const char *sha256);
/* The most that maps of events take, of so many bytes each. */
uint64_t run_events_map_memory(const events *events, uint64_t field);

wadi_status run_event_apply(const event *event, wadi_sim *sim);
/* Applies all due events from *done on. On an error *done is the index of the failed event. */
wadi_status run_events_apply_due(const events *events, size_t *done, wadi_sim *sim);

/* A list of objects, one a line: those of the first so many steps. */
void run_events_write(json *json, const events *events, const wadi_model *model, int64_t steps);
/* The same for a source, which recipes have elsewhere too. */
void run_source_write(json *json, const wadi_source *source);
void run_drops_write(json *json, const wadi_drops *drops);
/* Messages begin with the place in `file`. */
wadi_status run_events_read(const char *file, const yaml_node *list, events *events);
/* Events that set one parameter, move one knob, or choose a preset. adjustment NULL: without memory, or there is no
 * such name. */
event run_event_set(const wadi_model *model, const char *parameter, double value);
event run_event_knob(const wadi_model *model, const char *knob, double position);
event run_event_preset(const char *preset);
event run_event_adjust(const adjustment *adjustment); /* a copy of it */
/* Checks what is known before the run: names and values for the model, and that no event lies beyond the steps. Unless
 * it `repeats` a run, which names every value, a preset and knobs get their values from where the stage stands then.
 * `now`: at the beginning of the stage. */
wadi_status run_events_check(const char *file, const events *events, settings_now *now, bool repeats, int64_t steps);
/* Checks what only a simulation with its terrain can decide. The simulation is unchanged afterwards. */
wadi_status run_events_try(const char *file, const events *events, wadi_sim *sim);

#endif
