/* flood.h (internal): the drainage of a terrain by priority-flood (Barnes, Lehman, Mulla 2014, algorithm 2 with its
 * plain queue for cells under water). It fills hollows and gives every cell a way out. */
#ifndef WADI_CORE_FLOOD_H
#define WADI_CORE_FLOOD_H

#include "wadi/analysis.h"

enum { WADI_FLOOD_OUT = 8 }; /* the direction of a cell that drains out of the map */

typedef struct wadi_flood {
    const float *heights;
    int width, height;
    double steps[8]; /* m, to each neighbour */
    float *level;    /* flooded height, m; NaN without data */
    uint8_t *way;    /* direction in which a cell drains, or WADI_FLOOD_OUT */
    uint32_t *order; /* cells in the order in which the flood reached them: each one after the cell it drains to */
    size_t reached;
    bool *pooled;    /* by place in the order: under water; the cell that dams it comes before */
    uint32_t *areas; /* cells that drain through each cell, itself included; 0 in cells that are not reached */
    uint32_t largest_area;
} wadi_flood;

/* Checks the arguments that all drainage has in common. */
wadi_status wadi_flood_check(const float *heights, int width, int height, double lx, double ly, double threshold_m2);
/* false: not enough memory. To be freed in any case. The heights must outlive it. */
bool wadi_flood_run(wadi_flood *flood, const float *heights, int width, int height, double lx, double ly);
void wadi_flood_free(wadi_flood *flood);
/* The neighbour in a direction: 0 is east, then clockwise. False: it would lie beyond the border. */
bool wadi_flood_neighbour(const wadi_flood *flood, uint32_t cell, int direction, uint32_t *there);
/* The cell that this one drains to; false: out of the map. */
bool wadi_flood_receiver(const wadi_flood *flood, uint32_t cell, uint32_t *there);
/* The contributing area from which on a cell is a channel; 0 is chosen. */
double wadi_flood_threshold(const wadi_flood *flood, double cell_m2, double threshold_m2);
/* The drainage density; a threshold of 0 is chosen. */
void wadi_flood_measure(const wadi_flood *flood, double lx, double ly, double threshold_m2, wadi_drainage *drainage);

#endif
