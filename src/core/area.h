/* area.h: the cells that an outline encloses, and their weights for painting. */
#ifndef WADI_CORE_AREA_H
#define WADI_CORE_AREA_H

#include "core/domain.h"
#include "wadi/paint.h"

/* Cells of the grid, from the first one, by rows. */
typedef struct wadi_area {
    int x, y, columns, rows;
    float *weights; /* owned; 0 outside */
} wadi_area;

/* Free the area, after an error too. */
wadi_status wadi_area_make(const wadi_domain *domain, const wadi_dab *corners, size_t count, wadi_area *area);
void wadi_area_free(wadi_area *area);

#endif
