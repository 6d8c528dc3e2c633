/* mirror.c: for an engine that keeps the state elsewhere, the block's fields are a mirror, which is filled when a field
 * is read. */
#include "core/mirror.h"

#include "core/allocate.h"
#include "core/inside.h"

static void fill(wadi_sim *sim, int f, float value) {
    const bool wrap = sim->def.boundary == WADI_WRAP;
#pragma omp parallel for schedule(static) num_threads(sim->threads)
    for (int y = 0; y < sim->def.height; y++) {
        float *row = wadi_block_row(&sim->block, sim->block.field[f], y);
        for (int x = 0; x < sim->def.width; x++) row[x] = value;
        if (wrap) wadi_block_close_row(&sim->block, row);
    }
}

void wadi_sim_close_rows(wadi_sim *sim, int f) {
    for (int y = 0; sim->def.boundary == WADI_WRAP && y < sim->def.height; y++)
        wadi_block_close_row(&sim->block, wadi_block_row(&sim->block, sim->block.field[f], y));
}

wadi_status wadi_sim_bring(const wadi_sim *sim_, int f) {
    wadi_sim *sim = (wadi_sim *)(uintptr_t)sim_; /* logically const: only the host's copy changes */
    const wadi_whereabouts where = sim->where[f];
    if (where == WADI_HERE || where == WADI_BOTH) return WADI_OK;
    if (sim->block.field[f] == NULL && !wadi_sim_allocate_field(sim, f))
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a field of %d x %d cells", sim->def.width,
                         sim->def.height);
    wadi_status status = WADI_OK;
    if (where == WADI_THERE)
        status = sim->engine->fetch(sim, f);
    else
        fill(sim, f, wadi_at_start(sim, f));
    if (status != WADI_OK) return status;
    wadi_sim_close_rows(sim, f);
    sim->where[f] = where == WADI_THERE ? WADI_BOTH : WADI_HERE;
    return WADI_OK;
}

wadi_status wadi_sim_bring_to_change(wadi_sim *sim, int f) {
    const wadi_status status = wadi_sim_bring(sim, f);
    if (status == WADI_OK) sim->where[f] = WADI_HERE;
    return status;
}

void wadi_sim_let_go(wadi_sim *sim, int f) {
    if (sim->where[f] != WADI_BOTH || sim->model->fields[f].kind == WADI_STATIC) return;
    wadi_block_free(&sim->block, f, sim->block.field[f]);
    sim->block.field[f] = NULL;
    sim->where[f] = WADI_THERE;
}

void wadi_sim_begin_anew(wadi_sim *sim, int f) {
    if (sim->engine->fetch != NULL)
        sim->where[f] = WADI_NOWHERE;
    else
        fill(sim, f, wadi_at_start(sim, f));
}
