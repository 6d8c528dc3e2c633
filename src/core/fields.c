/* fields.c: setting and reading a simulation's fields. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/sim.h"
#include "platform/platform.h"

bool wadi_sim_has_data(const wadi_sim *sim, int x, int y) {
    return wadi_block_row(&sim->block, sim->block.field[0], y)[x] < 0.1f * WADI_WALL;
}

static size_t cell(const wadi_sim *sim, int x, int y) { return (size_t)y * (size_t)sim->def.width + (size_t)x; }

/* How a field is called outside, and inside. */
static int internal_field(const wadi_sim *sim, const char *name) {
    static const char *const names[][2] = {{"water", "d"}, {"sediment", "s"}, {"hardness", "R"}, {"change", "db"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i][0]) == 0) return wadi_model_field(sim->model, names[i][1]);
    return wadi_model_field(sim->model, name);
}

static wadi_status check_values(const wadi_sim *sim, const char *name, const float *values, double low, double high) {
    for (int y = 0; y < sim->def.height; y++)
        for (int x = 0; x < sim->def.width; x++) {
            const double value = (double)values[cell(sim, x, y)];
            if (!wadi_sim_has_data(sim, x, y) || (value >= low && value <= high)) continue;
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %g at cell (%d, %d) is outside %g to %g", name, value, x, y, low,
                             high);
        }
    return WADI_OK;
}

static void find_range(wadi_sim *sim) {
    double low = INFINITY, high = -INFINITY;
    for (int y = 0; y < sim->def.height; y++)
        for (int x = 0; x < sim->def.width; x++) {
            if (!wadi_sim_has_data(sim, x, y)) continue;
            const double b = (double)wadi_block_row(&sim->block, sim->block.field[0], y)[x];
            low = b < low ? b : low;
            high = b > high ? b : high;
        }
    sim->low_m = low <= high ? low : 0;
    sim->high_m = low <= high ? high : 0;
}

void wadi_sim_find_outside(wadi_sim *sim) {
    find_range(sim);
    memset(sim->beside_outside, 0, (size_t)sim->def.height);
    const bool wrap = sim->def.boundary == WADI_WRAP;
    for (int y = 0; y < sim->def.height; y++) {
        bool outside = false;
        for (int x = 0; x < sim->def.width; x++) outside |= !wadi_sim_has_data(sim, x, y);
        for (int dy = -1; outside && dy <= 1; dy++) {
            const int row = wrap ? (y + dy + sim->def.height) % sim->def.height : y + dy;
            if (row >= 0 && row < sim->def.height) sim->beside_outside[row] = 1;
        }
    }
}

static wadi_status check_heights(const wadi_sim *sim, const float *heights) {
    bool any = false;
    for (int y = 0; y < sim->def.height; y++)
        for (int x = 0; x < sim->def.width; x++) {
            const float height = heights[cell(sim, x, y)];
            any |= !isnan(height);
            if (fabsf(height) >= 1e7f)
                return wadi_fail(WADI_ERROR_ARGUMENT,
                                 "height: %g m at cell (%d, %d) is no terrain: heights stay within 1e7 m",
                                 (double)height, x, y);
        }
    return any ? WADI_OK : wadi_fail(WADI_ERROR_ARGUMENT, "height: no cell has data");
}

static void clear_state(wadi_sim *sim) {
    for (int f = 0; f < sim->model->field_count; f++) {
        if (sim->model->fields[f].kind != WADI_STATE) continue;
        const float value = wadi_at_start(sim, f);
        for (int y = 0; y < sim->def.height; y++) {
            float *row = wadi_block_row(&sim->block, sim->block.field[f], y);
            for (int x = 0; x < sim->def.width; x++) row[x] = value;
            if (sim->def.boundary == WADI_WRAP) wadi_block_wrap_row(&sim->block, sim->block.field[f], y);
        }
    }
    for (int i = 0; i < WADI_SUMS; i++) memset(sim->sums[i], 0, (size_t)sim->def.height * sizeof(double));
    sim->steps = sim->substeps_done = sim->flow_samples = 0;
    sim->base_step = 0;
    sim->base_time_s = sim->solid_placed = sim->water_placed = 0;
    sim->moved_before = sim->change_before = sim->solid_handed = sim->water_handed = 0;
    free(sim->taken);
    sim->taken = NULL;
}

static void store(wadi_sim *sim, int field, const float *values, bool walls) {
    for (int y = 0; y < sim->def.height; y++) {
        float *row = wadi_block_row(&sim->block, sim->block.field[field], y);
        for (int x = 0; x < sim->def.width; x++) {
            const float value = values[cell(sim, x, y)];
            if (walls)
                row[x] = isnan(value) ? WADI_WALL : value;
            else if (wadi_sim_has_data(sim, x, y))
                row[x] = value;
        }
        if (sim->def.boundary == WADI_WRAP) wadi_block_wrap_row(&sim->block, sim->block.field[field], y);
    }
}

