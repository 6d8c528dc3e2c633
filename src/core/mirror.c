/* mirror.c: for an engine that keeps the state elsewhere, the block's fields are a mirror, which is filled when a field
 * is read. */
#include "core/mirror.h"

#include "core/allocate.h"
#include "core/inside.h"

static void fill(const wadi_sim *sim, int f, float value) {
    const bool wrap = sim->domain->def.boundary == WADI_WRAP;
#pragma omp parallel for schedule(static) num_threads(sim->domain->threads)
    for (int y = 0; y < sim->domain->def.height; y++) {
        float *row = wadi_block_row(&sim->domain->block, sim->domain->block.field[f], y);
        for (int x = 0; x < sim->domain->def.width; x++) row[x] = value;
        if (wrap) wadi_block_close_row(&sim->domain->block, row);
    }
}

void wadi_sim_close_rows(const wadi_sim *sim, int f) {
    for (int y = 0; sim->domain->def.boundary == WADI_WRAP && y < sim->domain->def.height; y++)
        wadi_block_close_row(&sim->domain->block, wadi_block_row(&sim->domain->block, sim->domain->block.field[f], y));
}

wadi_status wadi_sim_bring(const wadi_sim *sim, int f) {
    const wadi_whereabouts where = sim->domain->where[f];
    if (where == WADI_HERE || where == WADI_BOTH) return WADI_OK;
    if (sim->domain->block.field[f] == NULL && !wadi_domain_allocate_field(sim->domain, f))
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a field of %d x %d cells", sim->domain->def.width,
                         sim->domain->def.height);
    wadi_status status = WADI_OK;
    if (where == WADI_THERE)
        status = sim->engine->fetch(sim->domain, f);
    else
        fill(sim, f, wadi_at_start(sim->domain, f));
    if (status != WADI_OK) return status;
    wadi_sim_close_rows(sim, f);
    sim->domain->where[f] = where == WADI_THERE ? WADI_BOTH : WADI_HERE;
    return WADI_OK;
}

wadi_status wadi_sim_bring_to_change(wadi_sim *sim, int f) {
    const wadi_status status = wadi_sim_bring(sim, f);
    if (status == WADI_OK) sim->domain->where[f] = WADI_HERE;
    return status;
}

void wadi_domain_let_go(wadi_domain *domain, int f) {
    if (domain->where[f] != WADI_BOTH || domain->model->fields[f].kind == WADI_STATIC) return;
    wadi_block_free(&domain->block, f, domain->block.field[f]);
    domain->block.field[f] = NULL;
    domain->where[f] = WADI_THERE;
}

void wadi_sim_begin_anew(wadi_sim *sim, int f) {
    if (sim->engine->fetch != NULL)
        sim->domain->where[f] = WADI_NOWHERE;
    else
        fill(sim, f, wadi_at_start(sim->domain, f));
}
