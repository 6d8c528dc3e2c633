/* reference.h (internal): the reference engine's form of a stage: one cell, every access checked and bounded. */
#ifndef WADI_ENGINE_REFERENCE_H
#define WADI_ENGINE_REFERENCE_H

#include "core/model.h"

struct wadi_domain;

/* Where a stage is being worked out: writes go to arrays of their own, so that a stage can only see the old state. */
typedef struct wadi_reference {
    const struct wadi_domain *domain;
    const wadi_stage *stage;
    const void *constants;
    const float *rain_row;      /* this row's rain_dt where sources or drops fall on it, else NULL */
    const float *shower_row;    /* this row's points of showers, or NULL */
    float *const *next;         /* by field; width * height values */
    double (*sums)[WADI_LANES]; /* by sum, this row's lanes */
    int x, y;
    const wadi_read *reach[WADI_MAX_FIELDS], *map_reach[WADI_MAX_MAPS]; /* how the stage may look; NULL: not at all */
} wadi_reference;

float wadi_reference_read(const wadi_reference *at, int field, int dx, int dy);
float wadi_reference_map(const wadi_reference *at, int map, float uniform, int dx, int dy);
void wadi_reference_write(const wadi_reference *at, int field, float value);
void wadi_reference_sum(const wadi_reference *at, wadi_sum sum, float value);

#endif
