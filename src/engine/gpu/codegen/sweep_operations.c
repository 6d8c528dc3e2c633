/* sweep_operations.c: from the plan of a fused sweep to the operations of one row. */
#include "engine/gpu/codegen/sweep_operations.h"

#include <stdlib.h>
#include <string.h>

#include "engine/gpu/codegen/layout.h"

/* The list, and the plan that it is made from. */
typedef struct maker {
    wadi_gpu_operations *to;
    const wadi_gpu_sweep_plan *plan;
    const wadi_domain *domain;
} maker;

static int field_count(const maker *maker) { return maker->domain->model->field_count; }
static const wadi_stage *stage_at(const maker *maker, int e) { return wadi_gpu_sweep_stage(maker->plan, e); }
static wadi_gpu_sweep_role role_of(const maker *maker, int f) { return maker->plan->role[f]; }

/* The row of the field's window that a stage with this lag works on. */
static int row_at(const maker *maker, int f, int lag) { return lag - maker->plan->from[f]; }
static int window_rows(const maker *maker, int f) { return maker->plan->to[f] - maker->plan->from[f] + 1; }

static void *grow(wadi_gpu_operations *to, void *list, int count, int *room, size_t bytes) {
    if (to->failed || count < *room) return list;
    void *larger = realloc(list, (size_t)(2 * *room + 64) * bytes);
    to->failed = larger == NULL;
    if (larger != NULL) *room = 2 * *room + 64;
    return larger != NULL ? larger : list;
}

static void add(const maker *maker, wadi_gpu_operation operation) {
    wadi_gpu_operations *to = maker->to;
    to->list = grow(to, to->list, to->count, &to->room, sizeof *to->list);
    if (!to->failed) to->list[to->count++] = operation;
}

static void add_load(const maker *maker, wadi_gpu_load load) {
    wadi_gpu_operations *to = maker->to;
    to->loads = grow(to, to->loads, to->load_count, &to->load_room, sizeof *to->loads);
    if (!to->failed) to->loads[to->load_count++] = load;
}

/* --- rows that are loaded: inputs, periodic fields, maps, state; slots in that order --- */

static void list_maps(const maker *maker) {
    for (int e = 0; e < maker->plan->schedule.stages_per_substep; e++)
        for (int m = 0; m < stage_at(maker, e)->maps; m++)
            if (wadi_gpu_sweep_prefetches_map(maker->plan, maker->domain, e, m))
                add_load(maker, (wadi_gpu_load){WADI_GPU_LOAD_MAP, stage_at(maker, e)->map[m].field,
                                                wadi_gpu_sweep_map_row(maker->plan, maker->domain, e, m),
                                                wadi_gpu_sweep_lag(maker->plan, e)});
}

static void list_loads(const maker *maker) {
    const wadi_gpu_sweep_plan *plan = maker->plan;
    int slot = 0;
    for (int f = 0; f < field_count(maker); f++)
        if (role_of(maker, f) == WADI_GPU_SWEEP_INPUT && wadi_gpu_sweep_keeps(plan, f))
            add_load(maker, (wadi_gpu_load){WADI_GPU_LOAD_INPUT, f, slot++, plan->from[f]});
    for (int f = 0; f < field_count(maker); f++)
        if (wadi_gpu_sweep_prefetches_periodic(plan, f))
            add_load(maker, (wadi_gpu_load){WADI_GPU_LOAD_PERIODIC, f, slot++, plan->from[f]});
    list_maps(maker);
    slot = plan->inputs;
    for (int f = 0; f < field_count(maker); f++)
        if (wadi_gpu_sweep_passes(plan, maker->domain, f))
            add_load(maker, (wadi_gpu_load){WADI_GPU_LOAD_STATE, f, slot++, plan->from[f]});
}

static int slot_of_load(const maker *maker, wadi_gpu_load_kind kind, int index) {
    for (int i = 0; i < maker->to->load_count; i++)
        if (maker->to->loads[i].kind == kind && maker->to->loads[i].index == index) return maker->to->loads[i].slot;
    return 0;
}

/* --- before the stages --- */

static void list_shifts(const maker *maker) {
    for (int f = 0; f < field_count(maker); f++) {
        if (!wadi_gpu_sweep_keeps(maker->plan, f) || maker->plan->spilled[f] > 0) continue;
        for (int row = window_rows(maker, f) - 1; row > 0; row--)
            add(maker, (wadi_gpu_operation){.kind = WADI_GPU_SHIFT, .stage = -1, .index = f, .row = row});
    }
}

