/* sweep_launch.c: fused sweeps are built, partitioned into work items, and launched. */
#include "engine/gpu/sweep_launch.h"

#include <limits.h>
#include <stdlib.h>

#include "core/supply.h"
#include "engine/gpu/codegen/programs.h"
#include "engine/gpu/fields.h"
#include "engine/gpu/rain.h"
#include "engine/gpu/reduce.h"

/* A sweep reads state from one buffer and writes it to another. The device may have no room for the plain path's
 * scratch besides. */
static wadi_status allocate_fields(wadi_domain *domain, const wadi_gpu_sweep_plan *plan) {
    bool together[WADI_MAX_FIELDS] = {false}, alone[WADI_MAX_FIELDS] = {false};
    for (int f = 0; f < domain->model->field_count; f++) {
        together[f] = wadi_gpu_sweep_changes(plan, domain, f, false);
        alone[f] = wadi_gpu_sweep_changes(plan, domain, f, true);
    }
    wadi_gpu_free_scratch(domain);
    wadi_status status = wadi_gpu_interleave(domain, together);
    for (int f = 0; f < domain->model->field_count && status == WADI_OK; f++)
        if (wadi_kind(domain, f) != WADI_SCRATCH) status = wadi_gpu_allocate_field(domain, f);
    return status == WADI_OK ? wadi_gpu_allocate_others(domain, alone) : status;
}

/* --- work items --- */

/* As in kernels/fused_sweep.h. border: true at the border, until the device has found which tiles see it. */
typedef struct work_item {
    int32_t x, y0, y1, border;
} work_item;

typedef struct work_items {
    work_item *list;
    int count, capacity;
    int own; /* the first so many; those of a part's margins follow */
} work_items;

static bool add_work_item(work_items *work_items, int x, int y0, int y1, bool at_border) {
    if (y0 >= y1) return true;
    if (work_items->count == work_items->capacity) {
        const int capacity = 2 * work_items->capacity + 256;
        work_item *list = realloc(work_items->list, (size_t)capacity * sizeof *list);
        if (list == NULL) return false;
        work_items->list = list;
        work_items->capacity = capacity;
    }
    work_items->list[work_items->count++] = (work_item){x, y0, y1, at_border};
    return true;
}

/* Splits y0 to y1 into equal parts of about so many rows. */
static bool add_equal(work_items *work_items, int x, int y0, int y1, int rows, bool at_border) {
    const int64_t parts = (y1 - y0 + rows - 1) / rows;
    bool all = true;
    for (int64_t i = 0; i < parts && all; i++)
        all = add_work_item(work_items, x, (int)(y0 + (y1 - y0) * i / parts), (int)(y0 + (y1 - y0) * (i + 1) / parts),
                            at_border);
    return all;
}

/* Work items get smaller towards the end of a column, so that all multiprocessors finish together. With several sub-
 * steps per pass there are fewer small ones, since each computes more rows twice. */
typedef struct ending {
    double from;
    int by;
} ending;
static const ending endings[WADI_GPU_ENDINGS][2] = {
    {{0}}, {{0.75, 4}, {0.94, 8}}, {{0.9, 6}, {1, 1}}, {{0.95, 6}, {1, 1}}, {{0.8, 3}, {1, 1}}};

static const ending *ending_of(const wadi_gpu_sweep_shape *shape) {
    return endings[shape->ending > 0 ? shape->ending : shape->substeps > 1 ? 2 : 1];
}

/* Rows of a work item at the border, where a row takes 1.5 to 2 times as long. */
static int rows_at_edge(int rows) { return rows > 8 ? rows * 2 / 3 - 2 : 4; }

/* A column of work items from row y0 to row y1: one each at the upper and lower edge, then large ones, then smaller
 * ones. With few rows each, all are equal and run at once. Those at the border are smaller. */
