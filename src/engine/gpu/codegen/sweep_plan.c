/* sweep_plan.c: from the stages' declared radii to the rows that a fused sweep keeps, and the memory that takes. */
#include "engine/gpu/codegen/sweep_plan.h"

#include <string.h>

#include "engine/gpu/codegen/layout.h"

static int larger(int a, int b) { return a > b ? a : b; }
static int smaller(int a, int b) { return a < b ? a : b; }
static int power_of_2(int least) {
    int power = 1;
    while (power < least) power *= 2;
    return power;
}

#define stage_at wadi_gpu_sweep_stage
#define lag_at wadi_gpu_sweep_lag

static bool touches(const wadi_stage *stage, int field) {
    return wadi_stage_writes(stage, field) || wadi_stage_radius(stage, field) >= 0;
}

/* --- what is kept of each field --- */

static wadi_gpu_sweep_role role_of(const wadi_gpu_sweep_plan *plan, const wadi_field *field, int f) {
    bool written = false, used = false, every_time = false;
    for (int e = 0; e < plan->schedule.stages_per_substep; e++) {
        const wadi_stage *stage = stage_at(plan, e);
        if (!touches(stage, f)) continue;
        used = true;
        written = written || wadi_stage_writes(stage, f);
        every_time = every_time || !wadi_stage_is_periodic(stage);
    }
    if (!used) return WADI_GPU_SWEEP_UNUSED;
    if (!every_time && written && field->kind != WADI_SCRATCH) return WADI_GPU_SWEEP_PERIODIC;
    return written ? WADI_GPU_SWEEP_WINDOW : WADI_GPU_SWEEP_INPUT;
}

/* Whether the field is scratch, and all of its readers read one neighbour in the same column. */
static bool has_one_reader_side(const wadi_gpu_sweep_plan *plan, const wadi_field *field, int f) {
    const wadi_read *first = NULL;
    for (int e = 0; e < plan->schedule.stages_per_substep; e++) {
        const wadi_read *read = wadi_stage_read(stage_at(plan, e), f);
        if (read == NULL) continue;
        if (!wadi_reads_one(read) || (first != NULL && read->dx != first->dx)) return false;
        first = read;
    }
    return first != NULL && field->kind == WADI_SCRATCH && plan->role[f] == WADI_GPU_SWEEP_WINDOW;
}

/* The window of a field covers the rows of all its uses. That of an input covers only what stages that are not periodic
 * read at the cell itself. */
static void find_window(wadi_gpu_sweep_plan *plan, const wadi_field *field, int f) {
    const bool one = has_one_reader_side(plan, field, f);
    plan->from[f] = 1000, plan->to[f] = -1000, plan->last[f] = -1;
    for (int e = 0; e < plan->schedule.stages_per_substep; e++) {
        const wadi_stage *stage = stage_at(plan, e);
        const wadi_read *read = wadi_stage_read(stage, f);
        const int lag = lag_at(plan, e), radius = read != NULL ? read->radius : 0;
        const int up = read != NULL ? read->up : 0, down = read != NULL ? read->down : 0;
        const bool elsewhere = plan->role[f] == WADI_GPU_SWEEP_INPUT && (radius > 0 || wadi_stage_is_periodic(stage));
        if (!touches(stage, f) || elsewhere) continue;
        plan->from[f] = smaller(plan->from[f], one && read != NULL ? lag - read->dy : lag - down);
        plan->to[f] = larger(plan->to[f], one && read != NULL ? lag - read->dy : lag + up);
        plan->wide[f] = plan->wide[f] || (radius > 0 && !one);
        if (one && read != NULL) plan->side[f] = read->dx;
        if (wadi_stage_writes(stage, f)) plan->last[f] = larger(plan->last[f], lag);
    }
}

/* Rows that no stage uses between their write and their read are spilled to shared memory. That saves registers and the
 * moves of a window. Shapes with two columns and one sub-step spill nothing. They have registers enough, wait for
 * memory, and need the L1 cache, which shares its space with shared memory. */