static void list_window_loads(const maker *maker) {
    add(maker, (wadi_gpu_operation){.kind = WADI_GPU_WAIT, .stage = -1});
    for (int i = 0; i < maker->to->load_count; i++) {
        const wadi_gpu_load load = maker->to->loads[i];
        if (load.kind == WADI_GPU_LOAD_INPUT || load.kind == WADI_GPU_LOAD_STATE)
            add(maker,
                (wadi_gpu_operation){.kind = WADI_GPU_LOAD, .stage = -1, .index = load.index, .slot = load.slot});
    }
    for (int f = 0; f < field_count(maker); f++)
        if (maker->plan->spilled[f] > 0)
            add(maker, (wadi_gpu_operation){
                           .kind = WADI_GPU_LOAD_SPILLED, .stage = -1, .index = f, .row = window_rows(maker, f) - 1});
}

static void list_loaded_exchanges(const maker *maker) {
    for (int f = 0; f < field_count(maker); f++)
        if (wadi_gpu_sweep_passes(maker->plan, maker->domain, f) && wadi_gpu_sweep_neighbours_read(maker->plan, -1, f))
            add(maker, (wadi_gpu_operation){.kind = WADI_GPU_EXCHANGE, .stage = -1, .index = f});
}

/* --- a stage --- */

static wadi_gpu_operation_kind kind_of_read(const maker *maker, const wadi_stage *stage, const wadi_read *read) {
    const wadi_gpu_sweep_role role = role_of(maker, read->field);
    const bool window = role == WADI_GPU_SWEEP_WINDOW;
    if (!window && read->radius > 0) return WADI_GPU_READ_MEMORY_3X3;
    if (!window && wadi_stage_is_periodic(stage))
        return role == WADI_GPU_SWEEP_PERIODIC ? WADI_GPU_READ_PREFETCHED : WADI_GPU_READ_MEMORY;
    if (!maker->plan->wide[read->field] && read->radius > 0) return WADI_GPU_READ_NEIGHBOUR;
    return read->radius == 0 ? WADI_GPU_READ_CELL : WADI_GPU_READ_WINDOW;
}

static void list_read(const maker *maker, int e, const wadi_read *read) {
    const int lag = wadi_gpu_sweep_lag(maker->plan, e), f = read->field;
    wadi_gpu_operation operation = {.kind = kind_of_read(maker, stage_at(maker, e), read), .stage = e, .index = f};
    operation.row = row_at(maker, f, lag);
    operation.up = read->up, operation.down = read->down;
    operation.slot = slot_of_load(maker, WADI_GPU_LOAD_PERIODIC, f);
    if (operation.kind == WADI_GPU_READ_NEIGHBOUR)
        operation.row -= read->dy, operation.dx = read->dx, operation.dy = read->dy;
    add(maker, operation);
}

static void list_map_read(const maker *maker, int e, int m) {
    const wadi_read *map = &stage_at(maker, e)->map[m];
    wadi_gpu_operation operation = {.kind = WADI_GPU_READ_MAP, .stage = e, .index = map->field};
    if (wadi_gpu_sweep_prefetches_map(maker->plan, maker->domain, e, m)) {
        operation.kind = WADI_GPU_READ_MAP_PREFETCHED;
        operation.slot = wadi_gpu_sweep_map_row(maker->plan, maker->domain, e, m);
    } else if (!wadi_gpu_is_raster(maker->domain, map->field)) {
        operation.kind = WADI_GPU_READ_UNIFORM;
    } else if (map->radius > 0) {
        operation.kind = WADI_GPU_READ_MAP_3X3;
    }
    add(maker, operation);
}

static void list_results(const maker *maker, int e) {
    const wadi_stage *stage = stage_at(maker, e);
    for (int w = 0; w < stage->writes; w++) {
        const int f = stage->write[w];
        const bool periodic = role_of(maker, f) == WADI_GPU_SWEEP_PERIODIC;
        add(maker, (wadi_gpu_operation){.kind = periodic ? WADI_GPU_RESULT_PERIODIC : WADI_GPU_RESULT,
                                        .stage = e,
                                        .index = f,
                                        .row = row_at(maker, f, wadi_gpu_sweep_lag(maker->plan, e))});
    }
    for (int i = 0; i < stage->sums; i++)
        add(maker, (wadi_gpu_operation){.kind = WADI_GPU_RESULT_SUM, .stage = e, .index = stage->sum[i]});
}