static bool add_column(work_items *work_items, int x, int y0, int y1, const wadi_gpu_sweep_plan *plan, int rows,
                       bool at_side) {
    const int height = y1 - y0;
    const ending *ending = ending_of(&plan->shape);
    const int large = !at_side ? rows : plan->shape.side > 0 ? plan->shape.side : rows_at_edge(rows);
    const int edge = rows < WADI_GPU_FEW_ROWS ? rows_at_edge(rows) : plan->shape.substeps * plan->halo;
    if (height <= rows) return add_work_item(work_items, x, y0, y1, true);
    if (height < 4 * edge) return add_equal(work_items, x, y0, y1, rows_at_edge(rows), true);
    const int inner = height - 2 * edge, begin = y0 + edge, end = y1 - edge;
    if (!add_work_item(work_items, x, y0, begin, true) || !add_work_item(work_items, x, end, y1, true)) return false;
    if (rows < WADI_GPU_FEW_ROWS) return add_equal(work_items, x, begin, end, large, at_side);
    const int first = begin + (int)(ending[0].from * inner), second = begin + (int)(ending[1].from * inner);
    return add_equal(work_items, x, begin, first, large, at_side) &&
           add_equal(work_items, x, first, second, large / ending[0].by + 1, at_side) &&
           add_equal(work_items, x, second, end, large / ending[1].by + 1, at_side);
}

static bool add_columns(work_items *work_items, const wadi_domain *domain, const wadi_gpu_sweep_plan *plan, int rows,
                        int y0, int y1) {
    const int columns = (domain->def.width + plan->own_columns - 1) / plan->own_columns;
    bool all = true;
    for (int x = 0; x < columns && all; x++)
        all = add_column(work_items, x, y0, y1, plan, rows, x == 0 || x == columns - 1);
    return all;
}

/* No work item has both own rows and rows of a margin, because the sums of margins do not count. */
static bool add_all(work_items *work_items, const wadi_domain *domain, const wadi_gpu_sweep_plan *plan, int rows) {
    const wadi_window *window = &domain->window;
    const bool own = add_columns(work_items, domain, plan, rows, window->own0, window->own1);
    work_items->own = work_items->count;
    return own && add_columns(work_items, domain, plan, rows, 0, window->own0) &&
           add_columns(work_items, domain, plan, rows, window->own1, domain->def.height);
}

int wadi_gpu_work_items_of(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan, int rows) {
    work_items work_items = {0};
    const int count = add_all(&work_items, domain, plan, rows) ? work_items.count : INT_MAX;
    free(work_items.list);
    return count;
}

/* --- persistent kernels: groups wait for each other --- */

#define MOST_PASSES 256 /* per launch, so that a slow device does not look hung */

int wadi_gpu_groups_at_once(const wadi_domain *domain, const wadi_gpu_sweep_shape *shape) {
    const wadi_gpu_engine *engine = domain->engine_state;
    return shape->groups * (engine->about.units > 0 ? engine->about.units : 1);
}

static bool are_neighbours(const work_item *a, const work_item *b, int rows) {
    return abs(a->x - b->x) <= 1 && a->y0 < b->y1 + rows && b->y0 < a->y1 + rows;
}

/* Work items whose cells this one reads, and which read its own; -1 fills the rest. false: there are too many. */
static bool find_neighbours(const work_items *work_items, int p, int rows, int32_t *neighbours) {
    int count = 0;
    for (int i = 0; i < WADI_GPU_SWEEP_NEIGHBOURS; i++) neighbours[i] = -1;
    for (int q = 0; q < work_items->count; q++) {
        if (q == p || !are_neighbours(&work_items->list[p], &work_items->list[q], rows)) continue;
        if (count == WADI_GPU_SWEEP_NEIGHBOURS) return false;
        neighbours[count++] = q;
    }
    return true;
}

/* Rows above or below a work item that its sweep reads. */
static int rows_around(const wadi_gpu_sweep_plan *plan) {
    const int above = plan->shape.substeps * plan->halo;
    const int below = (plan->shape.substeps - 1) * plan->halo + plan->lag;
    return above > below ? above : below;
}

/* Nothing has to be done between passes. */
static bool goes_on(const wadi_domain *domain) {
    const wadi_gpu_engine *engine = domain->engine_state;
    return !wadi_supply_varies(domain) && !engine->grid.wrap;
}

bool wadi_gpu_sweep_may_persist(const wadi_domain *domain) {
    const wadi_gpu_engine *engine = domain->engine_state;
    return engine->driver->most_together != NULL && goes_on(domain);
}

