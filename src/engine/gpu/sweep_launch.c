/* walk.c: kernels that do all stages of some sub-steps in a walk down the rows: built, shared out to groups, and run.
 */
#include <limits.h>
#include <stdlib.h>

#include "engine/gpu/gpu.h"

/* What is changed is read from one memory and written to another. */
static wadi_status allocate_fields(wadi_sim *sim, const wadi_gpu_sweep_plan *plan) {
    bool together[WADI_MAX_FIELDS] = {false}, alone[WADI_MAX_FIELDS] = {false};
    for (int f = 0; f < sim->model->field_count; f++) {
        together[f] = wadi_gpu_sweep_changes(plan, sim, f, false);
        alone[f] = wadi_gpu_sweep_changes(plan, sim, f, true);
    }
    wadi_status status = wadi_gpu_lay_together(sim, together);
    for (int f = 0; f < sim->model->field_count && status == WADI_OK; f++)
        if (sim->model->fields[f].kind != WADI_SCRATCH) status = wadi_gpu_allocate_field(sim, f);
    return status == WADI_OK ? wadi_gpu_allocate_others(sim, alone) : status;
}

/* --- pieces --- */

/* As in kernels/fused_sweep.h. edges, until the device has found them: it is at the border. */
typedef struct piece {
    int32_t x, y0, y1, edges;
} piece;

typedef struct pieces {
    piece *list;
    int count, capacity;
} pieces;

static bool add_piece(pieces *pieces, int x, int y0, int y1, bool at_border) {
    if (y0 >= y1) return true;
    if (pieces->count == pieces->capacity) {
        const int capacity = 2 * pieces->capacity + 256;
        piece *list = realloc(pieces->list, (size_t)capacity * sizeof *list);
        if (list == NULL) return false;
        pieces->list = list;
        pieces->capacity = capacity;
    }
    pieces->list[pieces->count++] = (piece){x, y0, y1, at_border};
    return true;
}

/* From y0 to y1 in equal parts of about so many rows. */
static bool add_equal(pieces *pieces, int x, int y0, int y1, int rows, bool at_border) {
    const int64_t parts = (y1 - y0 + rows - 1) / rows;
    bool all = true;
    for (int64_t i = 0; i < parts && all; i++)
        all =
            add_piece(pieces, x, (int)(y0 + (y1 - y0) * i / parts), (int)(y0 + (y1 - y0) * (i + 1) / parts), at_border);
    return all;
}

/* From a share of its rows on, a column's pieces are smaller, so that in the end all processors are done at about the
 * same time; fewer of them with several levels, when more rows beside a piece are done twice. */
typedef struct ending {
    double from;
    int by;
} ending;
static const ending endings[WADI_GPU_ENDINGS][2] = {
    {{0}}, {{0.75, 4}, {0.94, 8}}, {{0.9, 6}, {1, 1}}, {{0.95, 6}, {1, 1}}, {{0.8, 3}, {1, 1}}};

static const ending *ending_of(const wadi_gpu_sweep_shape *shape) {
    return endings[shape->ending > 0 ? shape->ending : shape->substeps > 1 ? 2 : 1];
}

/* Of a piece at the border, of which a row takes about one and a half times as long, or twice. */
static int rows_at_edge(int rows) { return rows > 8 ? rows * 2 / 3 - 2 : 4; }

/* A column of pieces: those that see the grid's upper and lower end, then large ones, then smaller ones. Where there
 * are few rows for each, equal ones, all done side by side. Those at the border are smaller. */
static bool add_column(pieces *pieces, int x, int height, const wadi_gpu_sweep_plan *plan, int rows, bool at_side) {
    const ending *ending = ending_of(&plan->shape);
    const int large = !at_side ? rows : plan->shape.side > 0 ? plan->shape.side : rows_at_edge(rows);
    const int edge = rows < WADI_GPU_FEW_ROWS ? rows_at_edge(rows) : plan->shape.substeps * plan->halo;
    if (height <= rows) return add_piece(pieces, x, 0, height, true);
    if (height < 4 * edge) return add_equal(pieces, x, 0, height, rows_at_edge(rows), true);
    const int inner = height - 2 * edge, end = edge + inner;
    if (!add_piece(pieces, x, 0, edge, true) || !add_piece(pieces, x, end, height, true)) return false;
    if (rows < WADI_GPU_FEW_ROWS) return add_equal(pieces, x, edge, end, large, at_side);
    const int first = edge + (int)(ending[0].from * inner), second = edge + (int)(ending[1].from * inner);
    return add_equal(pieces, x, edge, first, large, at_side) &&
           add_equal(pieces, x, first, second, large / ending[0].by + 1, at_side) &&
           add_equal(pieces, x, second, end, large / ending[1].by + 1, at_side);
}

