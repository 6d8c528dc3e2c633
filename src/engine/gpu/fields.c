/* fields.c: the layout of fields in device memory. A field has a buffer of its own, or several are interleaved by 32
 * columns. A sweep then computes one address for all of them, and what it loads of a row lies close together. */
#include "engine/gpu/fields.h"

#include "core/allocate.h"
#include "engine/gpu/codegen/layout.h"
#include "engine/gpu/codegen/programs.h"

#define FLOATS_ON_WAY (1 << 20) /* in a transfer of interleaved fields */

/* CUDA allows no more groups in y; kernels over rows loop over the rest. */
static size_t groups_in_y(int64_t rows) { return rows < 65535 ? (size_t)rows : 65535; }

wadi_gpu_grid wadi_gpu_grid_of(const wadi_gpu_engine *engine, int f) {
    const int slot = engine->block.slot[f] - 1;
    return slot < 0 ? engine->grid : wadi_gpu_grid_among(&engine->grid, engine->block.fields, slot);
}

wadi_gpu_grid wadi_gpu_grid_of_block(const wadi_gpu_engine *engine) {
    wadi_gpu_grid grid = wadi_gpu_grid_among(&engine->grid, engine->block.fields, 0);
    grid.apart = WADI_GPU_BLOCK_COLUMNS;
    grid.origin -= WADI_GPU_MARGIN;
    grid.width = engine->block.fields * grid.columns;
    return grid;
}

wadi_gpu_memory *wadi_gpu_terrain(const wadi_domain *domain) {
    const wadi_gpu_engine *engine = domain->engine_state;
    return engine->field[wadi_field_of(domain->model, WADI_FIELD_TERRAIN)];
}

wadi_gpu_memory *wadi_gpu_memory_of(const wadi_gpu_engine *engine, int f) {
    return engine->block.slot[f] > 0 ? engine->block.now : engine->field[f];
}

wadi_gpu_rows wadi_gpu_rows_of(const wadi_domain *domain) {
    const wadi_gpu_engine *engine = domain->engine_state;
    return (wadi_gpu_rows){.offset = (size_t)(engine->grid.origin + WADI_GPU_MARGIN) * sizeof(float),
                           .pitch = (size_t)engine->grid.pitch * sizeof(float),
                           .host_pitch = (size_t)domain->block.pitch * sizeof(float),
                           .bytes = (size_t)domain->def.width * sizeof(float),
                           .rows = (size_t)domain->def.height};
}

/* --- kernels --- */

wadi_status wadi_gpu_call(const wadi_gpu_engine *engine, wadi_gpu_kernel *kernel, size_t groups_x, int64_t groups_y,
                          const wadi_gpu_argument *arguments, int count) {
    const wadi_gpu_launch launch = {.groups = {groups_x, groups_in_y(groups_y)}, .group_items = WADI_GPU_ITEMS};
    return engine->driver->launch(engine->gpu, kernel, &launch, arguments, count);
}

static int64_t rows_with_margin(const wadi_gpu_engine *engine) {
    return (int64_t)engine->grid.height + 2 * WADI_GPU_MARGIN_ROWS;
}

static wadi_status start(const wadi_gpu_engine *engine, wadi_gpu_memory *memory, const wadi_gpu_grid *grid, float value,
                         float outside) {
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(memory), WADI_GPU_VALUE(value), WADI_GPU_VALUE(outside),
                                           WADI_GPU_VALUE(*grid)};
    return wadi_gpu_call(engine, engine->start, 1, rows_with_margin(engine), arguments, 4);
}

static wadi_status start_field(const wadi_domain *domain, int f, wadi_gpu_memory *memory, const wadi_gpu_grid *grid) {
    const wadi_field *field = &domain->model->fields[f];
    const float value = wadi_is_state(domain, f) ? wadi_at_start(domain, f) : field->outside;
    return start(domain->engine_state, memory, grid, value, field->outside);
}

wadi_status wadi_gpu_start_map(const wadi_gpu_engine *engine, wadi_gpu_memory *map, float value) {
    return start(engine, map, &engine->grid, value, value);
}

wadi_status wadi_gpu_start_field(const wadi_domain *domain, int f) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const wadi_gpu_grid grid = wadi_gpu_grid_of(engine, f);
    return start_field(domain, f, wadi_gpu_memory_of(engine, f), &grid);
}

