/* mirror.c: for an engine that keeps the state elsewhere, the block's fields are a mirror, which is filled when a field
 * is read. */
#include "core/mirror.h"

#include "core/allocate.h"

static void fill(const wadi_domain *domain, int f, float value) {
    const bool wrap = domain->def.boundary == WADI_WRAP;
#pragma omp parallel for schedule(static) num_threads(domain->threads)
    for (int y = 0; y < domain->def.height; y++) {
        float *row = wadi_block_row(&domain->block, domain->block.field[f], y);
        for (int x = 0; x < domain->def.width; x++) row[x] = value;
        if (wrap) wadi_block_close_row(&domain->block, row);
    }
}

void wadi_domain_close_rows(const wadi_domain *domain, int f) {
    for (int y = 0; domain->def.boundary == WADI_WRAP && y < domain->def.height; y++)
        wadi_block_close_row(&domain->block, wadi_block_row(&domain->block, domain->block.field[f], y));
}

wadi_status wadi_domain_bring(wadi_domain *domain, int f) {
    const wadi_whereabouts where = domain->where[f];
    if (where == WADI_HERE || where == WADI_BOTH) return WADI_OK;
    if (domain->block.field[f] == NULL && !wadi_domain_allocate_field(domain, f))
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a field of %d x %d cells", domain->def.width,
                         domain->def.height);
    wadi_status status = WADI_OK;
    if (where == WADI_THERE)
        status = domain->engine->fetch(domain, f);
    else
        fill(domain, f, wadi_at_start(domain, f));
    if (status != WADI_OK) return status;
    wadi_domain_close_rows(domain, f);
    domain->where[f] = where == WADI_THERE ? WADI_BOTH : WADI_HERE;
    return WADI_OK;
}

wadi_status wadi_domain_bring_to_change(wadi_domain *domain, int f) {
    const wadi_status status = wadi_domain_bring(domain, f);
    if (status == WADI_OK) domain->where[f] = WADI_HERE;
    return status;
}

void wadi_domain_let_go(wadi_domain *domain, int f) {
    if (domain->where[f] != WADI_BOTH || wadi_kind(domain, f) == WADI_STATIC) return;
    wadi_block_free(&domain->block, f, domain->block.field[f]);
    domain->block.field[f] = NULL;
    domain->where[f] = WADI_THERE;
}

void wadi_domain_begin_anew(wadi_domain *domain, int f) {
    if (domain->engine->fetch != NULL)
        domain->where[f] = WADI_NOWHERE;
    else
        fill(domain, f, wadi_at_start(domain, f));
}
