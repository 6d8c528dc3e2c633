/* fields.c: sets and reads the fields of a simulation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/checks.h"
#include "core/domain.h"
#include "core/gather.h"
#include "core/ground.h"
#include "core/inside.h"
#include "core/map_rows.h"
#include "core/mass.h"
#include "core/mirror.h"
#include "core/need.h"
#include "core/rasters.h"
#include "core/sea.h"
#include "core/strict.h"
#include "core/take.h"
#include "platform/platform.h"
#include "wadi/map.h"

static size_t cell(const wadi_sim *sim, int x, int y) { return (size_t)y * (size_t)sim->domain->def.width + (size_t)x; }

/* A field by its public name or its own name. -1: none. */
static int internal_field(const wadi_sim *sim, const char *name) {
    const wadi_public_map *map = wadi_named_map(sim, name);
    return map != NULL && wadi_is_field(map) ? wadi_field_of(sim->domain->model, map->from)
                                             : wadi_model_field(sim->domain->model, name);
}

/* Whether the map of this field also shows a sea that is not in it. */
static bool shows_sea(const wadi_sim *sim, int field) {
    return field == wadi_field_of(sim->domain->model, WADI_FIELD_WATER) && wadi_sea_is_apart(sim, NULL);
}

static void clear_state(wadi_sim *sim) {
    for (int f = 0; f < sim->domain->model->field_count; f++)
        if (wadi_is_state(sim->domain, f)) wadi_domain_begin_anew(sim->domain, f);
    for (int i = 0; i < WADI_SUMS; i++)
        memset(sim->domain->sums[i], 0, (size_t)sim->domain->def.height * sizeof(double));
    sim->domain->steps = sim->domain->substeps_done = sim->flow_samples = 0;
    sim->domain->base_step = 0;
    sim->deepest_m = 0;
    sim->domain->base_time_s = sim->solid_placed = sim->water_placed = sim->ground_placed = 0;
    sim->moved_before = sim->change_before = sim->solid_handed = sim->water_handed = 0;
    wadi_domain_release(sim->taken);
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

static wadi_status set_state(wadi_sim *sim, int field, const float *values) {
    wadi_status status = wadi_domain_bring_to_change(sim->domain, field);
    if (status != WADI_OK) return status;
    const bool water = field == wadi_field_of(sim->domain->model, WADI_FIELD_WATER),
               solid = field == wadi_field_of(sim->domain->model, WADI_FIELD_SEDIMENT);
    double before = 0, after = 0;
    status = wadi_field_total(sim, field, &before);
    if (status != WADI_OK) return status;
    store(sim, field, values);
    if (sim->domain->steps == 0 && water) status = wadi_sim_flood(sim);
    if (status == WADI_OK && water) status = wadi_sim_dry_sea(sim);
    sim->look_again = true;
    if (status == WADI_OK) status = wadi_field_total(sim, field, &after);
    if (sim->domain->steps > 0 && water) sim->water_placed += after - before;
    if (sim->domain->steps > 0 && solid) sim->solid_placed += after - before;
    return status;
}

static wadi_status check_count(const wadi_sim *sim, const char *field, size_t count) {
    const wadi_def *def = &sim->domain->def;
    if (count == (size_t)def->width * (size_t)def->height) return WADI_OK;
    return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %zu values for %d x %d cells", field, count, def->width, def->height);
}

/* The largest value of state; 0: the field is not state. */
static double most_of(const wadi_sim *sim, const char *field) {
    if (strcmp(field, "hardness") == 0) return 1;
    if (strcmp(field, "ice") == 0 && wadi_named_map(sim, field) != NULL) return 1e4;
    return strcmp(field, "water") == 0 || strcmp(field, "sediment") == 0 ? 1e7 : 0;
}

static wadi_status check_state(const wadi_sim *sim, const char *field, const float *values) {
    if (strcmp(field, "hardness") == 0 && !wadi_model_has_hardness(sim->domain->model))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s has no hardness: leave it out, or choose jako2011",
                         sim->domain->model->id);
    return wadi_check_cells(sim, field, values, 0, most_of(sim, field));
}

wadi_status wadi_sim_check_map(const wadi_sim *sim, const char *field, const float *values, size_t count) {
    WADI_NEED(sim);
    WADI_NEED(field);
    WADI_NEED(values);
    const wadi_status status = check_count(sim, field, count);
    if (status != WADI_OK) return status;
    return most_of(sim, field) > 0 ? check_state(sim, field, values) : wadi_check_map(sim, field, values);
}

typedef struct one_map {
    const char *field; /* NULL: given already */
    const float *values;
} one_map;

static wadi_status give_one(void *context, const char **field, const float **values) {
    one_map *map = context;
    *field = map->field, *values = map->values;
    map->field = NULL;
    return WADI_OK;
}

