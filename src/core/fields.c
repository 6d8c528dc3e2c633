/* fields.c: sets and reads the fields of a simulation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/checks.h"
#include "core/domain.h"
#include "core/gather.h"
#include "core/ground.h"
#include "core/inside.h"
#include "core/mass.h"
#include "core/mirror.h"
#include "core/need.h"
#include "core/prepare.h"
#include "core/sea.h"
#include "core/strict.h"
#include "core/take.h"
#include "platform/platform.h"

static size_t cell(const wadi_sim *sim, int x, int y) { return (size_t)y * (size_t)sim->domain->def.width + (size_t)x; }

/* --- the maps: each function writes one row of a map from one row of the field that it is made from --- */

typedef void read_row(const wadi_sim *sim, int y, const float *from, float *values);

static void copy_row(const wadi_sim *sim, int y, const float *from, float *values) {
    (void)y;
    memcpy(values, from, (size_t)sim->domain->def.width * sizeof *values);
}

static void height_row(const wadi_sim *sim, int y, const float *db, float *values) {
    const float *b0 = wadi_terrain_row(sim->domain, y);
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = b0[x] + db[x];
}

static void erosion_row(const wadi_sim *sim, int y, const float *db, float *values) {
    (void)y;
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = db[x] < 0 ? -db[x] : 0.0f;
}

static void deposition_row(const wadi_sim *sim, int y, const float *db, float *values) {
    (void)y;
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = db[x] > 0 ? db[x] : 0.0f;
}

static void flow_row(const wadi_sim *sim, int y, const float *sum, float *values) {
    const float samples = (float)sim->flow_samples;
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = samples > 0 ? sum[x] / samples : 0.0f;
    wadi_sim_add_gathered(sim, y, sum, values);
}

static void mask_row(const wadi_sim *sim, int y, const float *unused, float *values) {
    (void)unused;
    const float *mask = sim->mask != NULL ? sim->mask + cell(sim, 0, y) : NULL;
    for (int x = 0; x < sim->domain->def.width; x++) values[x] = mask != NULL ? mask[x] : 1.0f;
}

/* A map that has a public name (core/maps.def). */
typedef struct public_map {
    const char *name;
    read_row *read; /* NULL: it is a parameter */
    wadi_field_role from;
} public_map;

static bool exists(const wadi_sim *sim, int field) {
    return field >= 0 && (sim->domain->model->fields[field].kind != WADI_OPTIONAL || wadi_is_state(sim->domain, field));
}

/* NULL: there is no such map, or the model has no field for it. */
static const public_map *find_map(const wadi_sim *sim, const char *name) {
    static const public_map all[] = {
#define MAP(name, title, unit, palette, range, use, read, role, meaning) {#name, read, WADI_FIELD_##role},
#include "core/maps.def"
#undef MAP
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].name) == 0 && all[i].read != NULL)
            return exists(sim, wadi_field_of(sim->domain->model, all[i].from)) ? &all[i] : NULL;
    return NULL;
}

/* A field by its public name or its own name. -1: none. */
static int internal_field(const wadi_sim *sim, const char *name) {
    const public_map *map = find_map(sim, name);
    return map != NULL && map->read == copy_row ? wadi_field_of(sim->domain->model, map->from)
                                                : wadi_model_field(sim->domain->model, name);
}

static void clear_state(wadi_sim *sim) {
    for (int f = 0; f < sim->domain->model->field_count; f++)
        if (wadi_is_state(sim->domain, f)) wadi_domain_begin_anew(sim->domain, f);
    for (int i = 0; i < WADI_SUMS; i++)
        memset(sim->domain->sums[i], 0, (size_t)sim->domain->def.height * sizeof(double));
    sim->domain->steps = sim->domain->substeps_done = sim->flow_samples = 0;
    sim->domain->base_step = 0;
    sim->domain->base_time_s = sim->solid_placed = sim->water_placed = sim->ground_placed = 0;
    sim->moved_before = sim->change_before = sim->solid_handed = sim->water_handed = 0;
    free(sim->taken);
    sim->taken = NULL;
    wadi_sim_gathered_free(sim);
}

static void store(wadi_sim *sim, int field, const float *values) {
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < sim->domain->def.height; y++) {
            float *row = wadi_block_row(&sim->domain->block, sim->domain->block.field[field], y);
            for (int x = 0; x < sim->domain->def.width; x++)
                if (wadi_has_data(sim->domain, x, y)) row[x] = values[cell(sim, x, y)];
            if (sim->domain->def.boundary == WADI_WRAP) wadi_block_close_row(&sim->domain->block, row);
        }
    }
}

static void ground_row(const wadi_sim *sim, const void *heights, int y, float *row) {
    const float *given = (const float *)heights + cell(sim, 0, y);
    for (int x = 0; x < sim->domain->def.width; x++) row[x] = isnan(given[x]) ? WADI_WALL : given[x];
}