static bool add_all(pieces *pieces, const wadi_sim *sim, const wadi_gpu_sweep_plan *plan, int rows) {
    const int columns = (sim->def.width + plan->own_columns - 1) / plan->own_columns;
    bool all = true;
    for (int x = 0; x < columns && all; x++)
        all = add_column(pieces, x, sim->def.height, plan, rows, x == 0 || x == columns - 1);
    return all;
}

int wadi_gpu_pieces_of(const wadi_sim *sim, const wadi_gpu_sweep_plan *plan, int rows) {
    pieces pieces = {0};
    const int count = add_all(&pieces, sim, plan, rows) ? pieces.count : INT_MAX;
    free(pieces.list);
    return count;
}

/* --- groups that wait for each other --- */

#define MOST_PASSES 256 /* in a launch: a slow device must show a sign of life */

static bool is_beside(const piece *a, const piece *b, int rows) {
    return abs(a->x - b->x) <= 1 && a->y0 < b->y1 + rows && b->y0 < a->y1 + rows;
}

/* Those whose rows and columns a piece reads, which then read its own; -1 in place of what is not there. false: they
 * are too many. */
static bool find_beside(const pieces *pieces, int p, int rows, int32_t *beside) {
    int count = 0;
    for (int i = 0; i < WADI_GPU_SWEEP_NEIGHBOURS; i++) beside[i] = -1;
    for (int q = 0; q < pieces->count; q++) {
        if (q == p || !is_beside(&pieces->list[p], &pieces->list[q], rows)) continue;
        if (count == WADI_GPU_SWEEP_NEIGHBOURS) return false;
        beside[count++] = q;
    }
    return true;
}

/* The rows that a walk reads beside a piece, above or below. */
static int rows_beside(const wadi_gpu_sweep_plan *plan) {
    const int above = plan->shape.substeps * plan->halo;
    const int below = (plan->shape.substeps - 1) * plan->halo + plan->lag;
    return above > below ? above : below;
}

/* Nothing has to be told or done between passes. */
static bool goes_on(const wadi_sim *sim) {
    const wadi_gpu_engine *engine = sim->engine_state;
    return !wadi_supply_varies(sim) && !engine->grid.wrap;
}

bool wadi_gpu_sweep_may_persist(const wadi_sim *sim) {
    const wadi_gpu_engine *engine = sim->engine_state;
    return engine->driver->most_together != NULL && goes_on(sim);
}

/* Whether groups may stay for several passes: there is room for all at the same time, nothing has to be told in
 * between, and nobody reads what lies further than beside. */
static bool may_be_resident(const wadi_sim *sim, const wadi_gpu_sweep_plan *plan, int count) {
    const int room = wadi_gpu_sweep_may_persist(sim) ? wadi_gpu_groups_at_once(sim, &plan->shape) : 0;
    if (plan->shape.shuffle && plan->shape.prefetch == 0)
        return false; /* what is read must not be taken for constant */
    if (count == 1) return goes_on(sim);
    return count <= room && plan->shape.shuffle && plan->own_columns >= plan->shape.substeps * plan->margin;
}

static wadi_status send_new(const wadi_gpu_engine *engine, wadi_gpu_memory **memory, size_t bytes, const void *from) {
    const wadi_status status = wadi_gpu_allocate(engine, bytes, memory);
    return status == WADI_OK ? wadi_gpu_send(engine, *memory, from, bytes) : status;
}

