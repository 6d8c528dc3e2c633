/* walk.c: kernels that do all stages of some sub-steps in a walk down the rows: built, shared out to groups, and run.
 */
#include <limits.h>
#include <stdlib.h>

#include "gpu/gpu.h"

/* What is changed is read from one memory and written to another. */
static wadi_status allocate_fields(wadi_sim *sim, const wadi_march_plan *plan) {
    bool together[WADI_MAX_FIELDS] = {false}, alone[WADI_MAX_FIELDS] = {false};
    for (int f = 0; f < sim->model->field_count; f++) {
        together[f] = wadi_march_changes(plan, sim, f, false);
        alone[f] = wadi_march_changes(plan, sim, f, true);
    }
    wadi_status status = wadi_gpu_lay_together(sim, together);
    for (int f = 0; f < sim->model->field_count && status == WADI_OK; f++)
        if (sim->model->fields[f].kind != WADI_SCRATCH) status = wadi_gpu_allocate_field(sim, f);
    return status == WADI_OK ? wadi_gpu_allocate_others(sim, alone) : status;
}

/* --- pieces --- */

/* As in kernels/march.h. */
typedef struct piece {
    int32_t x, y0, y1, edges;
} piece;

typedef struct pieces {
    piece *list;
    int count, capacity;
} pieces;

static bool add_piece(pieces *pieces, int x, int y0, int y1) {
    if (y0 >= y1) return true;
    if (pieces->count == pieces->capacity) {
        const int capacity = 2 * pieces->capacity + 256;
        piece *list = realloc(pieces->list, (size_t)capacity * sizeof *list);
        if (list == NULL) return false;
        pieces->list = list;
        pieces->capacity = capacity;
    }
    pieces->list[pieces->count++] = (piece){x, y0, y1, 0};
    return true;
}

/* From y0 to y1 in equal parts of about so many rows. */
static bool add_equal(pieces *pieces, int x, int y0, int y1, int rows) {
    const int64_t parts = (y1 - y0 + rows - 1) / rows;
    bool all = true;
    for (int64_t i = 0; i < parts && all; i++)
        all = add_piece(pieces, x, (int)(y0 + (y1 - y0) * i / parts), (int)(y0 + (y1 - y0) * (i + 1) / parts));
    return all;
}

#define EDGE_ROWS 16

/* Of a piece at the border, of which a row takes about one and a half times as long. */
static int rows_at_edge(int rows) { return rows > 8 ? rows * 2 / 3 - 2 : 4; }

/* A column of pieces: most of it large ones, then some that are smaller, so that in the end all processors are done at
 * about the same time; where there are few rows for each, equal ones, all done side by side. Those at the border are
 * smaller. */
static bool add_column(pieces *pieces, int x, int height, int rows, bool at_side) {
    const int large = at_side ? rows_at_edge(rows) : rows;
    const int edge = rows < WADI_GPU_FEW_ROWS ? rows_at_edge(rows) : EDGE_ROWS;
    if (height < 4 * edge) return add_equal(pieces, x, 0, height, rows_at_edge(rows));
    const int inner = height - 2 * edge, end = edge + inner;
    if (!add_piece(pieces, x, 0, edge) || !add_piece(pieces, x, end, height)) return false;
    if (rows < WADI_GPU_FEW_ROWS) return add_equal(pieces, x, edge, end, large);
    const int first = edge + (int)(0.75 * inner), second = edge + (int)(0.94 * inner);
    return add_equal(pieces, x, edge, first, large) && add_equal(pieces, x, first, second, large / 4 + 1) &&
           add_equal(pieces, x, second, end, large / 12 + EDGE_ROWS);
}

static bool add_all(pieces *pieces, const wadi_sim *sim, int own_columns, int rows) {
    const int columns = (sim->def.width + own_columns - 1) / own_columns;
    bool all = true;
    for (int x = 0; x < columns && all; x++)
        all = add_column(pieces, x, sim->def.height, rows, x == 0 || x == columns - 1);
    return all;
}

