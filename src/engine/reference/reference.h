/* reference.h (internal): a stage in the reference engine. It computes one cell, and every access is checked. */
#ifndef WADI_ENGINE_REFERENCE_H
#define WADI_ENGINE_REFERENCE_H

#include "core/model.h"

struct wadi_domain;

/* The cell at which a stage is computed. Writes go to separate arrays, so a stage can only see the old state. */
typedef struct wadi_reference {
    const struct wadi_domain *domain;
    const wadi_stage *stage;
    const void *constants;
    const float *rain_row;      /* this row's rain_dt if sources or drops fall on it, else NULL */
    const float *shower_row;    /* this row's points of rainfall events, or NULL */
    float *const *next;         /* by field; width * height values */
    double (*sums)[WADI_LANES]; /* by sum: the lanes of this row */
    int x, y;
    const wadi_read *reach[WADI_MAX_FIELDS], *map_reach[WADI_MAX_MAPS]; /* the declared reads; NULL: none */
} wadi_reference;

float wadi_reference_read(const wadi_reference *at, int field, int dx, int dy);
float wadi_reference_map(const wadi_reference *at, int map, float uniform, int dx, int dy);
void wadi_reference_write(const wadi_reference *at, int field, float value);
void wadi_reference_sum(const wadi_reference *at, wadi_sum sum, float value);

#endif