static wadi_status set_height(wadi_sim *sim, const float *heights) {
    const wadi_status status = check_heights(sim, heights);
    if (status != WADI_OK) return status;
    clear_state(sim);
    store(sim, 0, heights, true);
    wadi_sim_find_outside(sim);
    return wadi_sim_refresh(sim);
}

static wadi_status set_state(wadi_sim *sim, const char *name, int field, const float *values, double low, double high) {
    const wadi_status status = check_values(sim, name, values, low, high);
    if (status != WADI_OK) return status;
    const bool water = strcmp(name, "water") == 0, solid = strcmp(name, "sediment") == 0;
    const double before = wadi_field_total(sim, sim->model->fields[field].name);
    store(sim, field, values, false);
    const double placed = wadi_field_total(sim, sim->model->fields[field].name) - before;
    if (sim->steps > 0 && water) sim->water_placed += placed;
    if (sim->steps > 0 && solid) sim->solid_placed += placed;
    return WADI_OK;
}

/* Takes the map in; if the simulation then refuses it, the one before is back. */
static wadi_status change_map(wadi_sim *sim, float **map, const float *values, size_t count) {
    float *copy = malloc(count * sizeof *copy), *before = *map;
    if (copy == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a map");
    memcpy(copy, values, count * sizeof *copy);
    *map = copy;
    const wadi_status status = wadi_sim_refresh(sim);
    if (status == WADI_OK) {
        free(before);
        return WADI_OK;
    }
    char message[512];
    snprintf(message, sizeof message, "%s", wadi_error_message());
    *map = before;
    free(copy);
    wadi_sim_refresh(sim);
    return wadi_fail(status, "%s", message);
}

/* Every value in its declared range; only what lies beyond those seen before needs a look. */
static wadi_status check_raster(const wadi_sim *sim, int index, const float *values, double *largest) {
    double low = INFINITY, high = -INFINITY;
    for (int y = 0; y < sim->def.height; y++)
        for (int x = 0; x < sim->def.width; x++) {
            if (!wadi_sim_has_data(sim, x, y)) continue;
            const double value = (double)values[cell(sim, x, y)];
            if (value >= low && value <= high) continue;
            const wadi_status status = wadi_check_value(&sim->def, index, value);
            if (status != WADI_OK) return wadi_fail(status, "at cell (%d, %d): %s", x, y, wadi_error_message());
            low = fmin(low, value);
            high = fmax(high, value);
        }
    *largest = high;
    return WADI_OK;
}

static wadi_status set_raster(wadi_sim *sim, int index, const float *values, size_t count) {
    const wadi_parameter *parameter = &sim->model->parameters[index];
    if (!parameter->per_cell)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s cannot differ from cell to cell: give one value", parameter->name);
    const double before = sim->raster_largest[index];
    wadi_status status = check_raster(sim, index, values, &sim->raster_largest[index]);
    if (status == WADI_OK) status = change_map(sim, &sim->raster[index], values, count);
    if (status != WADI_OK) sim->raster_largest[index] = before;
    return status;
}

wadi_status wadi_sim_set(wadi_sim *sim, const char *field, const float *values, size_t count) {
    sim->edits++;
    const size_t cells = (size_t)sim->def.width * (size_t)sim->def.height;
    if (count != cells)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %zu values for %d x %d cells", field, count, sim->def.width,
                         sim->def.height);
    if (strcmp(field, "height") == 0) return set_height(sim, values);
    if (strcmp(field, "mask") == 0) {
        const wadi_status status = check_values(sim, field, values, 0, 1);
        return status != WADI_OK ? status : change_map(sim, &sim->mask, values, count);
    }
    const bool hardness = strcmp(field, "hardness") == 0;
    if (hardness && !sim->model->has_hardness)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s has no hardness: leave it out, or choose jako2011", sim->model->id);
    if (strcmp(field, "water") == 0 || strcmp(field, "sediment") == 0 || hardness)
        return set_state(sim, field, internal_field(sim, field), values, 0, hardness ? 1 : 1e7);
    const int parameter = wadi_model_parameter_index(sim->model, field);
    return parameter < 0 ? WADI_ERROR_ARGUMENT : set_raster(sim, parameter, values, count);
}

static bool sound_value(int field, float value) {
    return field != 0 ? isfinite(value) : fabsf(value) < 1e7f || (value >= WADI_WALL && value <= WADI_WALL);
}