int wadi_gpu_pieces_of(const wadi_sim *sim, const wadi_march_plan *plan, int rows) {
    pieces pieces = {0};
    const int count = add_all(&pieces, sim, plan->own_columns, rows) ? pieces.count : INT_MAX;
    free(pieces.list);
    return count;
}

/* The large ones first; else by place. */
static int by_size(const void *a, const void *b) {
    const piece *p = a, *q = b;
    const int more = (q->y1 - q->y0) - (p->y1 - p->y0);
    return more != 0 ? more : p->y0 != q->y0 ? p->y0 - q->y0 : p->x - q->x;
}

static wadi_status make_pieces(const wadi_sim *sim, wadi_gpu_walk *walk) {
    const wadi_gpu_engine *engine = sim->engine_state;
    pieces pieces = {0};
    const bool all = add_all(&pieces, sim, walk->plan.own_columns, walk->plan.shape.rows);
    const size_t bytes = (size_t)pieces.count * sizeof *pieces.list;
    wadi_status status = all ? wadi_gpu_allocate(engine, bytes, &walk->pieces)
                             : wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the plan of a kernel");
    if (status == WADI_OK) {
        const wadi_gpu_rows rows = {0, bytes, bytes, bytes, 1};
        qsort(pieces.list, (size_t)pieces.count, sizeof *pieces.list, by_size);
        status = engine->driver->write(engine->gpu, walk->pieces, &rows, pieces.list);
    }
    walk->piece_count = pieces.count;
    free(pieces.list);
    return status;
}

/* --- opening --- */

static wadi_status build(const wadi_sim *sim, wadi_gpu_walk *walk) {
    wadi_gpu_engine *engine = sim->engine_state;
    wadi_status status =
        wadi_gpu_build(engine->driver, engine->gpu, wadi_gpu_walk_source(sim, &walk->plan), &walk->program);
    if (status == WADI_OK) status = engine->driver->find(engine->gpu, walk->program, "march", &walk->kernel);
    if (status == WADI_OK) status = engine->driver->find(engine->gpu, walk->program, "find_edges", &walk->find_edges);
    return status;
}

wadi_status wadi_gpu_walk_open(wadi_sim *sim, int levels, bool *fits) {
    wadi_gpu_engine *engine = sim->engine_state;
    wadi_gpu_walk *walk = &engine->walk[levels];
    *fits = true;
    if (walk->ready) return WADI_OK;
    wadi_march_shape shape = engine->shape;
    shape.levels = levels;
    wadi_march_plan_free(&walk->plan); /* of one that did not fit */
    wadi_status status = wadi_march_plan_make(&walk->plan, sim, &shape, fits);
    if (status != WADI_OK || !*fits) return status;
    status = allocate_fields(sim, &walk->plan);
    *fits = status != WADI_ERROR_MEMORY;
    if (!*fits) return WADI_OK;
    engine->driver->release(engine->gpu, walk->program); /* of a try that failed */
    walk->program = NULL;
    if (status == WADI_OK) status = build(sim, walk);
    if (status == WADI_OK) status = make_pieces(sim, walk);
    if (status == WADI_OK) {
        const int slots = 32, lines = (walk->piece_count + slots - 1) / slots;
        status = wadi_gpu_make_tally(sim, &walk->tally, slots, lines);
    }
    walk->ready = status == WADI_OK;
    return status;
}

void wadi_gpu_walk_close(wadi_gpu_engine *engine) {
    for (int i = 0; i <= WADI_MARCH_LEVELS; i++) {
        wadi_gpu_walk *walk = &engine->walk[i];
        engine->driver->release(engine->gpu, walk->program);
        engine->driver->free(engine->gpu, walk->pieces);
        wadi_gpu_free_tally(engine, &walk->tally);
        wadi_march_plan_free(&walk->plan);
        *walk = (wadi_gpu_walk){0};
    }
}

static wadi_status find_edges(const wadi_sim *sim, wadi_gpu_walk *walk) {
    wadi_gpu_engine *engine = sim->engine_state;
    if (walk->edges_found) return WADI_OK;
    walk->edges_found = true;
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(engine->field[0]), WADI_GPU_MEMORY(walk->pieces),
                                           WADI_GPU_VALUE(engine->grid)};
    return wadi_gpu_call(engine, walk->find_edges, (size_t)walk->piece_count, 1, arguments, 3);
}