wadi_status wadi_sim_set(wadi_sim *sim, const char *field, const float *values, size_t count) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    WADI_NEED(field);
    WADI_NEED(values);
    sim->domain->edits++;
    wadi_status status = check_count(sim, field, count);
    if (status != WADI_OK) return status;
    if (strcmp(field, "height") == 0) return set_height(sim, values);
    if (strcmp(field, "change") == 0) return wadi_sim_set_change(sim, values);
    const bool slid = strcmp(field, "slid") == 0 && wadi_named_map(sim, field) != NULL;
    if (!slid && most_of(sim, field) == 0) return wadi_sim_set_maps(sim, give_one, &(one_map){field, values});
    status = slid ? wadi_check_cells(sim, field, values, -1e7, 1e7) : check_state(sim, field, values);
    return status == WADI_OK ? set_state(sim, internal_field(sim, field), values) : status;
}

/* --- reading --- */

/* Where values go: those of a rectangle, in rows that begin `stride` floats apart. */
typedef struct target {
    wadi_rect rect;
    float *values;
    size_t stride;
} target;

static float *target_row(const target *to, int y) { return to->values + (size_t)(y - to->rect.y) * to->stride; }

static void mark_nodata(const wadi_sim *sim, int y, int x0, int count, float *row) {
    for (int x = 0; x < count; x++) row[x] = wadi_has_data(sim->domain, x0 + x, y) ? row[x] : NAN;
}

/* Reads whole rows, in parallel. */
static void read_rows(const wadi_sim *sim, int field, wadi_read_row *read, const target *to) {
#pragma omp parallel num_threads(sim->domain->threads)
    {
        WADI_IEEE_MODE;
#pragma omp for schedule(static)
        for (int y = to->rect.y; y < to->rect.y + to->rect.height; y++) {
            read(sim, y, wadi_block_row(&sim->domain->block, sim->domain->block.field[field], y), target_row(to, y));
            mark_nodata(sim, y, 0, to->rect.width, target_row(to, y));
        }
    }
}

/* Reads parts of rows: a whole row at a time, of which a part is kept. */
static wadi_status read_parts(const wadi_sim *sim, int field, wadi_read_row *read, const target *to) {
    const wadi_rect *rect = &to->rect;
    float *row = malloc((size_t)sim->domain->def.width * sizeof *row);
    if (row == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a row of cells");
    for (int y = rect->y; y < rect->y + rect->height; y++) {
        read(sim, y, wadi_block_row(&sim->domain->block, sim->domain->block.field[field], y), row);
        memcpy(target_row(to, y), row + rect->x, (size_t)rect->width * sizeof *row);
        mark_nodata(sim, y, rect->x, rect->width, target_row(to, y));
    }
    free(row);
    return WADI_OK;
}

/* Sets NaN in cells without data. */
static wadi_status read_field(const wadi_sim *sim, int field, wadi_read_row *read, const target *to) {
    const wadi_model *model = sim->domain->model;
    const bool with_change = field == wadi_field_of(model, WADI_FIELD_SLID) || shows_sea(sim, field);
    wadi_status status = wadi_domain_bring(sim->domain, field);
    if (status == WADI_OK && with_change) /* some of its maps need both */
        status = wadi_domain_bring(sim->domain, wadi_field_of(model, WADI_FIELD_CHANGE));
    if (status != WADI_OK) return status;
    if (to->rect.width < sim->domain->def.width) return read_parts(sim, field, read, to);
    read_rows(sim, field, read, to);
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

static wadi_status read_map(const wadi_sim *sim, const wadi_public_map *map, const target *to) {
    const int field = wadi_field_of(sim->domain->model, map->from);
    const wadi_status status = run_on_request(sim, field);
    return status == WADI_OK ? read_field(sim, field, map->read, to) : status;
}

/* -1: none. */
static int parameter_per_cell(const wadi_sim *sim, const char *name) {
    const int index = wadi_model_parameter_index(sim->domain->model, name);
    return index >= 0 && sim->domain->model->parameters[index].per_cell ? index : -1;
}

static void read_parameter(const wadi_sim *sim, int index, const target *to) {
    const float *map = sim->raster[index];
    for (int y = to->rect.y; y < to->rect.y + to->rect.height; y++) {
        float *row = target_row(to, y);
        for (int x = 0; x < to->rect.width; x++)
            row[x] = map != NULL ? map[cell(sim, to->rect.x + x, y)] : (float)sim->domain->def.values[index];
        mark_nodata(sim, y, to->rect.x, to->rect.width, row);
    }
}

/* A field by its own name; -1: none that lasts. (A scratch field may have the name of a parameter.) */
static int lasting_field(const wadi_sim *sim, const char *name) {
    const int index = wadi_model_field(sim->domain->model, name);
    return index >= 0 && wadi_kind(sim->domain, index) != WADI_SCRATCH ? index : -1;
}

bool wadi_sim_has(const wadi_sim *sim, const char *field) {
    if (sim == NULL || field == NULL) return false;
    if (wadi_named_map(sim, field) != NULL || lasting_field(sim, field) >= 0) return true;
    return !wadi_is_named_map(field) && parameter_per_cell(sim, field) >= 0;
}

bool wadi_sim_has_map(const wadi_sim *sim, const char *parameter) {
    if (sim == NULL || parameter == NULL) return false;
    const int index = wadi_model_parameter_index(sim->domain->model, parameter);
    return index >= 0 && sim->raster[index] != NULL;
}

static wadi_status read_to(const wadi_sim *sim, const char *field, const target *to) {
    if (!wadi_sim_has(sim, field))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s has no field '%s'", sim->domain->model->id, field);
    const wadi_public_map *map = wadi_named_map(sim, field);
    if (map != NULL) return read_map(sim, map, to);
    const int index = lasting_field(sim, field);
    if (index >= 0) return read_field(sim, index, wadi_copy_row, to);
    read_parameter(sim, parameter_per_cell(sim, field), to);
    return WADI_OK;
}

wadi_status wadi_sim_get(const wadi_sim *sim, const char *field, float *values, size_t count) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    WADI_NEED(field);
    WADI_NEED(values);
    const wadi_def *def = &sim->domain->def;
    if (count != (size_t)def->width * (size_t)def->height)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: room for %zu values, %d x %d cells", field, count, def->width,
                         def->height);
    return read_to(sim, field, &(target){{0, 0, def->width, def->height}, values, (size_t)def->width});
}

