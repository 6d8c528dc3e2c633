/* maps.h: the maps that a run can write besides its height: one table. */
#ifndef WADI_RUN_MAPS_H
#define WADI_RUN_MAPS_H

#include "wadi/status.h"

enum { MAP_COUNT = 7 };

typedef struct map_kind {
    const char *name, *unit, *meaning;
    bool by_default;
} map_kind;

extern const map_kind map_kinds[MAP_COUNT];
unsigned maps_by_default(void); /* bit i: map_kinds[i] */

int map_index(const char *name); /* -1: none */
/* Converts "water,flow", "all" or "none" to bits. */
wadi_status maps_parse(const char *list, unsigned *maps);

#endif