/* --- running --- */

typedef struct list {
    const wadi_sim *sim;
    wadi_gpu_argument argument[2 * WADI_MAX_FIELDS + WADI_MAX_MAPS + WADI_MARCH_LEVELS + WADI_SUMS + 8];
    int count;
} list;

static wadi_gpu_memory *memory_of(const list *list, wadi_march_argument what, int index, int level) {
    const wadi_gpu_engine *engine = list->sim->engine_state;
    switch (what) {
    case WADI_MARCH_NOW:
        return engine->block.now;
    case WADI_MARCH_NEXT:
        return engine->block.other;
    case WADI_MARCH_OUT:
        return engine->other[index];
    case WADI_MARCH_MAP:
        return wadi_gpu_map(list->sim, index, level);
    default:
        return engine->field[index];
    }
}

static void add(void *context, wadi_march_argument what, int index, int level) {
    list *list = context;
    list->argument[list->count++] = WADI_GPU_MEMORY(memory_of(list, what, index, level));
}

/* On a torus the margin is read; that of what is given is made when it is sent. */
static wadi_status wrap_all(const wadi_sim *sim, const wadi_march_plan *plan) {
    wadi_status status = WADI_OK;
    for (int f = 0; f < sim->model->field_count && status == WADI_OK; f++)
        if (wadi_march_changes(plan, sim, f, false)) status = wadi_gpu_wrap_field(sim->engine_state, f);
    return status;
}

/* The one of the sub-steps at which a stage that does not run every time is due; -1: none. It is not more than one. */
static int32_t due_level(const wadi_sim *sim, int levels, int64_t ahead) {
    for (int s = 0; s < sim->model->stage_count; s++)
        for (int level = 0; level < levels; level++)
            if (sim->model->stages[s].every > 1 &&
                wadi_stage_due(sim, &sim->model->stages[s], sim->substeps_done + ahead + level))
                return level;
    return -1;
}

static void swap(wadi_gpu_memory **a, wadi_gpu_memory **b) {
    wadi_gpu_memory *const was = *a;
    *a = *b;
    *b = was;
}

static wadi_status launch(wadi_sim *sim, int levels, int32_t due) {
    wadi_gpu_engine *engine = sim->engine_state;
    wadi_gpu_walk *walk = &engine->walk[levels];
    const wadi_march_plan *plan = &walk->plan;
    list list = {.sim = sim};
    wadi_status status = find_edges(sim, walk);
    if (status == WADI_OK) status = wrap_all(sim, plan);
    wadi_march_arguments(plan, sim, add, &list);
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) list.argument[list.count++] = WADI_GPU_MEMORY(walk->tally.slots[i]);
    list.argument[list.count++] = WADI_GPU_MEMORY(walk->pieces);
    list.argument[list.count++] = (wadi_gpu_argument){.value = sim->constants, .bytes = sim->model->constants_bytes};
    list.argument[list.count++] = WADI_GPU_VALUE(engine->grid);
    list.argument[list.count++] = WADI_GPU_VALUE(due);
    walk->tally.used = true;
    const wadi_gpu_launch launch = {{(size_t)walk->piece_count, 1}, (size_t)plan->items, plan->local_bytes};
    return status == WADI_OK ? engine->driver->launch(engine->gpu, walk->kernel, &launch, list.argument, list.count)
                             : status;
}

wadi_status wadi_gpu_walk_try(wadi_sim *sim, int levels) { return launch(sim, levels, -1); }

wadi_status wadi_gpu_walk_run(wadi_sim *sim, int levels, int64_t ahead) {
    wadi_gpu_engine *engine = sim->engine_state;
    const wadi_march_plan *plan = &engine->walk[levels].plan;
    const int32_t due = due_level(sim, levels, ahead);
    const wadi_status status = launch(sim, levels, due);
    swap(&engine->block.now, &engine->block.other);
    for (int f = 0; f < sim->model->field_count; f++)
        if (due >= 0 && wadi_march_changes(plan, sim, f, true)) swap(&engine->field[f], &engine->other[f]);
    return status;
}