static wadi_status send_beside(const wadi_sim *sim, wadi_gpu_sweep *walk, const pieces *pieces) {
    const size_t count = (size_t)pieces->count, bytes = count * WADI_GPU_SWEEP_NEIGHBOURS * sizeof(int32_t);
    int32_t *beside = malloc(bytes), *none = calloc(count, sizeof *none);
    wadi_status status = WADI_OK;
    if (beside == NULL || none == NULL) status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a kernel's plan");
    for (int p = 0; p < pieces->count && status == WADI_OK && walk->plan.persistent; p++)
        walk->plan.persistent =
            find_beside(pieces, p, rows_beside(&walk->plan), &beside[p * WADI_GPU_SWEEP_NEIGHBOURS]);
    if (status == WADI_OK && walk->plan.persistent) {
        status = send_new(sim->engine_state, &walk->beside, bytes, beside);
        if (status == WADI_OK) status = send_new(sim->engine_state, &walk->done, count * sizeof *none, none);
    }
    walk->passes_done = 0;
    free(beside);
    free(none);
    return status;
}

/* --- opening --- */

/* About as long as it takes. Rows beside it are worked out too. */
static int cost(const piece *p) { return (p->y1 - p->y0 + 6) * (p->edges ? 9 : 5); }

/* Those that take longest first; else by place. */
static int by_size(const void *a, const void *b) {
    const piece *p = a, *q = b;
    const int more = cost(q) - cost(p);
    return more != 0 ? more : p->y0 != q->y0 ? p->y0 - q->y0 : p->x - q->x;
}

static void drop_pieces(const wadi_gpu_engine *engine, wadi_gpu_sweep *walk) {
    engine->driver->free(engine->gpu, walk->pieces);
    engine->driver->free(engine->gpu, walk->beside);
    engine->driver->free(engine->gpu, walk->done);
    wadi_gpu_free_tally(engine, &walk->tally);
    walk->pieces = walk->beside = walk->done = NULL;
    walk->borders_found = false;
}

/* And where their sums go. */
static wadi_status make_pieces(const wadi_sim *sim, wadi_gpu_sweep *walk) {
    wadi_gpu_sweep_plan *plan = &walk->plan;
    pieces pieces = {0};
    drop_pieces(sim->engine_state, walk); /* of a try that failed, or of other shares */
    wadi_status status = WADI_OK;
    if (!add_all(&pieces, sim, plan, plan->shape.rows))
        status = wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the plan of a kernel");
    if (status == WADI_OK) {
        qsort(pieces.list, (size_t)pieces.count, sizeof *pieces.list, by_size);
        status = send_new(sim->engine_state, &walk->pieces, (size_t)pieces.count * sizeof *pieces.list, pieces.list);
        plan->persistent = may_be_resident(sim, plan, pieces.count);
    }
    if (status == WADI_OK && plan->persistent) status = send_beside(sim, walk, &pieces);
    walk->piece_count = pieces.count;
    free(pieces.list);
    const int slots = 32, lines = (walk->piece_count + slots - 1) / slots;
    return status == WADI_OK ? wadi_gpu_make_tally(sim, &walk->tally, slots, lines) : status;
}

static wadi_gpu_launch launch_of(const wadi_gpu_sweep *walk, int passes) {
    return (wadi_gpu_launch){.groups = {(size_t)walk->piece_count, 1},
                             .group_items = (size_t)walk->plan.items,
                             .local_bytes = wadi_gpu_sweep_local_bytes(&walk->plan),
                             .together = passes > 1 && walk->piece_count > 1};
}

/* What was planned for, the device may not have room for after all. */
static int most_passes(const wadi_gpu_engine *engine, const wadi_gpu_sweep *walk) {
    const wadi_gpu_launch launch = launch_of(walk, MOST_PASSES);
    if (!walk->plan.persistent) return 1;
    if (walk->piece_count == 1) return MOST_PASSES;
    const size_t most = engine->driver->most_together(engine->gpu, walk->kernel, &launch);
    return (size_t)walk->piece_count <= most ? MOST_PASSES : 1;
}

static wadi_status build(const wadi_sim *sim, wadi_gpu_sweep *walk) {
    wadi_gpu_engine *engine = sim->engine_state;
    wadi_status status =
        wadi_gpu_build(engine->driver, engine->gpu, wadi_gpu_sweep_program_source(sim, &walk->plan), &walk->program);
    if (status == WADI_OK) status = engine->driver->find(engine->gpu, walk->program, "fused_sweep", &walk->kernel);
    if (status == WADI_OK)
        status = engine->driver->find(engine->gpu, walk->program, "find_borders", &walk->find_borders);
    return status;
}