/* A persistent kernel is possible: all groups run at once, nothing has to be done between passes, and each reads its
 * direct neighbours alone. */
static bool may_persist(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan, int count) {
    const int room = wadi_gpu_sweep_may_persist(domain) ? wadi_gpu_groups_at_once(domain, &plan->shape) : 0;
    if (plan->shape.lanes > 1 && !wadi_gpu_shape_uses_ptx(&plan->shape))
        return false; /* without prefetch, loads could be cached as constants */
    if (count == 1) return goes_on(domain);
    return count <= room && wadi_gpu_shape_uses_ptx(&plan->shape) &&
           plan->own_columns >= plan->shape.substeps * plan->margin;
}

static wadi_status send_new(const wadi_gpu_engine *engine, wadi_gpu_memory **memory, size_t bytes, const void *from) {
    const wadi_status status = wadi_gpu_allocate(engine, bytes, memory);
    return status == WADI_OK ? wadi_gpu_send(engine, *memory, from, bytes) : status;
}

static wadi_status send_neighbours(const wadi_domain *domain, wadi_gpu_sweep *sweep, const work_items *work_items) {
    const size_t count = (size_t)work_items->count, bytes = count * WADI_GPU_SWEEP_NEIGHBOURS * sizeof(int32_t);
    int32_t *neighbours = malloc(bytes), *none = calloc(count, sizeof *none);
    wadi_status status = WADI_OK;
    if (neighbours == NULL || none == NULL)
        status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a kernel's plan");
    for (int p = 0; p < work_items->count && status == WADI_OK && sweep->plan.persistent; p++)
        sweep->plan.persistent =
            find_neighbours(work_items, p, rows_around(&sweep->plan), &neighbours[p * WADI_GPU_SWEEP_NEIGHBOURS]);
    if (status == WADI_OK && sweep->plan.persistent) {
        status = send_new(domain->engine_state, &sweep->neighbours, bytes, neighbours);
        if (status == WADI_OK) status = send_new(domain->engine_state, &sweep->done, count * sizeof *none, none);
    }
    sweep->passes_done = 0;
    free(neighbours);
    free(none);
    return status;
}

/* --- loading --- */

/* Roughly the time that a work item takes, with the rows that are computed twice. */
static int cost(const work_item *p) { return (p->y1 - p->y0 + 6) * (p->border ? 9 : 5); }

/* Sorts the slowest work items first, then by place. */
static int by_size(const void *a, const void *b) {
    const work_item *p = a, *q = b;
    const int more = cost(q) - cost(p);
    return more != 0 ? more : p->y0 != q->y0 ? p->y0 - q->y0 : p->x - q->x;
}

static void drop_work_items(const wadi_gpu_engine *engine, wadi_gpu_sweep *sweep) {
    engine->driver->free(engine->gpu, sweep->work_items);
    engine->driver->free(engine->gpu, sweep->neighbours);
    engine->driver->free(engine->gpu, sweep->done);
    wadi_gpu_free_reduction(engine, &sweep->reduction);
    sweep->work_items = sweep->neighbours = sweep->done = NULL;
    sweep->borders_found = false;
}

/* Makes the work items and the slots of their sums. */
static wadi_status make_work_items(const wadi_domain *domain, wadi_gpu_sweep *sweep) {
    wadi_gpu_sweep_plan *plan = &sweep->plan;
    work_items work_items = {0};
    drop_work_items(domain->engine_state, sweep); /* of an attempt that failed, or of another partition */
    wadi_status status = WADI_OK;
    if (!add_all(&work_items, domain, plan, plan->shape.rows))
        status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the plan of a kernel");
    if (status == WADI_OK) {
        const int margins = work_items.count - work_items.own;
        qsort(work_items.list, (size_t)work_items.own, sizeof *work_items.list, by_size);
        qsort(work_items.list + work_items.own, (size_t)margins, sizeof *work_items.list, by_size);
        status = send_new(domain->engine_state, &sweep->work_items, (size_t)work_items.count * sizeof *work_items.list,
                          work_items.list);
        plan->persistent = may_persist(domain, plan, work_items.count);
    }
    if (status == WADI_OK && plan->persistent) status = send_neighbours(domain, sweep, &work_items);
    sweep->work_item_count = work_items.count;
    sweep->own0 = domain->window.own0, sweep->own1 = domain->window.own1;
    free(work_items.list);
    const bool all = work_items.own == work_items.count;
    const int slots = all ? 32 : 1, lines = (work_items.count + slots - 1) / slots;
    if (status != WADI_OK) return status;
    return wadi_gpu_make_reduction(domain, &sweep->reduction, slots, lines, 0, all ? lines : work_items.own);
}