static bool is_inside(const wadi_rect *rect, const wadi_def *def) {
    return rect->x >= 0 && rect->y >= 0 && rect->width >= 1 && rect->height >= 1 &&
           rect->width <= def->width - rect->x && rect->height <= def->height - rect->y;
}

wadi_status wadi_sim_get_rect(const wadi_sim *sim, const char *field, const wadi_rect *rect, float *values,
                              size_t stride) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    WADI_NEED(field);
    WADI_NEED(rect);
    WADI_NEED(values);
    const wadi_def *def = &sim->domain->def;
    if (!is_inside(rect, def))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: %d x %d cells at (%d, %d) do not lie in a grid of %d x %d", field,
                         rect->width, rect->height, rect->x, rect->y, def->width, def->height);
    if (stride < (size_t)rect->width)
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s: rows of %d cells cannot begin %zu floats apart", field, rect->width,
                         stride);
    return read_to(sim, field, &(target){*rect, values, stride});
}

static bool has_nodata(const wadi_sim *sim) {
    for (int y = 0; y < sim->domain->def.height; y++)
        for (int x = 0; x < sim->domain->def.width; x++)
            if (!wadi_has_data(sim->domain, x, y)) return true;
    return false;
}

/* A state field of the whole run: its memory stays where it is. */
static bool lies_in_memory(const wadi_sim *sim, int field) {
    return field >= 0 && !shows_sea(sim, field) && sim->domain->engine->fetch == NULL &&
           sim->domain->model->fields[field].kind == WADI_STATE && !has_nodata(sim);
}

wadi_status wadi_sim_borrow(const wadi_sim *sim, const char *field, const float **values, size_t *stride) {
    WADI_NEED(sim);
    WADI_NEED(field);
    WADI_NEED(values);
    WADI_NEED(stride);
    *values = NULL;
    *stride = 0;
    if (!wadi_sim_has(sim, field))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s has no field '%s'", sim->domain->model->id, field);
    const int index = internal_field(sim, field);
    if (!lies_in_memory(sim, index))
        return wadi_fail(WADI_ERROR_UNSUPPORTED, "'%s' does not lie in memory as it is read: copy it", field);
    *values = sim->domain->block.field[index];
    *stride = (size_t)sim->domain->block.pitch;
    return WADI_OK;
}

static bool is_settable(const char *map) {
    /* as wadi_sim_set has them */
    static const char *const all[] = {"height", "change", "mask", "water", "sediment", "hardness", "ice"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(map, all[i]) == 0) return true;
    return false;
}

/* A list that may be shorter than what is put into it. */
typedef struct facts_list {
    wadi_field_facts *items;
    size_t most, count;
} facts_list;

static void add_facts(facts_list *list, wadi_field_facts facts) {
    if (list->items != NULL && list->count < list->most) list->items[list->count] = facts;
    list->count++;
}

size_t wadi_sim_fields(const wadi_sim *sim, wadi_field_facts *fields, size_t most) {
    if (sim == NULL) return 0;
    facts_list list = {fields, most, 0};
    const wadi_map_facts *map;
    for (size_t i = 0; (map = wadi_map_facts_at(i)) != NULL; i++)
        if (wadi_named_map(sim, map->name) != NULL)
            add_facts(&list, (wadi_field_facts){map->name, map->unit, map->meaning, is_settable(map->name), false});
    for (size_t i = 0; i < sim->domain->model->parameter_count; i++) {
        const wadi_parameter *of = &sim->domain->model->parameters[i];
        if (of->per_cell) add_facts(&list, (wadi_field_facts){of->name, of->unit, of->meaning, true, true});
    }
    return list.count;
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
        if (shows_sea(sim, index)) return wadi_fail(WADI_ERROR_UNSUPPORTED, "the sea is added on the host");
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