static wadi_status set_height(wadi_sim *sim, const float *heights) {
    wadi_status status = wadi_check_heights(sim, heights);
    if (status == WADI_OK) status = wadi_sim_replace_ground(sim, ground_row, heights);
    if (status != WADI_OK) return status;
    clear_state(sim);
    return wadi_sim_flood(sim);
}

static wadi_status set_state(wadi_sim *sim, const char *name, int field, const float *values, double low, double high) {
    wadi_status status = wadi_check_cells(sim, name, values, low, high);
    if (status == WADI_OK) status = wadi_domain_bring_to_change(sim->domain, field);
    if (status != WADI_OK) return status;
    const bool water = field == wadi_field_of(sim->domain->model, WADI_FIELD_WATER),
               solid = field == wadi_field_of(sim->domain->model, WADI_FIELD_SEDIMENT);
    double before = 0, after = 0;
    status = wadi_field_total(sim, field, &before);
    if (status != WADI_OK) return status;
    store(sim, field, values);
    if (sim->domain->steps == 0 && water) status = wadi_sim_flood(sim);
    if (status == WADI_OK) status = wadi_field_total(sim, field, &after);
    if (sim->domain->steps > 0 && water) sim->water_placed += after - before;
    if (sim->domain->steps > 0 && solid) sim->solid_placed += after - before;
    return status;
}

/* Replaces the map. If the simulation refuses it, the previous map is restored. */
static wadi_status change_map(wadi_sim *sim, float **map, const float *values, size_t count) {
    float *copy = malloc(count * sizeof *copy), *before = *map;
    if (copy == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a map");
    memcpy(copy, values, count * sizeof *copy);
    *map = copy;
    const wadi_status status = wadi_sim_refresh(sim);
    if (status != WADI_OK) *map = before;
    free(status == WADI_OK ? before : copy);
    return status;
}

static wadi_status set_raster(wadi_sim *sim, int index, const float *values, size_t count) {
    const wadi_parameter *parameter = &sim->domain->model->parameters[index];
    if (!parameter->per_cell)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s cannot differ from cell to cell: give one value", parameter->name);
    const double before = sim->raster_largest[index];
    wadi_status status = wadi_check_raster(sim, index, values, &sim->raster_largest[index]);
    if (status == WADI_OK) status = change_map(sim, &sim->raster[index], values, count);
    if (status != WADI_OK) sim->raster_largest[index] = before;
    return status;
}

wadi_status wadi_sim_set(wadi_sim *sim, const char *field, const float *values, size_t count) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    WADI_NEED(field);
    WADI_NEED(values);
    sim->domain->edits++;
    const size_t cells = (size_t)sim->domain->def.width * (size_t)sim->domain->def.height;
    if (count != cells)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %zu values for %d x %d cells", field, count, sim->domain->def.width,
                         sim->domain->def.height);
    if (strcmp(field, "height") == 0) return set_height(sim, values);
    if (strcmp(field, "change") == 0) return wadi_sim_set_change(sim, values);
    if (strcmp(field, "mask") == 0) {
        const wadi_status status = wadi_check_cells(sim, field, values, 0, 1);
        return status != WADI_OK ? status : change_map(sim, &sim->mask, values, count);
    }
    const bool hardness = strcmp(field, "hardness") == 0;
    if (hardness && !wadi_model_has_hardness(sim->domain->model))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s has no hardness: leave it out, or choose jako2011",
                         sim->domain->model->id);
    if (strcmp(field, "water") == 0 || strcmp(field, "sediment") == 0 || hardness)
        return set_state(sim, field, internal_field(sim, field), values, 0, hardness ? 1 : 1e7);
    const int parameter = wadi_model_parameter_index(sim->domain->model, field);
    return parameter < 0 ? WADI_ERROR_ARGUMENT : set_raster(sim, parameter, values, count);
}

/* Sets NaN in cells without data. */
static wadi_status read_field(const wadi_sim *sim, int field, read_row *read, float *values) {
    const wadi_status status = wadi_domain_bring(sim->domain, field);
    if (status != WADI_OK) return status;
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = 0; y < sim->domain->def.height; y++) {
            float *to = values + cell(sim, 0, y);
            read(sim, y, wadi_block_row(&sim->domain->block, sim->domain->block.field[field], y), to);
            for (int x = 0; x < sim->domain->def.width; x++) to[x] = wadi_has_data(sim->domain, x, y) ? to[x] : NAN;
        }
    }
    return WADI_OK;
}

/* A scratch field holds nothing until its stage runs, on request. That stage writes scratch only, so the simulation is
 * logically unchanged. */