static void spill_rows(wadi_gpu_sweep_plan *plan, const wadi_field *field, int f) {
    const int rows = plan->to[f] - plan->from[f];
    int readers = 0;
    for (int e = 0; e < plan->schedule.stages_per_substep; e++)
        readers += wadi_stage_read(stage_at(plan, e), f) != NULL;
    const bool one = has_one_reader_side(plan, field, f) && readers == 1 && plan->from[f] == plan->last[f];
    const bool lacks_registers = plan->shape.substeps > 1 || plan->shape.columns == 4;
    if (plan->shape.lanes == 1 || !lacks_registers || !one || rows < 2) return;
    plan->spilled[f] = power_of_2(rows);
    plan->spilled_rows += plan->spilled[f];
}

bool wadi_gpu_sweep_changes(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int f, bool periodic) {
    return wadi_is_state(domain, f) && plan->role[f] == (periodic ? WADI_GPU_SWEEP_PERIODIC : WADI_GPU_SWEEP_WINDOW);
}

bool wadi_gpu_sweep_passes(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int f) {
    return wadi_gpu_sweep_changes(plan, domain, f, false);
}

int wadi_gpu_sweep_slot(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int f) {
    int slot = 0;
    for (int i = 0; i < f; i++) slot += wadi_gpu_sweep_passes(plan, domain, i);
    return slot;
}

bool wadi_gpu_sweep_keeps(const wadi_gpu_sweep_plan *plan, int f) {
    return plan->role[f] == WADI_GPU_SWEEP_WINDOW ||
           (plan->role[f] == WADI_GPU_SWEEP_INPUT && plan->from[f] <= plan->to[f]);
}

bool wadi_gpu_sweep_prefetches_periodic(const wadi_gpu_sweep_plan *plan, int f) {
    bool read = false;
    for (int e = 0; e < plan->schedule.stages_per_substep; e++)
        read = read || wadi_stage_radius(stage_at(plan, e), f) == 0;
    return read && plan->role[f] == WADI_GPU_SWEEP_PERIODIC;
}

bool wadi_gpu_sweep_neighbours_read(const wadi_gpu_sweep_plan *plan, int e, int f) {
    for (int i = e + 1; i < plan->schedule.stages_per_substep; i++) {
        if (wadi_stage_radius(stage_at(plan, i), f) > 0) return true;
        if (e < 0 && wadi_stage_writes(stage_at(plan, i), f)) return false;
    }
    return false;
}

bool wadi_gpu_sweep_completes(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int e, int f) {
    if (!wadi_gpu_sweep_passes(plan, domain, f) || !wadi_stage_writes(stage_at(plan, e), f)) return false;
    for (int i = e + 1; i < plan->schedule.stages_per_substep; i++)
        if (wadi_stage_writes(stage_at(plan, i), f)) return false;
    return true;
}

/* --- maps --- */

#define MOST_PREFETCHED_MAPS 4 /* each needs a ring buffer in shared memory */

static bool may_prefetch_map(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int e, int m) {
    const wadi_read *map = &stage_at(plan, e)->map[m];
    return plan->shape.prefetch > 0 && map->radius == 0 && !wadi_stage_is_periodic(stage_at(plan, e)) &&
           wadi_gpu_is_raster(domain, map->field);
}

/* Counts the map reads that may be prefetched and come before that of map m by stage e. */
static int maps_before(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int e, int m) {
    int count = 0;
    for (int i = 0; i <= e && i < plan->schedule.stages_per_substep; i++)
        for (int j = 0; j < (i < e ? stage_at(plan, i)->maps : m); j++) count += may_prefetch_map(plan, domain, i, j);
    return count;
}

bool wadi_gpu_sweep_prefetches_map(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int e, int m) {
    return may_prefetch_map(plan, domain, e, m) && maps_before(plan, domain, e, m) < MOST_PREFETCHED_MAPS;
}

int wadi_gpu_sweep_map_row(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain, int e, int m) {
    return plan->inputs - plan->maps + maps_before(plan, domain, e, m);
}

/* --- memory --- */

bool wadi_gpu_shape_uses_ptx(const wadi_gpu_sweep_shape *shape) { return shape->prefetch > 0; }

/* Sets the depth of the ring buffers. They hold the rows that are on their way from device memory. They also hold the
 * rows between the last one that the previous sub-step passed and the one that is loaded now. */