static wadi_status wrap(const wadi_gpu_engine *engine, wadi_gpu_memory *memory, const wadi_gpu_grid *grid) {
    if (!grid->wrap) return WADI_OK;
    const int32_t margin = WADI_GPU_MARGIN_ROWS;
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(memory), WADI_GPU_VALUE(margin), WADI_GPU_VALUE(*grid)};
    return wadi_gpu_call(engine, engine->wrap, 1, rows_with_margin(engine), arguments, 3);
}

wadi_status wadi_gpu_wrap_map(const wadi_gpu_engine *engine, wadi_gpu_memory *map) {
    return wrap(engine, map, &engine->grid);
}

wadi_status wadi_gpu_wrap_field(const wadi_gpu_engine *engine, int f) {
    const wadi_gpu_grid grid = wadi_gpu_grid_of(engine, f);
    return wrap(engine, wadi_gpu_memory_of(engine, f), &grid);
}

/* --- transfers --- */

wadi_status wadi_gpu_move_rows(const wadi_gpu_engine *engine, int f, int y0, int count, wadi_gpu_memory *packed,
                               int64_t begin, bool to_field) {
    const wadi_gpu_grid grid = wadi_gpu_grid_of(engine, f);
    const int32_t y = y0, rows = count, into = to_field;
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(wadi_gpu_memory_of(engine, f)),
                                           WADI_GPU_VALUE(grid),
                                           WADI_GPU_MEMORY(packed),
                                           WADI_GPU_VALUE(begin),
                                           WADI_GPU_VALUE(y),
                                           WADI_GPU_VALUE(rows),
                                           WADI_GPU_VALUE(into)};
    const size_t groups = ((size_t)grid.width + WADI_GPU_ITEMS - 1) / WADI_GPU_ITEMS;
    return wadi_gpu_call(engine, engine->band, groups, count, arguments, 7);
}

static int rows_at_once(const wadi_gpu_engine *engine) {
    const int rows = FLOATS_ON_WAY / engine->grid.width;
    return rows > engine->grid.height ? engine->grid.height : rows > 0 ? rows : 1;
}

/* The host's side of a transfer. It goes to the host or from it; the other pointer is NULL. */
typedef struct host_rows {
    float *to;
    const float *from;
    ptrdiff_t pitch; /* floats from one row to the next */
} host_rows;

static wadi_status pass(const wadi_gpu_engine *engine, wadi_gpu_memory *memory, const wadi_gpu_rows *rows,
                        const host_rows *host, int row) {
    return host->to != NULL ? engine->driver->read(engine->gpu, memory, rows, host->to + row * host->pitch)
                            : engine->driver->write(engine->gpu, memory, rows, host->from + row * host->pitch);
}

/* All rows of a field. Those of an interleaved field go through contiguous memory. */
static wadi_status pass_field(const wadi_domain *domain, int f, const host_rows *host) {
    const wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_rows rows = wadi_gpu_rows_of(domain);
    if (engine->block.slot[f] == 0) return pass(engine, engine->field[f], &rows, host, 0);
    const int height = domain->def.height, most = rows_at_once(engine);
    wadi_status status = WADI_OK;
    rows.offset = 0;
    rows.pitch = rows.bytes;
    for (int y = 0; y < height && status == WADI_OK; y += most) {
        const int now = height - y < most ? height - y : most;
        rows.rows = (size_t)now;
        if (host->to != NULL) status = wadi_gpu_move_rows(engine, f, y, now, engine->rows_on_way, 0, false);
        if (status == WADI_OK) status = pass(engine, engine->rows_on_way, &rows, host, y);
        if (host->to == NULL && status == WADI_OK)
            status = wadi_gpu_move_rows(engine, f, y, now, engine->rows_on_way, 0, true);
    }
    return status;
}

wadi_status wadi_gpu_fetch_field(const wadi_domain *domain, int f) {
    const host_rows mirror = {domain->block.field[f], NULL, domain->block.pitch};
    return pass_field(domain, f, &mirror);
}

wadi_status wadi_gpu_send_field(const wadi_domain *domain, int f) {
    const host_rows mirror = {NULL, domain->block.field[f], domain->block.pitch};
    return pass_field(domain, f, &mirror);
}

/* --- memory --- */