static wadi_status check_field(const wadi_sim *sim, int field) {
    for (int y = 0; y < sim->def.height; y++)
        for (int x = 0; x < sim->def.width; x++)
            if (!sound_value(field, wadi_block_row(&sim->block, sim->block.field[field], y)[x]))
                return wadi_fail(WADI_ERROR_NUMERIC, "checkpoint: %s at cell (%d, %d) is no sensible number",
                                 sim->model->fields[field].name, x, y);
    return WADI_OK;
}

wadi_status wadi_sim_check(wadi_sim *sim) {
    wadi_status status = WADI_OK;
    for (int f = 0; status == WADI_OK && f < sim->model->field_count; f++)
        if (sim->model->fields[f].kind != WADI_SCRATCH) status = check_field(sim, f);
    if (status == WADI_OK && sim->mask != NULL) status = check_values(sim, "mask", sim->mask, 0, 1);
    for (int p = 0; status == WADI_OK && p < (int)sim->model->parameter_count; p++) {
        if (sim->raster[p] == NULL) continue;
        if (!sim->model->parameters[p].per_cell)
            return wadi_fail(WADI_ERROR_FORMAT, "checkpoint: a map of %s", sim->model->parameters[p].name);
        status = check_raster(sim, p, sim->raster[p], &sim->raster_largest[p]);
    }
    return status;
}

static float signed_part(float value, float sign) { return sign * value > 0 ? sign * value : 0.0f; }

static void read_field(const wadi_sim *sim, int field, float *values) {
    for (int y = 0; y < sim->def.height; y++)
        memcpy(values + cell(sim, 0, y), wadi_block_row(&sim->block, sim->block.field[field], y),
               (size_t)sim->def.width * sizeof *values);
}

static void read_height(const wadi_sim *sim, float *values) {
    const float *db = sim->block.field[1];
    const unsigned mode = platform_float_mode_strict();
    for (int y = 0; y < sim->def.height; y++)
        for (int x = 0; x < sim->def.width; x++)
            values[cell(sim, x, y)] =
                wadi_block_row(&sim->block, sim->block.field[0], y)[x] + db[y * sim->block.pitch + x];
    platform_float_mode_restore(mode);
}

static void blank_outside(const wadi_sim *sim, float *values) {
    for (int y = 0; y < sim->def.height; y++)
        for (int x = 0; x < sim->def.width; x++)
            if (!wadi_sim_has_data(sim, x, y)) values[cell(sim, x, y)] = NAN;
}

/* Fields that are worked out: true if `name` is one. */
static bool read_derived(const wadi_sim *sim, const char *name, float *values, size_t count) {
    const bool erosion = strcmp(name, "erosion") == 0;
    if (strcmp(name, "height") == 0) {
        read_height(sim, values);
    } else if (erosion || strcmp(name, "deposition") == 0) {
        read_field(sim, wadi_model_field(sim->model, "db"), values);
        for (size_t i = 0; i < count; i++) values[i] = signed_part(values[i], erosion ? -1.0f : 1.0f);
    } else if (strcmp(name, "flow") == 0) {
        read_field(sim, wadi_model_field(sim->model, "Q"), values);
        for (size_t i = 0; i < count; i++)
            values[i] = sim->flow_samples > 0 ? values[i] / (float)sim->flow_samples : 0.0f;
    } else if (strcmp(name, "mask") == 0) {
        for (size_t i = 0; i < count; i++) values[i] = sim->mask != NULL ? sim->mask[i] : 1.0f;
    } else {
        return false;
    }
    return true;
}

/* "velocity": a stage that runs when asked for. It writes scratch alone, so a const simulation stays what it was. */
static wadi_status read_speed(const wadi_sim *sim, float *values) {
    wadi_status status = WADI_OK;
    for (int s = 0; s < sim->model->stage_count; s++)
        if (strcmp(sim->model->stages[s].name, "speed") == 0)
            status = wadi_sim_once((wadi_sim *)(uintptr_t)sim, &sim->model->stages[s]);
    if (status == WADI_OK) read_field(sim, wadi_model_field(sim->model, "speed"), values);
    return status;
}

wadi_status wadi_sim_get(const wadi_sim *sim, const char *field, float *values, size_t count) {
    if (count != (size_t)sim->def.width * (size_t)sim->def.height)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: room for %zu values, %d x %d cells", field, count, sim->def.width,
                         sim->def.height);
    if (strcmp(field, "velocity") == 0 && wadi_model_field(sim->model, "speed") >= 0) {
        const wadi_status status = read_speed(sim, values);
        if (status != WADI_OK) return status;
    } else if (!read_derived(sim, field, values, count)) {
        const int index = internal_field(sim, field);
        if (index < 0 || sim->model->fields[index].kind == WADI_SCRATCH)
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s has no field '%s'", sim->model->id, field);
        read_field(sim, index, values);
    }
    blank_outside(sim, values);
    return WADI_OK;
}