static wadi_gpu_launch launch_of(const wadi_gpu_sweep *sweep, int passes) {
    return (wadi_gpu_launch){.groups = {(size_t)sweep->work_item_count, 1},
                             .group_items = (size_t)sweep->plan.items,
                             .local_bytes = wadi_gpu_sweep_local_bytes(&sweep->plan),
                             .together = passes > 1 && sweep->work_item_count > 1};
}

/* The plan may assume more groups at once than the device has room for. */
static int most_passes(const wadi_gpu_engine *engine, const wadi_gpu_sweep *sweep) {
    const wadi_gpu_launch launch = launch_of(sweep, MOST_PASSES);
    if (!sweep->plan.persistent) return 1;
    if (sweep->work_item_count == 1) return MOST_PASSES;
    const size_t most = engine->driver->most_together(engine->gpu, sweep->kernel, &launch);
    return (size_t)sweep->work_item_count <= most ? MOST_PASSES : 1;
}

static wadi_status build(const wadi_domain *domain, wadi_gpu_sweep *sweep) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status = wadi_driver_build(engine->driver, engine->gpu,
                                           wadi_gpu_sweep_program_source(domain, &sweep->plan), &sweep->program);
    if (status == WADI_OK) status = engine->driver->find(engine->gpu, sweep->program, "fused_sweep", &sweep->kernel);
    if (status == WADI_OK)
        status = engine->driver->find(engine->gpu, sweep->program, "find_borders", &sweep->find_borders);
    return status;
}

void wadi_gpu_sweep_build_ahead(const wadi_domain *domain, wadi_gpu_sweep_shape shape, int substeps) {
    const wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_sweep_plan plan = {0};
    work_items work_items = {0};
    bool fits = false;
    shape.substeps = substeps;
    const wadi_status status = wadi_gpu_sweep_plan_make(&plan, domain, engine->about.local_bytes, &shape, &fits);
    if (status == WADI_OK && fits && add_all(&work_items, domain, &plan, plan.shape.rows)) {
        plan.persistent = may_persist(domain, &plan, work_items.count);
        char *source = wadi_gpu_sweep_program_source(domain, &plan);
        if (source != NULL) engine->driver->build_ahead(engine->gpu, source);
        free(source);
    }
    free(work_items.list);
    wadi_gpu_sweep_plan_free(&plan);
}

/* Other rows are the domain's own now: sums are of other work items. The kernel stays, unless it waits for neighbours
 * and there would be too many. */
static wadi_status take_other_rows(const wadi_domain *domain, wadi_gpu_sweep *sweep) {
    const bool persistent = sweep->plan.persistent;
    const wadi_status status = make_work_items(domain, sweep);
    sweep->ready = status == WADI_OK && (!persistent || sweep->plan.persistent);
    if (sweep->ready) sweep->plan.persistent = persistent;
    if (sweep->ready) sweep->most_passes = most_passes(domain->engine_state, sweep);
    return status;
}

static bool has_own_rows_of(const wadi_domain *domain, const wadi_gpu_sweep *sweep) {
    return sweep->own0 == domain->window.own0 && sweep->own1 == domain->window.own1;
}

