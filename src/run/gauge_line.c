/* gauge_line.c: lines of cells, and the direction of the flow in them by the fluxes of the pipes. */
#include "gauge_line.h"

#include "array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool run_gauge_is_line(const gauge *gauge) { return gauge->x != gauge->to_x || gauge->y != gauge->to_y; }

static int steps_of(const gauge *gauge) {
    const int across = abs(gauge->to_x - gauge->x), down = abs(gauge->to_y - gauge->y);
    return across > down ? across : down;
}

size_t run_gauge_cells(const gauge *gauge) { return (size_t)steps_of(gauge) + 1; }

/* index / steps of the way from one place to another, to the nearest. */
static int between(int from, int to, int64_t index, int64_t steps) {
    const int64_t twice = 2 * index * llabs((int64_t)to - from) + steps;
    const int way = steps > 0 ? (int)(twice / (2 * steps)) : 0;
    return to < from ? from - way : from + way;
}

void run_gauge_cell(const gauge *gauge, size_t index, int *x, int *y) {
    *x = between(gauge->x, gauge->to_x, (int64_t)index, steps_of(gauge));
    *y = between(gauge->y, gauge->to_y, (int64_t)index, steps_of(gauge));
}

size_t run_gauges_cells(const run_gauges *gauges) {
    size_t count = 0;
    for (size_t i = 0; i < gauges->count; i++) count += run_gauge_cells(&gauges->items[i]);
    return count;
}

/* Twice the water through a cell (through_pipes and through_faces of models/pipes_cell.h): the field, whose cell, and
 * its parts of the vector. */
typedef struct flux {
    const char *field;
    int dx, dy, across, down;
} flux;
enum { FLUXES = 8 };
static const flux of_pipes[2][FLUXES] = {{{"fL", 0, 0, -1, 0},
                                          {"fL", 1, 0, -1, 0},
                                          {"fR", -1, 0, 1, 0},
                                          {"fR", 0, 0, 1, 0},
                                          {"fT", 0, 0, 0, -1},
                                          {"fT", 0, 1, 0, -1},
                                          {"fB", 0, -1, 0, 1},
                                          {"fB", 0, 0, 0, 1}},
                                         {{"fL", 0, 0, -1, 1},
                                          {"fL", 1, -1, -1, 1},
                                          {"fR", -1, 0, 1, 0},
                                          {"fR", 0, 0, 1, 0},
                                          {"fT", 0, 0, 1, 1},
                                          {"fT", -1, -1, 1, 1},
                                          {"fB", 0, -1, 0, 1},
                                          {"fB", 0, 0, 0, 1}}};

static int pipes_of(const wadi_sim *sim) { return wadi_model_parameter_index(wadi_sim_def(sim)->model, "pipes"); }

bool run_gauge_can_cross(const wadi_sim *sim) { return pipes_of(sim) >= 0; }

typedef struct vector {
    double x, y;
} vector;

static void add_flux(const wadi_raster *map, const flux *flux, const run_gauges *gauges, vector *flows) {
    size_t k = 0;
    for (size_t i = 0; i < gauges->count; i++)
        for (size_t c = 0; c < run_gauge_cells(&gauges->items[i]); c++, k++) {
            int x, y;
            run_gauge_cell(&gauges->items[i], c, &x, &y);
            x += flux->dx, y += flux->dy;
            if (x < 0 || y < 0 || x >= map->width || y >= map->height) continue;
            const double value = (double)map->values[(size_t)y * (size_t)map->width + (size_t)x];
            if (isnan(value)) continue;
            flows[k].x += flux->across * value;
            flows[k].y += flux->down * value;
        }
}

static wadi_status read_flows(const run *run, vector *flows) {
    wadi_raster *map = run->raster; /* its values are scratch, as everywhere in gauges.c */
    const int pipes = wadi_sim_def(run->sim)->values[pipes_of(run->sim)] > 0;
    wadi_status status = WADI_OK;
    for (int i = 0; i < FLUXES && status == WADI_OK; i++) {
        const flux *flux = &of_pipes[pipes][i];
        if (i == 0 || strcmp(flux->field, flux[-1].field) != 0)
            status = wadi_sim_get(run->sim, flux->field, map->values, (size_t)map->width * (size_t)map->height);
        if (status == WADI_OK) add_flux(map, flux, &run->plan.gauges, flows);
    }
    return status;
}

/* A cell of a line has a step of it. The flow m2/s times the step's length, to its left, by the flow through the cell.
 */
static double share_of(const gauge *gauge, vector flow) {
    const double size = sqrt(flow.x * flow.x + flow.y * flow.y), steps = steps_of(gauge);
    if (!run_gauge_is_line(gauge)) return 1;
    if (!(size > 0)) return 0;
    return (flow.x * (gauge->to_y - gauge->y) - flow.y * (gauge->to_x - gauge->x)) / (size * steps);
}

wadi_status run_gauge_shares(const run *run, double *shares) {
    const run_gauges *gauges = &run->plan.gauges;
    bool lines = false;
    for (size_t i = 0; i < gauges->count; i++) lines = lines || run_gauge_is_line(&gauges->items[i]);
    vector *flows = run_array_new(run_gauges_cells(gauges), sizeof *flows);
    if (!flows) return WADI_ERROR_MEMORY;
    const wadi_status status = lines ? read_flows(run, flows) : WADI_OK;
    size_t k = 0;
    for (size_t i = 0; i < gauges->count; i++)
        for (size_t c = 0; c < run_gauge_cells(&gauges->items[i]); c++, k++)
            shares[k] = share_of(&gauges->items[i], flows[k]);
    free(flows);
    return status;
}