static wadi_status run_on_request(const wadi_sim *sim, int field) {
    if (wadi_kind(sim->domain, field) != WADI_SCRATCH) return WADI_OK;
    for (int i = 0; i < sim->domain->model->stage_count; i++) {
        const wadi_stage *stage = &sim->domain->model->stages[i];
        if (stage->every == 0 && wadi_stage_writes(stage, field)) return wadi_domain_once(sim->domain, stage);
    }
    return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s has no stage for this field", sim->domain->model->id);
}

static wadi_status read_map(const wadi_sim *sim, const public_map *map, float *values) {
    const int field = wadi_field_of(sim->domain->model, map->from);
    const wadi_status status = run_on_request(sim, field);
    return status == WADI_OK ? read_field(sim, field, map->read, values) : status;
}

/* -1: none. */
static int parameter_per_cell(const wadi_sim *sim, const char *name) {
    const int index = wadi_model_parameter_index(sim->domain->model, name);
    return index >= 0 && sim->domain->model->parameters[index].per_cell ? index : -1;
}

static void read_parameter(const wadi_sim *sim, int index, float *values) {
    for (int y = 0; y < sim->domain->def.height; y++)
        for (int x = 0; x < sim->domain->def.width; x++) {
            const float *map = sim->raster[index];
            const float value = map != NULL ? map[cell(sim, x, y)] : (float)sim->domain->def.values[index];
            values[cell(sim, x, y)] = wadi_has_data(sim->domain, x, y) ? value : NAN;
        }
}

bool wadi_sim_has(const wadi_sim *sim, const char *field) {
    if (sim == NULL || field == NULL) return false;
    if (find_map(sim, field) != NULL) return true;
    const int index = wadi_model_field(sim->domain->model, field);
    return index < 0 ? parameter_per_cell(sim, field) >= 0 : wadi_kind(sim->domain, index) != WADI_SCRATCH;
}

bool wadi_sim_has_map(const wadi_sim *sim, const char *parameter) {
    if (sim == NULL || parameter == NULL) return false;
    const int index = wadi_model_parameter_index(sim->domain->model, parameter);
    return index >= 0 && sim->raster[index] != NULL;
}

wadi_status wadi_sim_get(const wadi_sim *sim, const char *field, float *values, size_t count) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    WADI_NEED(field);
    WADI_NEED(values);
    if (count != (size_t)sim->domain->def.width * (size_t)sim->domain->def.height)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: room for %zu values, %d x %d cells", field, count,
                         sim->domain->def.width, sim->domain->def.height);
    if (!wadi_sim_has(sim, field))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s has no field '%s'", sim->domain->model->id, field);
    const public_map *map = find_map(sim, field);
    if (map != NULL) return read_map(sim, map, values);
    const int index = wadi_model_field(sim->domain->model, field);
    if (index >= 0) return read_field(sim, index, copy_row, values);
    read_parameter(sim, parameter_per_cell(sim, field), values);
    return WADI_OK;
}

wadi_status wadi_sim_get_gl(const wadi_sim *sim, const char *const *fields, const unsigned *buffers, size_t count) {
    WADI_NEED(sim);
    WADI_NEED(fields);
    WADI_NEED(buffers);
    wadi_shown shown[WADI_MOST_GL_FIELDS];
    if (count < 1 || count > WADI_MOST_GL_FIELDS)
        return wadi_fail(WADI_ERROR_ARGUMENT, "1 to %d fields go to OpenGL at once, not %zu", WADI_MOST_GL_FIELDS,
                         count);
    for (size_t i = 0; i < count; i++) {
        WADI_NEED(fields[i]);
        const bool height = strcmp(fields[i], "height") == 0;
        const int index =
            height ? wadi_field_of(sim->domain->model, WADI_FIELD_CHANGE) : internal_field(sim, fields[i]);
        if (index < 0 || !wadi_is_state(sim->domain, index))
            return wadi_fail(WADI_ERROR_ARGUMENT, "%s has no field '%s' that OpenGL can be given",
                             sim->domain->model->id, fields[i]);
        shown[i] = (wadi_shown){index, height};
    }
    if (sim->domain->engine->show == NULL)
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "%s shares no memory with OpenGL", sim->domain->device);
    if (sim->domain->failure != WADI_OK)
        return wadi_fail(sim->domain->failure, "the device failed earlier: its state is lost");
    return sim->domain->engine->show(sim->domain, shown, buffers, (int)count);
}

void wadi_sim_trim(wadi_sim *sim) {
    if (sim == NULL) return;
    for (int f = 0; f < sim->domain->model->field_count; f++) {
        wadi_block_drop(&sim->domain->block, f, sim->domain->good[f]);
        wadi_domain_let_go(sim->domain, f);
    }
    sim->domain->good_kept = false;
}