/* Makes a row that the stage wrote readable for other lanes and at later rows. */
static void list_exchange(const maker *maker, int e, int f) {
    const wadi_gpu_sweep_plan *plan = maker->plan;
    const int row = row_at(maker, f, wadi_gpu_sweep_lag(plan, e));
    if (role_of(maker, f) != WADI_GPU_SWEEP_WINDOW || !wadi_gpu_sweep_neighbours_read(plan, e, f)) return;
    wadi_gpu_operation operation = {.kind = WADI_GPU_EXCHANGE, .stage = e, .index = f, .row = row};
    if (!plan->wide[f]) operation.kind = WADI_GPU_TAKE_SIDE, operation.dx = plan->side[f];
    if (plan->wide[f] || plan->side[f] != 0) add(maker, operation);
    if (plan->spilled[f] > 0) add(maker, (wadi_gpu_operation){.kind = WADI_GPU_SPILL, .stage = e, .index = f});
}

static void list_stage(const maker *maker, int e) {
    const wadi_stage *stage = stage_at(maker, e);
    add(maker, (wadi_gpu_operation){.kind = WADI_GPU_STAGE, .stage = e});
    add(maker, (wadi_gpu_operation){.kind = WADI_GPU_CALL, .stage = e});
    for (int i = 0; i < stage->reads; i++) list_read(maker, e, &stage->read[i]);
    for (int m = 0; m < stage->maps; m++) list_map_read(maker, e, m);
    add(maker, (wadi_gpu_operation){.kind = WADI_GPU_RESULTS, .stage = e});
    list_results(maker, e);
    add(maker, (wadi_gpu_operation){.kind = WADI_GPU_RESULTS_END, .stage = e});
    for (int w = 0; w < stage->writes; w++)
        if (role_of(maker, stage->write[w]) == WADI_GPU_SWEEP_PERIODIC)
            add(maker, (wadi_gpu_operation){.kind = WADI_GPU_STORE_PERIODIC, .stage = e, .index = stage->write[w]});
    for (int i = 0; i < stage->sums; i++)
        add(maker, (wadi_gpu_operation){.kind = WADI_GPU_ADD_SUM, .stage = e, .index = stage->sum[i]});
    for (int w = 0; w < stage->writes; w++) list_exchange(maker, e, stage->write[w]);
    add(maker, (wadi_gpu_operation){.kind = WADI_GPU_STAGE_END, .stage = e});
}

/* --- after the stages --- */

static void list_completed(const maker *maker, int e, wadi_gpu_operation_kind begin, wadi_gpu_operation_kind kind) {
    const int lag = wadi_gpu_sweep_lag(maker->plan, e);
    bool any = false;
    for (int f = 0; f < field_count(maker); f++) {
        if (!wadi_gpu_sweep_completes(maker->plan, maker->domain, e, f)) continue;
        const int slot = wadi_gpu_sweep_slot(maker->plan, maker->domain, f);
        if (!any) add(maker, (wadi_gpu_operation){.kind = begin, .stage = e});
        any = true;
        add(maker,
            (wadi_gpu_operation){.kind = kind, .stage = e, .index = f, .row = row_at(maker, f, lag), .slot = slot});
    }
    if (any) add(maker, (wadi_gpu_operation){.kind = WADI_GPU_COMPLETED_END, .stage = e});
}

static void list_stores(const maker *maker) {
    add(maker, (wadi_gpu_operation){.kind = WADI_GPU_STORE_ROWS, .stage = -1});
    for (int e = 0; e < maker->plan->schedule.stages_per_substep; e++)
        list_completed(maker, e, WADI_GPU_STORE_BEGIN, WADI_GPU_STORE);
    add(maker, (wadi_gpu_operation){.kind = WADI_GPU_PASS_ROWS, .stage = -1});
    for (int e = 0; e < maker->plan->schedule.stages_per_substep; e++)
        list_completed(maker, e, WADI_GPU_PASS_BEGIN, WADI_GPU_PASS);
    add(maker, (wadi_gpu_operation){.kind = WADI_GPU_ROWS_END, .stage = -1});
}

wadi_status wadi_gpu_operations_make(wadi_gpu_operations *operations, const wadi_gpu_sweep_plan *plan,
                                     const wadi_domain *domain) {
    memset(operations, 0, sizeof *operations);
    const maker maker_ = {operations, plan, domain}, *maker = &maker_;
    list_loads(maker);
    list_shifts(maker);
    list_window_loads(maker);
    add(maker, (wadi_gpu_operation){.kind = WADI_GPU_PREFETCH, .stage = -1});
    list_loaded_exchanges(maker);
    for (int e = 0; e < plan->schedule.stages_per_substep; e++) list_stage(maker, e);
    list_stores(maker);
    return operations->failed ? wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the source of a kernel") : WADI_OK;
}

void wadi_gpu_operations_free(wadi_gpu_operations *operations) {
    free(operations->list);
    free(operations->loads);
    *operations = (wadi_gpu_operations){0};
}