wadi_status wadi_gpu_sweep_open(wadi_sim *sim, int levels, bool *fits) {
    wadi_gpu_engine *engine = sim->engine_state;
    wadi_gpu_sweep *walk = &engine->walk[levels];
    *fits = true;
    if (walk->ready) return WADI_OK;
    wadi_gpu_sweep_shape shape = engine->shape;
    shape.substeps = levels;
    wadi_gpu_sweep_plan_free(&walk->plan); /* of one that did not fit */
    wadi_status status = wadi_gpu_sweep_plan_make(&walk->plan, sim, &shape, fits);
    if (status != WADI_OK || !*fits) return status;
    status = allocate_fields(sim, &walk->plan);
    *fits = status != WADI_ERROR_MEMORY;
    if (!*fits) return WADI_OK;
    engine->driver->release(engine->gpu, walk->program); /* of a try that failed */
    walk->program = NULL;
    if (status == WADI_OK) status = make_pieces(sim, walk);
    if (status == WADI_OK) status = build(sim, walk);
    if (status == WADI_OK) walk->most_passes = most_passes(engine, walk);
    walk->ready = status == WADI_OK;
    return status;
}

wadi_status wadi_gpu_sweep_partition(wadi_sim *sim, int levels) {
    wadi_gpu_engine *engine = sim->engine_state;
    wadi_gpu_sweep *walk = &engine->walk[levels];
    const bool resident = walk->plan.persistent;
    walk->plan.shape.rows = engine->shape.rows;
    walk->plan.shape.side = engine->shape.side;
    walk->plan.shape.ending = engine->shape.ending;
    wadi_status status = make_pieces(sim, walk);
    if (status == WADI_OK && walk->plan.persistent != resident)
        status = wadi_fail(WADI_ERROR_UNSUPPORTED, "so few pieces need another kernel");
    walk->plan.persistent = resident;
    walk->ready = status == WADI_OK;
    return status;
}

void wadi_gpu_sweep_close(wadi_gpu_engine *engine) {
    for (int i = 0; i <= WADI_GPU_SWEEP_SUBSTEPS; i++) {
        wadi_gpu_sweep *walk = &engine->walk[i];
        engine->driver->release(engine->gpu, walk->program);
        drop_pieces(engine, walk);
        wadi_gpu_sweep_plan_free(&walk->plan);
        *walk = (wadi_gpu_sweep){0};
    }
}

static wadi_status find_borders(const wadi_sim *sim, wadi_gpu_sweep *walk) {
    wadi_gpu_engine *engine = sim->engine_state;
    if (walk->borders_found) return WADI_OK;
    walk->borders_found = true;
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(engine->field[0]), WADI_GPU_MEMORY(walk->pieces),
                                           WADI_GPU_VALUE(engine->grid)};
    return wadi_gpu_call(engine, walk->find_borders, (size_t)walk->piece_count, 1, arguments, 3);
}

/* --- running --- */

typedef struct list {
    const wadi_sim *sim;
    wadi_gpu_argument argument[2 * WADI_MAX_FIELDS + WADI_MAX_MAPS + WADI_GPU_SWEEP_SUBSTEPS + WADI_SUMS + 8];
    int count;
} list;

static wadi_gpu_memory *memory_of(const list *list, wadi_gpu_sweep_argument what, int index, int level) {
    const wadi_gpu_engine *engine = list->sim->engine_state;
    switch (what) {
    case WADI_GPU_SWEEP_NOW:
        return engine->block.now;
    case WADI_GPU_SWEEP_NEXT:
        return engine->block.other;
    case WADI_GPU_SWEEP_OUT:
        return engine->other[index];
    case WADI_GPU_SWEEP_MAP:
        return wadi_gpu_map(list->sim, index, level);
    default:
        return engine->field[index];
    }
}

static void add(void *context, wadi_gpu_sweep_argument what, int index, int level) {
    list *list = context;
    list->argument[list->count++] = WADI_GPU_MEMORY(memory_of(list, what, index, level));
}

/* On a torus the margin is read; that of what is given is made when it is sent. */
static wadi_status wrap_all(const wadi_sim *sim, const wadi_gpu_sweep_plan *plan) {
    wadi_status status = WADI_OK;
    for (int f = 0; f < sim->model->field_count && status == WADI_OK; f++)
        if (wadi_gpu_sweep_changes(plan, sim, f, false)) status = wadi_gpu_wrap_field(sim->engine_state, f);
    return status;
}

