/* checks.c: checks of the values in fields and maps. */
#include "core/checks.h"

#include <math.h>

#include "core/def.h"
#include "core/inside.h"
#include "core/strict.h"

static size_t cell(const wadi_sim *sim, int x, int y) { return (size_t)y * (size_t)sim->domain->def.width + (size_t)x; }

/* The first bad row, whatever the number of threads; the height if there is none. */
typedef bool bad_row(const wadi_sim *sim, const void *context, int y);
static int first_row(const wadi_sim *sim, bad_row *bad, const void *context) {
    int first = sim->domain->def.height;
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static) reduction(min : first)
        for (int y = 0; y < sim->domain->def.height; y++)
            if (y < first && bad(sim, context, y)) first = y;
    }
    return first;
}

typedef struct bounded {
    const float *values;
    double low, high;
} bounded;

static int first_beyond(const wadi_sim *sim, const bounded *map, int y) {
    for (int x = 0; x < sim->domain->def.width; x++) {
        const double value = (double)map->values[cell(sim, x, y)];
        if (wadi_has_data(sim->domain, x, y) && !(value >= map->low && value <= map->high)) return x;
    }
    return -1;
}

static bool has_beyond(const wadi_sim *sim, const void *map, int y) { return first_beyond(sim, map, y) >= 0; }

wadi_status wadi_check_cells(const wadi_sim *sim, const char *name, const float *values, double low, double high) {
    const bounded map = {values, low, high};
    const int y = first_row(sim, has_beyond, &map);
    if (y == sim->domain->def.height) return WADI_OK;
    const int x = first_beyond(sim, &map, y);
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %g at cell (%d, %d) is outside %g to %g", name,
                     (double)values[cell(sim, x, y)], x, y, low, high);
}

static bool too_high(const wadi_sim *sim, const void *heights, int y) {
    const float *row = (const float *)heights + cell(sim, 0, y);
    bool any = false;
    for (int x = 0; x < sim->domain->def.width; x++) any |= fabsf(row[x]) >= 1e7f;
    return any;
}

static bool has_height(const wadi_sim *sim, const void *heights, int y) {
    const float *row = (const float *)heights + cell(sim, 0, y);
    bool any = false;
    for (int x = 0; x < sim->domain->def.width; x++) any |= !isnan(row[x]);
    return any;
}

wadi_status wadi_check_heights(const wadi_sim *sim, const float *heights) {
    const int y = first_row(sim, too_high, heights);
    for (int x = 0; y < sim->domain->def.height && x < sim->domain->def.width; x++) {
        const float height = heights[cell(sim, x, y)];
        if (fabsf(height) >= 1e7f)
            return wadi_fail(WADI_ERROR_ARGUMENT,
                             "height: %g m at cell (%d, %d) is no terrain: heights stay within 1e7 m", (double)height,
                             x, y);
    }
    return first_row(sim, has_height, heights) < sim->domain->def.height
               ? WADI_OK
               : wadi_fail(WADI_ERROR_ARGUMENT, "height: no cell has data");
}

typedef struct parameter_map {
    int index;
    const float *values;
} parameter_map;

/* The first cell whose value is outside the parameter's range. It checks only values beyond the extremes seen before.
 */
static int first_refused(const wadi_sim *sim, const parameter_map *map, int y) {
    double low = INFINITY, high = -INFINITY;
    for (int x = 0; x < sim->domain->def.width; x++) {
        if (!wadi_has_data(sim->domain, x, y)) continue;
        const double value = (double)map->values[cell(sim, x, y)];
        if (value >= low && value <= high) continue;
        if (wadi_check_value(&sim->domain->def, map->index, value) != WADI_OK) return x;
        low = fmin(low, value);
        high = fmax(high, value);
    }
    return -1;
}

static bool has_refused(const wadi_sim *sim, const void *map, int y) { return first_refused(sim, map, y) >= 0; }

wadi_status wadi_check_raster(const wadi_sim *sim, int index, const float *values, double *largest) {
    const parameter_map map = {index, values};
    const int bad = first_row(sim, has_refused, &map);
    if (bad < sim->domain->def.height) {
        const int x = first_refused(sim, &map, bad); /* sets the message in this thread */
        return wadi_fail(WADI_ERROR_ARGUMENT, "at cell (%d, %d): %s", x, bad, wadi_error_message());
    }
    float high = -INFINITY;
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static) reduction(max : high)
        for (int y = 0; y < sim->domain->def.height; y++)
            for (int x = 0; x < sim->domain->def.width; x++) {
                const float value = values[cell(sim, x, y)];
                high = wadi_has_data(sim->domain, x, y) && value > high ? value : high;
            }
    }
    *largest = (double)high;
    return WADI_OK;
}

static bool sound_value(bool terrain, float value) {
    return !terrain ? isfinite(value) : fabsf(value) < 1e7f || (value >= WADI_WALL && value <= WADI_WALL);
}

static int first_unsound(const wadi_sim *sim, int field, int y) {
    const float *row = wadi_block_row(&sim->domain->block, sim->domain->block.field[field], y);
    const bool terrain = field == wadi_field_of(sim->domain->model, WADI_FIELD_TERRAIN);
    for (int x = 0; x < sim->domain->def.width; x++)
        if (!sound_value(terrain, row[x])) return x;
    return -1;
}

static bool has_unsound(const wadi_sim *sim, const void *field, int y) {
    return first_unsound(sim, *(const int *)field, y) >= 0;
}

static wadi_status check_field(const wadi_sim *sim, int field) {
    const int y = first_row(sim, has_unsound, &field);
    if (y == sim->domain->def.height) return WADI_OK;
    return wadi_fail(WADI_ERROR_NUMERIC, "checkpoint: %s at cell (%d, %d) is no sensible number",
                     sim->domain->model->fields[field].name, first_unsound(sim, field, y), y);
}

wadi_status wadi_sim_check_maps(wadi_sim *sim) {
    wadi_status status = sim->mask != NULL ? wadi_check_cells(sim, "mask", sim->mask, 0, 1) : WADI_OK;
    for (int p = 0; status == WADI_OK && p < (int)sim->domain->model->parameter_count; p++)
        if (sim->raster[p] != NULL) status = wadi_check_raster(sim, p, sim->raster[p], &sim->raster_largest[p]);
    return status;
}

wadi_status wadi_sim_check(wadi_sim *sim) {
    wadi_status status = WADI_OK;
    for (int f = 0; status == WADI_OK && f < sim->domain->model->field_count; f++)
        if (wadi_kind(sim->domain, f) != WADI_SCRATCH) status = check_field(sim, f);
    for (int p = 0; status == WADI_OK && p < (int)sim->domain->model->parameter_count; p++)
        if (sim->raster[p] != NULL && !sim->domain->model->parameters[p].per_cell)
            status = wadi_fail(WADI_ERROR_FORMAT, "checkpoint: a map of %s", sim->domain->model->parameters[p].name);
    return status == WADI_OK ? wadi_sim_check_maps(sim) : status;
}
