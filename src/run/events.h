/* events.h: what is done to a stage by hand between its steps: the window records it, `wadi run --recipe` does it again
 * to the same bits. */
#ifndef WADI_RUN_EVENTS_H
#define WADI_RUN_EVENTS_H

#include "json.h"
#include "yaml.h"

#include "wadi/wadi.h"

typedef enum event_kind { EVENT_SET, EVENT_PAINT, EVENT_SOURCES, EVENT_DROPS } event_kind;

typedef struct event {
    int64_t at; /* done once the stage has made so many of its own steps */
    event_kind kind;
    int line, column; /* in a recipe; 0: made in the window */
    /* EVENT_SET: a parameter by its symbol */
    char *name;
    double value;
    /* EVENT_PAINT: dabs that differ in place alone */
    wadi_dab *dabs;
    size_t dab_count;
    /* EVENT_SOURCES: in place of those before; x and y in cells */
    wadi_source *sources;
    size_t source_count;
    /* EVENT_DROPS */
    wadi_drops drops;
} event;

/* In the order in which they are done; `at` never falls. */
typedef struct events {
    event *items;
    size_t count;
} events;

/* Takes what the event owns, which is freed on an error. */
wadi_status events_add(events *events, event event);
void event_free(event *event);                 /* what it owns */
void events_cut(events *events, size_t count); /* to the first so many */
void events_free(events *events);
wadi_status events_copy(const events *from, events *to); /* to the end of `to` */

wadi_status event_apply(const event *event, wadi_sim *sim);
/* Does what is due, from *done on. On an error *done is the event's that failed. */
wadi_status events_apply_due(const events *events, size_t *done, wadi_sim *sim);

/* A list of maps, each on a line of its own. */
void events_write(json *json, const events *events, const wadi_model *model);
/* The same for what recipes have elsewhere too. */
void source_write(json *json, const wadi_source *source);
void drops_write(json *json, const wadi_drops *drops);
/* Messages begin with the place in `file`. */
wadi_status events_read(const char *file, const yaml_node *list, events *events);
/* What can be known before the run: names and values that the model refuses, events beyond its steps. */
wadi_status events_check(const char *file, const events *events, const wadi_def *def, int64_t steps);
/* The same of what only a simulation with its terrain can say, which stays what it is. */
wadi_status events_try(const char *file, const events *events, wadi_sim *sim);

#endif