wadi_status wadi_gpu_send(const wadi_gpu_engine *engine, wadi_gpu_memory *to, const void *from, size_t bytes) {
    const wadi_gpu_rows rows = {0, bytes, bytes, bytes, 1};
    return bytes > 0 ? engine->driver->write(engine->gpu, to, &rows, from) : WADI_OK;
}

wadi_status wadi_gpu_allocate(const wadi_gpu_engine *engine, size_t bytes, wadi_gpu_memory **memory) {
    return *memory != NULL ? WADI_OK : engine->driver->allocate(engine->gpu, bytes, memory);
}

static void let_go(const wadi_gpu_engine *engine, wadi_gpu_memory **memory) {
    engine->driver->free(engine->gpu, *memory);
    *memory = NULL;
}

/* A buffer of the field's own, with its initial value. */
static wadi_status allocate_alone(const wadi_domain *domain, int f, wadi_gpu_memory **memory) {
    const wadi_gpu_engine *engine = domain->engine_state;
    if (*memory != NULL) return WADI_OK;
    const wadi_status status = wadi_gpu_allocate(engine, wadi_gpu_bytes(&engine->grid), memory);
    return status == WADI_OK ? start_field(domain, f, *memory, &engine->grid) : status;
}

wadi_status wadi_gpu_allocate_field(const wadi_domain *domain, int f) {
    wadi_gpu_engine *engine = domain->engine_state;
    return engine->block.slot[f] > 0 ? WADI_OK : allocate_alone(domain, f, &engine->field[f]);
}

/* A buffer for interleaved fields, with their initial values. */
static wadi_status allocate_block(const wadi_domain *domain, const wadi_gpu_block *block, wadi_gpu_memory **memory) {
    const wadi_gpu_engine *engine = domain->engine_state;
    if (*memory != NULL) return WADI_OK;
    wadi_status status = wadi_gpu_allocate(engine, wadi_gpu_bytes(&engine->grid) * (size_t)block->fields, memory);
    for (int f = 0; f < domain->model->field_count && status == WADI_OK; f++) {
        if (block->slot[f] == 0) continue;
        const wadi_gpu_grid grid = wadi_gpu_grid_among(&engine->grid, block->fields, block->slot[f] - 1);
        status = start_field(domain, f, *memory, &grid);
    }
    return status;
}

static wadi_status move(const wadi_gpu_engine *engine, wadi_gpu_memory *to, const wadi_gpu_grid *to_grid,
                        wadi_gpu_memory *from, const wadi_gpu_grid *from_grid) {
    const wadi_gpu_argument arguments[] = {WADI_GPU_MEMORY(to), WADI_GPU_VALUE(*to_grid), WADI_GPU_MEMORY(from),
                                           WADI_GPU_VALUE(*from_grid)};
    return wadi_gpu_call(engine, engine->move, 1, rows_with_margin(engine), arguments, 4);
}

/* Copies the fields to the new block, or from the old one to buffers of their own. */
static wadi_status move_all(const wadi_domain *domain, const wadi_gpu_block *block) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status = WADI_OK;
    for (int f = 0; f < domain->model->field_count && status == WADI_OK; f++) {
        const wadi_gpu_grid from = wadi_gpu_grid_of(engine, f);
        const wadi_gpu_grid to = wadi_gpu_grid_among(&engine->grid, block->fields, block->slot[f] - 1);
        if (block->slot[f] > 0 && wadi_gpu_memory_of(engine, f) != NULL) {
            status = move(engine, block->now, &to, wadi_gpu_memory_of(engine, f), &from);
        } else if (block->slot[f] == 0 && engine->block.slot[f] > 0) {
            status = allocate_alone(domain, f, &engine->field[f]);
            if (status == WADI_OK) status = move(engine, engine->field[f], &engine->grid, engine->block.now, &from);
        }
    }
    return status;
}