wadi_status wadi_gpu_sweep_open(wadi_domain *domain, int substeps, bool *fits) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_sweep *sweep = &engine->sweep[substeps];
    *fits = true;
    wadi_status status = WADI_OK;
    if (sweep->ready && !has_own_rows_of(domain, sweep)) status = take_other_rows(domain, sweep);
    if (sweep->ready || status != WADI_OK) return status;
    wadi_gpu_sweep_shape shape = engine->shape;
    shape.substeps = substeps;
    wadi_gpu_sweep_plan_free(&sweep->plan); /* of one that did not fit */
    status = wadi_gpu_sweep_plan_make(&sweep->plan, domain, engine->about.local_bytes, &shape, fits);
    if (status != WADI_OK || !*fits) return status;
    status = allocate_fields(domain, &sweep->plan);
    *fits = status != WADI_ERROR_MEMORY;
    if (!*fits) return WADI_OK;
    engine->driver->release(engine->gpu, sweep->program); /* of an attempt that failed */
    sweep->program = NULL;
    if (status == WADI_OK) status = make_work_items(domain, sweep);
    if (status == WADI_OK) status = build(domain, sweep);
    if (status == WADI_OK) sweep->most_passes = most_passes(engine, sweep);
    sweep->ready = status == WADI_OK;
    return status;
}

wadi_status wadi_gpu_sweep_partition(wadi_domain *domain, int substeps) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_sweep *sweep = &engine->sweep[substeps];
    const bool persistent = sweep->plan.persistent;
    sweep->plan.shape.rows = engine->shape.rows;
    sweep->plan.shape.side = engine->shape.side;
    sweep->plan.shape.ending = engine->shape.ending;
    wadi_status status = make_work_items(domain, sweep);
    if (status == WADI_OK && sweep->plan.persistent != persistent)
        status = wadi_fail(WADI_ERROR_UNSUPPORTED, "so few work items need another kernel");
    sweep->plan.persistent = persistent;
    sweep->ready = status == WADI_OK;
    return status;
}

void wadi_gpu_sweep_close(wadi_gpu_engine *engine) {
    for (int i = 0; i <= WADI_GPU_SWEEP_SUBSTEPS; i++) {
        wadi_gpu_sweep *sweep = &engine->sweep[i];
        engine->driver->release(engine->gpu, sweep->program);
        drop_work_items(engine, sweep);
        wadi_gpu_sweep_plan_free(&sweep->plan);
        *sweep = (wadi_gpu_sweep){0};
    }
}

static wadi_status find_borders(const wadi_domain *domain, wadi_gpu_sweep *sweep) {
    wadi_gpu_engine *engine = domain->engine_state;
    if (sweep->borders_found) return WADI_OK;
    sweep->borders_found = true;
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(wadi_gpu_terrain(domain)),
                                           WADI_GPU_MEMORY(sweep->work_items), WADI_GPU_VALUE(engine->grid)};
    return wadi_gpu_call(engine, sweep->find_borders, (size_t)sweep->work_item_count, 1, arguments, 3);
}

/* --- running --- */

typedef struct list {
    const wadi_domain *domain;
    wadi_gpu_argument argument[2 * WADI_MAX_FIELDS + WADI_MAX_MAPS + WADI_GPU_SWEEP_SUBSTEPS + WADI_SUMS + 8];
    int count;
} list;

static wadi_gpu_memory *memory_of(const list *list, wadi_gpu_sweep_argument what, int index, int substep) {
    const wadi_gpu_engine *engine = list->domain->engine_state;
    switch (what) {
    case WADI_GPU_SWEEP_NOW:
        return engine->block.now;
    case WADI_GPU_SWEEP_NEXT:
        return engine->block.other;
    case WADI_GPU_SWEEP_OUT:
        return engine->other[index];
    case WADI_GPU_SWEEP_MAP:
        return wadi_gpu_map(list->domain, index, substep);
    default:
        return engine->field[index];
    }
}

static void add(void *context, wadi_gpu_sweep_argument what, int index, int substep) {
    list *list = context;
    list->argument[list->count++] = WADI_GPU_MEMORY(memory_of(list, what, index, substep));
}

/* With a periodic boundary the margin is read. Margins of inputs are filled when they are sent. */
static wadi_status wrap_all(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan) {
    wadi_status status = WADI_OK;
    for (int f = 0; f < domain->model->field_count && status == WADI_OK; f++)
        if (wadi_gpu_sweep_changes(plan, domain, f, false)) status = wadi_gpu_wrap_field(domain->engine_state, f);
    return status;
}

