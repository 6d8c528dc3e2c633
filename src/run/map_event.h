/* map_event.h: a map from a file, which an event gives to a field or a parameter. Its values are in memory from the
 * start of the run, and in checkpoints until the event is done. So the file is read once. */
#ifndef WADI_RUN_MAP_EVENT_H
#define WADI_RUN_MAP_EVENT_H

#include "json.h"
#include "note.h"

#include "wadi/wadi.h"

#include <stdatomic.h>

/* They do not change, so events of equal files share them. */
typedef struct map_values {
    atomic_int users;
    size_t count;
    float *cells; /* owned, of run_cells_new */
} map_values;

map_values *run_map_values_new(size_t count); /* NULL without memory */
map_values *run_map_values_share(map_values *values);
void run_map_values_leave(map_values *values); /* takes NULL */

typedef struct map_event {
    char *name, *path;  /* owned; as wadi_sim_set takes it, and the file */
    char sha256[65];    /* of the values as read; before, of those that a run.json names; "": unknown */
    map_values *values; /* shared; NULL: not read, or done in an earlier part of the run */
} map_event;

map_event *run_map_event_new(const char *name, const char *path); /* NULL without memory */
map_event *run_map_event_copy(const map_event *from);
void run_map_event_free(map_event *map); /* takes NULL */

wadi_status run_map_event_apply(const map_event *map, wadi_sim *sim);

void run_map_event_write(json *json, const map_event *map); /* members of the event */
/* In checkpoints, without the values; those of events to come follow the simulations. Files of earlier versions have
 * them here. */
void run_map_event_put(note *note, const map_event *map);
map_event *run_map_event_take(note *note);

#endif