static void find_depth(wadi_gpu_sweep_plan *plan, const wadi_domain *domain) {
    const wadi_gpu_sweep_shape *shape = &plan->shape;
    int rows = 0;
    plan->phases = shape->lanes > 1 && shape->substeps > 1 ? 2 : 1;
    for (int f = 0; f < domain->model->field_count; f++) {
        plan->inputs += (plan->role[f] == WADI_GPU_SWEEP_INPUT && wadi_gpu_sweep_keeps(plan, f)) ||
                        wadi_gpu_sweep_prefetches_periodic(plan, f);
        if (!wadi_gpu_sweep_passes(plan, domain, f)) continue;
        plan->fields++;
        plan->distance = larger(plan->distance, plan->last[f] - plan->from[f]);
    }
    plan->maps = smaller(maps_before(plan, domain, plan->schedule.stages_per_substep, 0), MOST_PREFETCHED_MAPS);
    plan->inputs += plan->maps;
    for (int f = 0; f < domain->model->field_count && shape->substeps > 1; f++)
        if (wadi_gpu_sweep_passes(plan, domain, f))
            rows = larger(rows, plan->distance + plan->from[f] - plan->last[f] + plan->phases);
    plan->depth = power_of_2(larger(rows, shape->prefetch + 1));
}

static void find_size(wadi_gpu_sweep_plan *plan) {
    const wadi_gpu_sweep_shape *shape = &plan->shape;
    const int lanes = shape->lanes, passed = shape->substeps - 1, wide = lanes * shape->columns;
    const int own = wide - 2 * plan->margin;
    plan->items = lanes * shape->tiles * (lanes > 1 ? shape->substeps : 1);
    plan->own_columns = own * shape->tiles - 2 * plan->margin * passed;
    plan->row_floats = larger(wide * shape->tiles, own * shape->tiles + 4 * plan->margin * passed);
    const int loaded = shape->substeps * plan->depth * (plan->inputs + plan->fields) * plan->row_floats;
    plan->spilled_from = passed > 0 || shape->prefetch > 0 ? loaded : 0;
    plan->exchanged_from = plan->spilled_from + plan->spilled_rows * wide * shape->tiles * shape->substeps;
    /* after the sweep a group's sums take two floats per work item */
    plan->rows_floats =
        larger(plan->exchanged_from + (wadi_gpu_shape_uses_ptx(shape) || lanes == 1 ? 0 : 4 * lanes), 2 * plan->items);
}

/* Shared memory in which a persistent kernel keeps the sums of earlier passes, in floats. */
static int kept_floats(const wadi_gpu_sweep_plan *plan) {
    int sums = 0;
    for (int i = 0; i < WADI_SUMS; i++) sums += plan->sums[i];
    return 2 * plan->items * sums;
}

size_t wadi_gpu_sweep_local_bytes(const wadi_gpu_sweep_plan *plan) {
    return (size_t)(plan->rows_floats + (plan->persistent ? kept_floats(plan) : 0)) * sizeof(float);
}

/* Gives up spilling where shared memory has no room for the rows. */
static void make_room(wadi_gpu_sweep_plan *plan, uint64_t local_bytes) {
    const size_t most = (size_t)(plan->rows_floats + kept_floats(plan)) * sizeof(float); /* of a persistent kernel */
    if (plan->spilled_rows == 0 || most <= local_bytes) return;
    memset(plan->spilled, 0, sizeof plan->spilled);
    plan->spilled_rows = 0;
    find_size(plan);
}

/* --- the plan --- */

/* false: periodic stages have different periods. */
static bool find_periods(wadi_gpu_sweep_plan *plan) {
    bool same = true;
    for (int e = 0; e < plan->schedule.stages_per_substep; e++) {
        const wadi_stage *stage = stage_at(plan, e);
        if (!wadi_stage_is_periodic(stage)) continue;
        same = same && (plan->every == 0 || plan->every == stage->every);
        plan->every = stage->every;
    }
    return same;
}

/* Whether every sub-step writes all state that it passes on. */
static bool is_passed_every_time(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain) {
    bool always = plan->fields > 0;
    for (int e = 0; e < plan->schedule.stages_per_substep; e++)
        for (int w = 0; w < stage_at(plan, e)->writes; w++)
            always = always && !(wadi_stage_is_periodic(stage_at(plan, e)) &&
                                 wadi_gpu_sweep_passes(plan, domain, stage_at(plan, e)->write[w]));
    return always;
}