/* As in kernels/fused_sweep.h. */
typedef struct passes {
    int32_t count, before, until_due, trial;
} passes;

static bool is_due(const wadi_sim *sim, int64_t substep) {
    bool due = false;
    for (int s = 0; s < sim->model->stage_count; s++)
        due = due || (sim->model->stages[s].every > 1 && wadi_stage_due(sim, &sim->model->stages[s], substep));
    return due;
}

/* Sub-steps until the first at which a stage is due that does not run every time. */
static int32_t until_due(const wadi_sim *sim, const wadi_gpu_sweep_plan *plan, int64_t ahead) {
    for (int32_t until = 0; until < plan->every; until++)
        if (is_due(sim, sim->substeps_done + ahead + until)) return until;
    return INT32_MAX;
}

static void swap(wadi_gpu_memory **a, wadi_gpu_memory **b) {
    wadi_gpu_memory *const was = *a;
    *a = *b;
    *b = was;
}

static wadi_status launch(wadi_sim *sim, int levels, const passes *how) {
    wadi_gpu_engine *engine = sim->engine_state;
    wadi_gpu_sweep *walk = &engine->walk[levels];
    const wadi_gpu_sweep_plan *plan = &walk->plan;
    list list = {.sim = sim};
    wadi_status status = find_borders(sim, walk);
    if (status == WADI_OK) status = wrap_all(sim, plan);
    wadi_gpu_sweep_arguments(plan, sim, add, &list);
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) list.argument[list.count++] = WADI_GPU_MEMORY(walk->tally.slots[i]);
    list.argument[list.count++] = WADI_GPU_MEMORY(walk->pieces);
    if (plan->persistent) {
        list.argument[list.count++] = WADI_GPU_MEMORY(walk->beside);
        list.argument[list.count++] = WADI_GPU_MEMORY(walk->done);
    }
    list.argument[list.count++] = (wadi_gpu_argument){.value = sim->constants, .bytes = sim->model->constants_bytes};
    list.argument[list.count++] = WADI_GPU_VALUE(engine->grid);
    list.argument[list.count++] = WADI_GPU_VALUE(*how);
    walk->tally.used = true;
    walk->passes_done = (int)((unsigned)walk->passes_done + (unsigned)how->count);
    const wadi_gpu_launch launch = launch_of(walk, how->count);
    return status == WADI_OK ? engine->driver->launch(engine->gpu, walk->kernel, &launch, list.argument, list.count)
                             : status;
}

int wadi_gpu_sweep_most_passes(const wadi_sim *sim, int levels) {
    const wadi_gpu_engine *engine = sim->engine_state;
    return wadi_supply_varies(sim) ? 1 : engine->walk[levels].most_passes;
}

wadi_status wadi_gpu_sweep_try(wadi_sim *sim, int levels, int passes_) {
    const wadi_gpu_engine *engine = sim->engine_state;
    const wadi_gpu_sweep *walk = &engine->walk[levels];
    wadi_status status = WADI_OK;
    for (int left = passes_; left > 0 && status == WADI_OK;) {
        const int count = left < walk->most_passes ? left : walk->most_passes;
        status = launch(sim, levels, &(passes){count, walk->passes_done, INT32_MAX, 1});
        left -= count;
    }
    return status;
}

wadi_status wadi_gpu_sweep_run(wadi_sim *sim, int levels, int64_t ahead, int count) {
    wadi_gpu_engine *engine = sim->engine_state;
    const wadi_gpu_sweep *walk = &engine->walk[levels];
    const int32_t until = until_due(sim, &walk->plan, ahead);
    const int substeps = count * levels;
    const int dues = until < substeps ? (substeps - until - 1) / walk->plan.every + 1 : 0;
    const wadi_status status = launch(sim, levels, &(passes){count, walk->passes_done, until, 0});
    if (count % 2 == 1) swap(&engine->block.now, &engine->block.other);
    for (int f = 0; f < sim->model->field_count && dues % 2 == 1; f++)
        if (wadi_gpu_sweep_changes(&walk->plan, sim, f, true)) swap(&engine->field[f], &engine->other[f]);
    return status;
}
