/* walk.c: kernels that do all stages of some sub-steps in a walk down the rows: built, and run. */
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

static int groups_of(int cells, int own) { return (cells + own - 1) / own; }

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
    if (status == WADI_OK) status = build(sim, walk);
    const int columns = groups_of(sim->def.width, walk->plan.own_columns), rows = shape.rows;
    const int lines = groups_of(sim->def.height, rows);
    if (status == WADI_OK)
        status = wadi_gpu_allocate(engine, (size_t)columns * (size_t)lines * sizeof(int32_t), &walk->edges);
    if (status == WADI_OK) status = wadi_gpu_make_tally(sim, &walk->tally, columns, lines, rows);
    walk->ready = status == WADI_OK;
    return status;
}

void wadi_gpu_walk_close(wadi_gpu_engine *engine) {
    for (int i = 0; i <= WADI_MARCH_LEVELS; i++) {
        wadi_gpu_walk *walk = &engine->walk[i];
        engine->driver->release(engine->gpu, walk->program);
        engine->driver->free(engine->gpu, walk->edges);
        wadi_gpu_free_tally(engine, &walk->tally);
        wadi_march_plan_free(&walk->plan);
        *walk = (wadi_gpu_walk){0};
    }
}

static wadi_status find_edges(const wadi_sim *sim, wadi_gpu_walk *walk) {
    wadi_gpu_engine *engine = sim->engine_state;
    if (walk->edges_found) return WADI_OK;
    walk->edges_found = true;
    const wadi_march_plan *plan = &walk->plan;
    const int32_t beside = plan->margin * plan->shape.levels, above = plan->halo * plan->shape.levels;
    const int32_t columns = plan->own_columns, rows = plan->shape.rows;
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(engine->field[0]),
                                           WADI_GPU_MEMORY(walk->edges),
                                           WADI_GPU_VALUE(engine->grid),
                                           WADI_GPU_VALUE(beside),
                                           WADI_GPU_VALUE(above),
                                           WADI_GPU_VALUE(columns),
                                           WADI_GPU_VALUE(rows)};
    return wadi_gpu_call(engine, walk->find_edges, (size_t)walk->tally.slots_a_line, (size_t)walk->tally.lines,
                         arguments, 7);
}

typedef struct list {
    const wadi_sim *sim;
    const wadi_march_plan *plan;
    wadi_gpu_argument argument[2 * WADI_MAX_FIELDS + WADI_MAX_MAPS + WADI_MARCH_LEVELS + WADI_SUMS + 8];
    int count;
    wadi_status status;
} list;

static wadi_gpu_memory *memory_of(const list *list, wadi_march_argument what, int index, int level) {
    const wadi_gpu_engine *engine = list->sim->engine_state;
    switch (what) {
    case WADI_MARCH_NOW: return engine->block.now;
    case WADI_MARCH_NEXT: return engine->block.other;
    case WADI_MARCH_OUT: return engine->other[index];
    case WADI_MARCH_MAP: return wadi_gpu_map(list->sim, index, level);
    default: return engine->field[index];
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
    list list = {.sim = sim, .plan = plan, .status = find_edges(sim, walk)};
    const int32_t rows = plan->shape.rows;
    if (list.status == WADI_OK) list.status = wrap_all(sim, plan);
    wadi_march_arguments(plan, sim, add, &list);
    for (int i = 0; i < WADI_SUMS; i++)
        if (plan->sums[i]) list.argument[list.count++] = WADI_GPU_MEMORY(walk->tally.slots[i]);
    list.argument[list.count++] = WADI_GPU_MEMORY(walk->edges);
    list.argument[list.count++] = (wadi_gpu_argument){.value = sim->constants, .bytes = sim->model->constants_bytes};
    list.argument[list.count++] = WADI_GPU_VALUE(engine->grid);
    list.argument[list.count++] = WADI_GPU_VALUE(rows);
    list.argument[list.count++] = WADI_GPU_VALUE(due);
    const wadi_gpu_launch launch = {
        {(size_t)walk->tally.slots_a_line, (size_t)walk->tally.lines}, (size_t)plan->items, plan->local_bytes};
    if (list.status != WADI_OK) return list.status;
    return engine->driver->launch(engine->gpu, walk->kernel, &launch, list.argument, list.count);
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