#define LONG_ROW 500 /* operations per cell */

static void find_stages(wadi_gpu_sweep_plan *plan) {
    int operations = 0;
    for (int e = 0; e < plan->schedule.stages_per_substep; e++) {
        const wadi_stage *stage = stage_at(plan, e);
        plan->lag = larger(plan->lag, lag_at(plan, e));
        operations += stage->operations;
        for (int i = 0; i < stage->sums; i++) plan->sums[stage->sum[i]] = true;
    }
    plan->long_rows = operations > LONG_ROW;
}

static void find_fields(wadi_gpu_sweep_plan *plan, const wadi_domain *domain) {
    for (int f = 0; f < domain->model->field_count; f++) {
        const wadi_field *field = &domain->model->fields[f];
        plan->role[f] = role_of(plan, field, f);
        find_window(plan, field, f);
        spill_rows(plan, field, f);
    }
}

/* Without PTX lanes meet at barriers of the group, so a group is one column tile. */
static bool suits_lanes(const wadi_gpu_sweep_shape *shape) {
    if (wadi_gpu_shape_uses_ptx(shape)) return shape->lanes == 32;
    return shape->tiles == 1 && (shape->lanes == 1 || shape->substeps == 1);
}

wadi_status wadi_gpu_sweep_plan_make(wadi_gpu_sweep_plan *plan, const wadi_domain *domain, uint64_t local_bytes,
                                     const wadi_gpu_sweep_shape *shape, bool *fits) {
    memset(plan, 0, sizeof *plan);
    plan->shape = *shape;
    *fits = false;
    if (!wadi_schedule_make(&plan->schedule, domain, 1, false))
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the plan of a kernel");
    plan->halo = plan->schedule.halo[1];
    const int whole =
        shape->lanes > 1 ? shape->columns : 1; /* the columns of a lane are all in the margin, or none is */
    plan->margin = (plan->halo + whole - 1) / whole * whole;
    find_stages(plan);
    const bool same_period = find_periods(plan);
    find_fields(plan, domain);
    find_depth(plan, domain);
    find_size(plan);
    make_room(plan, local_bytes);
    const int rows_above = shape->substeps * plan->halo + plan->lag;
    const int rows_below = (shape->substeps - 1) * plan->halo + plan->lag + shape->prefetch;
    *fits = is_passed_every_time(plan, domain) && same_period && plan->own_columns > 0 &&
            plan->schedule.stages_per_substep > 0 && rows_below < WADI_GPU_MARGIN_ROWS &&
            rows_above < WADI_GPU_MARGIN_ROWS && suits_lanes(shape);
    return WADI_OK;
}

void wadi_gpu_sweep_plan_free(wadi_gpu_sweep_plan *plan) { wadi_schedule_free(&plan->schedule); }

void wadi_gpu_sweep_arguments(const wadi_gpu_sweep_plan *plan, const wadi_domain *domain,
                              void (*each)(void *context, wadi_gpu_sweep_argument what, int index, int substep),
                              void *context) {
    const wadi_model *model = domain->model;
    each(context, WADI_GPU_SWEEP_NOW, 0, 0);
    each(context, WADI_GPU_SWEEP_NEXT, 0, 0);
    for (int f = 0; f < model->field_count; f++) {
        if (plan->role[f] == WADI_GPU_SWEEP_PERIODIC) {
            each(context, WADI_GPU_SWEEP_IN, f, 0);
            each(context, WADI_GPU_SWEEP_OUT, f, 0);
        } else if (plan->role[f] == WADI_GPU_SWEEP_INPUT) {
            each(context, WADI_GPU_SWEEP_FIELD, f, 0);
        }
    }
    for (int m = 0; m < model->map_count; m++)
        for (int substep = 0; wadi_gpu_is_raster(domain, m) && substep < plan->shape.substeps; substep++)
            if (substep == 0 || wadi_gpu_is_rain(domain, m)) each(context, WADI_GPU_SWEEP_MAP, m, substep);
}