/* As in kernels/fused_sweep.h. */
typedef struct passes {
    int32_t count, before, until_due, trial;
} passes;

static bool is_due(const wadi_domain *domain, int64_t substep) {
    bool due = false;
    for (int s = 0; s < domain->model->stage_count; s++)
        due = due || (domain->model->stages[s].every > 1 && wadi_stage_due(domain, &domain->model->stages[s], substep));
    return due;
}

/* Sub-steps until the periodic stages are due. */
static int32_t until_due(const wadi_domain *domain, const wadi_gpu_sweep_plan *plan, int64_t ahead) {
    for (int32_t until = 0; until < plan->every; until++)
        if (is_due(domain, domain->substeps_done + ahead + until)) return until;
    return INT32_MAX;
}

static void swap(wadi_gpu_memory **a, wadi_gpu_memory **b) {
    wadi_gpu_memory *const was = *a;
    *a = *b;
    *b = was;
}

static wadi_status launch(wadi_domain *domain, int substeps, const passes *how) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_sweep *sweep = &engine->sweep[substeps];
    const wadi_gpu_sweep_plan *plan = &sweep->plan;
    list list = {.domain = domain};
    wadi_status status = find_borders(domain, sweep);
    if (status == WADI_OK) status = wrap_all(domain, plan);
    wadi_gpu_sweep_arguments(plan, domain, add, &list);
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) list.argument[list.count++] = WADI_GPU_MEMORY(sweep->reduction.slots[i]);
    list.argument[list.count++] = WADI_GPU_MEMORY(sweep->work_items);
    if (plan->persistent) {
        list.argument[list.count++] = WADI_GPU_MEMORY(sweep->neighbours);
        list.argument[list.count++] = WADI_GPU_MEMORY(sweep->done);
    }
    list.argument[list.count++] =
        (wadi_gpu_argument){.value = domain->constants, .bytes = domain->model->constants_bytes};
    list.argument[list.count++] = WADI_GPU_VALUE(engine->grid);
    list.argument[list.count++] = WADI_GPU_VALUE(*how);
    sweep->reduction.used = true;
    sweep->passes_done = (int)((unsigned)sweep->passes_done + (unsigned)how->count);
    const wadi_gpu_launch launch = launch_of(sweep, how->count);
    return status == WADI_OK ? engine->driver->launch(engine->gpu, sweep->kernel, &launch, list.argument, list.count)
                             : status;
}

int wadi_gpu_sweep_most_passes(const wadi_domain *domain, int substeps) {
    const wadi_gpu_engine *engine = domain->engine_state;
    return wadi_supply_varies(domain) ? 1 : engine->sweep[substeps].most_passes;
}

wadi_status wadi_gpu_sweep_try(wadi_domain *domain, int substeps, int passes_) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const wadi_gpu_sweep *sweep = &engine->sweep[substeps];
    wadi_status status = WADI_OK;
    for (int left = passes_; left > 0 && status == WADI_OK;) {
        const int count = left < sweep->most_passes ? left : sweep->most_passes;
        status = launch(domain, substeps, &(passes){count, sweep->passes_done, INT32_MAX, 1});
        left -= count;
    }
    return status;
}

wadi_status wadi_gpu_sweep_run(wadi_domain *domain, int substeps, int64_t ahead, int count) {
    wadi_gpu_engine *engine = domain->engine_state;
    const wadi_gpu_sweep *sweep = &engine->sweep[substeps];
    const int32_t until = until_due(domain, &sweep->plan, ahead);
    const int all = count * substeps;
    const int dues = until < all ? (all - until - 1) / sweep->plan.every + 1 : 0;
    const wadi_status status = launch(domain, substeps, &(passes){count, sweep->passes_done, until, 0});
    if (count % 2 == 1) swap(&engine->block.now, &engine->block.other);
    for (int f = 0; f < domain->model->field_count && dues % 2 == 1; f++)
        if (wadi_gpu_sweep_changes(&sweep->plan, domain, f, true)) swap(&engine->field[f], &engine->other[f]);
    return status;
}