wadi_status wadi_gpu_interleave(wadi_domain *domain, const bool *together) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_block block = {0};
    bool same = true;
    for (int f = 0; f < domain->model->field_count; f++) {
        same = same && together[f] == (engine->block.slot[f] > 0);
        if (together[f]) block.slot[f] = ++block.fields;
    }
    if (same) return WADI_OK;
    wadi_gpu_drop_copy(domain); /* frees buffers that the new layout does not need, before it allocates */
    wadi_gpu_free_others(engine);
    const size_t on_way = (size_t)rows_at_once(engine) * (size_t)domain->def.width * sizeof(float);
    wadi_status status = block.fields > 0 ? allocate_block(domain, &block, &block.now) : WADI_OK;
    if (status == WADI_OK && block.fields > 0) status = wadi_gpu_allocate(engine, on_way, &engine->rows_on_way);
    if (status == WADI_OK) status = move_all(domain, &block);
    if (status == WADI_OK) status = engine->driver->finish(engine->gpu);
    if (status != WADI_OK) {
        let_go(engine, &block.now);
        for (int f = 0; f < domain->model->field_count; f++) /* the buffers that move_all made are not needed */
            if (engine->block.slot[f] > 0) let_go(engine, &engine->field[f]);
        return status;
    }
    for (int f = 0; f < domain->model->field_count; f++)
        if (block.slot[f] > 0) let_go(engine, &engine->field[f]);
    let_go(engine, &engine->block.now);
    engine->block = block;
    engine->driver->release(engine->gpu, engine->stages);
    engine->stages = NULL;
    return WADI_OK;
}

wadi_status wadi_gpu_allocate_others(const wadi_domain *domain, const bool *alone) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status =
        engine->block.fields > 0 ? allocate_block(domain, &engine->block, &engine->block.other) : WADI_OK;
    for (int f = 0; f < domain->model->field_count && status == WADI_OK; f++)
        if (alone[f]) status = allocate_alone(domain, f, &engine->other[f]);
    return status;
}

void wadi_gpu_free_others(wadi_gpu_engine *engine) {
    for (int f = 0; f < WADI_MAX_FIELDS; f++) let_go(engine, &engine->other[f]);
    let_go(engine, &engine->block.other);
}

void wadi_gpu_free_scratch(const wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    for (int f = 0; f < domain->model->field_count; f++)
        if (wadi_kind(domain, f) == WADI_SCRATCH) let_go(engine, &engine->field[f]);
}

static void free_kept(wadi_gpu_engine *engine) {
    for (int f = 0; f < WADI_MAX_FIELDS; f++) let_go(engine, &engine->kept[f]);
    let_go(engine, &engine->block.kept);
}

void wadi_gpu_free_fields(wadi_gpu_engine *engine) {
    wadi_gpu_free_others(engine);
    free_kept(engine);
    for (int f = 0; f < WADI_MAX_FIELDS; f++) let_go(engine, &engine->field[f]);
    let_go(engine, &engine->block.now);
    let_go(engine, &engine->rows_on_way);
}

/* --- the last good state: a copy, where memory allows --- */

void wadi_gpu_drop_copy(wadi_domain *domain) {
    free_kept(domain->engine_state);
    domain->good_kept = false;
}

static wadi_status copy(const wadi_gpu_engine *engine, size_t bytes, wadi_gpu_memory **to, wadi_gpu_memory *from) {
    const wadi_status status = wadi_gpu_allocate(engine, bytes, to);
    return status == WADI_OK ? engine->driver->copy(engine->gpu, *to, from, bytes) : status;
}

/* State with a buffer of its own. */
static bool is_alone(const wadi_domain *domain, int f) {
    const wadi_gpu_engine *engine = domain->engine_state;
    return wadi_is_state(domain, f) && engine->block.slot[f] == 0;
}

wadi_status wadi_gpu_keep(const wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_block *block = &engine->block;
    const size_t bytes = wadi_gpu_bytes(&engine->grid);
    wadi_status status = WADI_OK;
    if (block->fields > 0) status = copy(engine, bytes * (size_t)block->fields, &block->kept, block->now);
    for (int f = 0; f < domain->model->field_count && status == WADI_OK; f++)
        if (is_alone(domain, f)) status = copy(engine, bytes, &engine->kept[f], engine->field[f]);
    return status;
}

wadi_status wadi_gpu_go_back(const wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_gpu_block *block = &engine->block;
    const size_t bytes = wadi_gpu_bytes(&engine->grid);
    wadi_status status = WADI_OK;
    if (block->kept != NULL) status = copy(engine, bytes * (size_t)block->fields, &block->now, block->kept);
    for (int f = 0; f < domain->model->field_count && status == WADI_OK; f++)
        if (is_alone(domain, f) && engine->kept[f] != NULL)
            status = copy(engine, bytes, &engine->field[f], engine->kept[f]);
    return status;
}
