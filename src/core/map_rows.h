/* map_rows.h (internal): the maps that are made from fields. */
#ifndef WADI_CORE_MAP_ROWS_H
#define WADI_CORE_MAP_ROWS_H

#include "core/model.h"
#include "wadi/sim.h"

/* Writes one row of a map from one row of the field that it is made from. wadi_copy_row: it is the field itself. */
typedef void wadi_read_row(const wadi_sim *sim, int y, const float *from, float *values);

/* A map that has a public name (core/maps.def). */
typedef struct wadi_public_map {
    const char *name;
    wadi_read_row *read; /* NULL: it is a parameter */
    wadi_field_role from;
} wadi_public_map;

wadi_read_row wadi_copy_row;

/* Whether the map is the field itself, but for a sea that is no water of the model's. */
bool wadi_is_field(const wadi_public_map *map);

/* Whether a map that is made from a field has this name. A parameter of the same name is another thing. */
bool wadi_is_named_map(const char *name);
/* NULL: there is no such map, or the model has no field for it. */
const wadi_public_map *wadi_named_map(const wadi_sim *sim, const char *name);

#endif
