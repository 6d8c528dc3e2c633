/* reduce.c: reductions on the device: the sums of the balance, and the test for values that are not finite. */
#include "engine/gpu/reduce.h"

#include <stdlib.h>
#include <string.h>

#include "engine/gpu/codegen/programs.h"
#include "engine/gpu/fields.h"

#define MEMORY WADI_GPU_MEMORY
#define VALUE WADI_GPU_VALUE

static wadi_gpu_rows all_of(size_t bytes) { return (wadi_gpu_rows){0, bytes, bytes, bytes, 1}; }

/* --- sums of stages --- */

static wadi_status clear(const wadi_gpu_engine *engine, wadi_gpu_memory *memory, size_t bytes) {
    void *zeros = calloc(1, bytes);
    if (zeros == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the balance");
    const wadi_status status = wadi_gpu_send(engine, memory, zeros, bytes);
    free(zeros);
    return status;
}

/* Bytes of the sums of all lines, of every kind in use. */
static size_t totals_bytes(const wadi_gpu_reduction *reduction) {
    return (size_t)WADI_SUMS * (size_t)reduction->lines * 2 * sizeof(float);
}

wadi_status wadi_gpu_make_reduction(const wadi_domain *domain, wadi_gpu_reduction *reduction, int slots_a_line,
                                    int lines, int from, int to) {
    const wadi_gpu_engine *engine = domain->engine_state;
    const size_t bytes = (size_t)slots_a_line * (size_t)lines * 2 * sizeof(float);
    reduction->slots_a_line = slots_a_line, reduction->lines = lines;
    reduction->from = from, reduction->to = to;
    float *pairs = realloc(reduction->pairs, totals_bytes(reduction)); /* now, because a failure during steps would lose
                                                                        * them */
    if (pairs == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the balance");
    reduction->pairs = pairs;
    wadi_status status = wadi_gpu_allocate(engine, totals_bytes(reduction), &reduction->totals);
    for (int s = 0; s < domain->model->stage_count; s++) {
        const wadi_stage *stage = &domain->model->stages[s];
        for (int i = 0; i < stage->sums && wadi_stage_on(domain, stage) && status == WADI_OK; i++) {
            wadi_gpu_memory **slots = &reduction->slots[stage->sum[i]];
            if (*slots != NULL) continue;
            status = wadi_gpu_allocate(engine, bytes, slots);
            if (status == WADI_OK) status = clear(engine, *slots, bytes);
            if (status != WADI_OK && *slots != NULL) { /* slots that were not cleared cannot be used */
                engine->driver->free(engine->gpu, *slots);
                *slots = NULL;
            }
        }
    }
    return status;
}

void wadi_gpu_free_reduction(const wadi_gpu_engine *engine, wadi_gpu_reduction *reduction) {
    for (int i = 0; i < WADI_SUMS; i++) engine->driver->free(engine->gpu, reduction->slots[i]);
    engine->driver->free(engine->gpu, reduction->totals);
    free(reduction->pairs);
    *reduction = (wadi_gpu_reduction){0};
}

/* Starts the sums of all kinds before it waits. */
static wadi_status read_totals(const wadi_gpu_engine *engine, const wadi_gpu_reduction *reduction) {
    const int32_t slots = reduction->slots_a_line, lines = reduction->lines;
    const size_t groups = ((size_t)lines + WADI_GPU_ITEMS - 1) / WADI_GPU_ITEMS;
    wadi_status status = WADI_OK;
    for (int32_t i = 0; i < WADI_SUMS && status == WADI_OK; i++) {
        const wadi_gpu_argument arguments[] = {MEMORY(reduction->slots[i]), MEMORY(reduction->totals), VALUE(slots),
                                               VALUE(lines), VALUE(i)};
        if (reduction->slots[i] != NULL) status = wadi_gpu_call(engine, engine->add_up, groups, 1, arguments, 5);
    }
    const wadi_gpu_rows rows = all_of(totals_bytes(reduction));
    return status == WADI_OK ? engine->driver->read(engine->gpu, reduction->totals, &rows, reduction->pairs) : status;
}

static wadi_status add_tally(wadi_domain *domain, wadi_gpu_reduction *reduction) {
    if (!reduction->used) return WADI_OK;
    const wadi_status status = read_totals(domain->engine_state, reduction);
    for (int i = 0; i < WADI_SUMS && status == WADI_OK; i++) {
        const float *pair = &reduction->pairs[2 * i * reduction->lines];
        if (reduction->slots[i] == NULL) continue;
        for (int line = reduction->from; line < reduction->to; line++)
            domain->sums[i][domain->window.own0] += (double)pair[2 * line] + (double)pair[2 * line + 1];
    }
    reduction->used = false;
    return status;
}

wadi_status wadi_gpu_add_sums(wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    wadi_status status = add_tally(domain, &engine->reduction);
    for (int i = 1; i <= WADI_GPU_SWEEP_SUBSTEPS && status == WADI_OK; i++)
        status = add_tally(domain, &engine->sweep[i].reduction);
    return status;
}

/* --- the finite check --- */

static size_t row_sums_bytes(const wadi_domain *domain) {
    return WADI_MOST_SUMMED * (size_t)domain->def.height * sizeof(double);
}

wadi_status wadi_gpu_open_reduction(const wadi_domain *domain) {
    wadi_gpu_engine *engine = domain->engine_state;
    if (engine->bad != NULL && engine->row_sums != NULL) return WADI_OK;
    wadi_status status = wadi_gpu_allocate(engine, row_sums_bytes(domain), &engine->row_sums);
    if (status == WADI_OK) status = wadi_gpu_allocate(engine, sizeof(int32_t), &engine->bad);
    return status == WADI_OK ? clear(engine, engine->bad, sizeof(int32_t)) : status;
}

static wadi_status look_at(const wadi_gpu_engine *engine, wadi_gpu_memory *memory, const wadi_gpu_grid *grid) {
    const wadi_gpu_argument arguments[] = {MEMORY(memory), MEMORY(engine->bad), VALUE(*grid)};
    return wadi_gpu_call(engine, engine->look, 1, grid->height, arguments, 3);
}

wadi_status wadi_gpu_look(wadi_domain *domain, bool *finite) {
    wadi_gpu_engine *engine = domain->engine_state;
    const wadi_gpu_rows one = all_of(sizeof(int32_t));
    int32_t bad = 0;
    wadi_status status = WADI_OK;
    if (engine->block.fields > 0) {
        const wadi_gpu_grid rows = wadi_gpu_grid_of_block(engine);
        status = look_at(engine, engine->block.now, &rows);
    }
    for (int f = 0; f < domain->model->field_count && status == WADI_OK; f++)
        if (wadi_is_state(domain, f) && engine->block.slot[f] == 0)
            status = look_at(engine, engine->field[f], &engine->grid);
    if (status == WADI_OK) status = engine->driver->read(engine->gpu, engine->bad, &one, &bad);
    *finite = bad == 0;
    return status == WADI_OK && bad != 0 ? clear(engine, engine->bad, sizeof bad) : status;
}

/* --- sums of fields --- */

wadi_status wadi_gpu_sum_rows(wadi_domain *domain, const wadi_summed *summed, int count, double *sums) {
    wadi_gpu_engine *engine = domain->engine_state;
    const size_t bytes = (size_t)count * (size_t)domain->def.height * sizeof *sums;
    const wadi_gpu_rows rows = all_of(bytes);
    const int32_t many = count;
    int32_t absolute = 0, largest = 0;
    wadi_gpu_grid grids[WADI_MOST_SUMMED];
    wadi_gpu_argument arguments[2 * WADI_MOST_SUMMED + 6];
    for (int i = 0; i < WADI_MOST_SUMMED; i++) { /* the kernel reads only `count` of them */
        const wadi_summed *one = &summed[i < count ? i : 0];
        grids[i] = wadi_gpu_grid_of(engine, one->field);
        arguments[2 * i] = MEMORY(wadi_gpu_memory_of(engine, one->field));
        arguments[2 * i + 1] = VALUE(grids[i]);
        absolute |= (int32_t)(one->how == WADI_SUM_ABSOLUTE) << i;
        largest |= (int32_t)(one->how == WADI_SUM_LARGEST) << i;
    }
    const wadi_gpu_argument others[] = {MEMORY(wadi_gpu_terrain(domain)),
                                        VALUE(engine->grid),
                                        MEMORY(engine->row_sums),
                                        VALUE(many),
                                        VALUE(absolute),
                                        VALUE(largest)};
    memcpy(&arguments[2 * WADI_MOST_SUMMED], others, sizeof others);
    wadi_status status = wadi_gpu_allocate(engine, row_sums_bytes(domain), &engine->row_sums);
    if (status == WADI_OK)
        status = wadi_gpu_call(engine, engine->sum_rows, 1, (domain->def.height + 15) / 16, arguments,
                               sizeof arguments / sizeof *arguments);
    return status == WADI_OK ? engine->driver->read(engine->gpu, engine->row_sums, &rows, sums) : status;
}
