/* map_event.h: a map from a file, which an event gives to a field or a parameter. Its values are in memory from the
 * start of the run, and in checkpoints until the event is done. So the file is read once. */
#ifndef WADI_RUN_MAP_EVENT_H
#define WADI_RUN_MAP_EVENT_H

#include "json.h"
#include "note.h"

#include "wadi/wadi.h"

typedef struct map_event {
    char *name, *path; /* owned; as wadi_sim_set takes it, and the file */
    char sha256[65];   /* of the values as read; before, of those that a run.json names; "": unknown */
    float *values;     /* owned; NULL: not read, or done in an earlier part of the run */
    size_t count;
} map_event;

map_event *run_map_event_new(const char *name, const char *path); /* NULL without memory */
map_event *run_map_event_copy(const map_event *from);
void run_map_event_free(map_event *map); /* takes NULL */

wadi_status run_map_event_apply(const map_event *map, wadi_sim *sim);

void run_map_event_write(json *json, const map_event *map); /* members of the event */
/* In checkpoints: with the values if the event is still to come. */
void run_map_event_put(note *note, const map_event *map, bool pending);
map_event *run_map_event_take(note *note);

#endif
