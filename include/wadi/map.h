/* map.h: the maps that wadi_sim_get knows by name, as one table (src/core/maps.def). Options, help, messages, legends
 * and the window's lists come from it. */
#ifndef WADI_MAP_H
#define WADI_MAP_H

#include "wadi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum wadi_map_use {
    WADI_MAP_SHOWN,      /* a program can show it; `wadi run` does not write it */
    WADI_MAP_WRITTEN,    /* `wadi run --maps` takes it */
    WADI_MAP_BY_DEFAULT, /* and writes it where --maps is not given */
} wadi_map_use;

typedef struct wadi_map_facts {
    const char *name;    /* "water", as wadi_sim_get takes it */
    const char *title;   /* of a legend: "Water depth" */
    const char *unit;    /* "m", "m3/s"; "1": a number without a unit */
    const char *palette; /* its colours in libwadi_render: "water"; "general" fits any map */
    const char *meaning; /* one line */
    wadi_map_use use;
    const char *range; /* its values from black to white, as `wadi derive --range` takes them: "0..90", "log:1%..99%" */
} wadi_map_facts;

WADI_API const wadi_map_facts *wadi_map_facts_at(size_t index);         /* NULL beyond the last */
WADI_API const wadi_map_facts *wadi_map_facts_of(const char *map_name); /* NULL: no such map, or a NULL name */

#ifdef __cplusplus
}
#endif
#endif
