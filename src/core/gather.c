/* gather.c: sums of the discharge at a few cells, moved out of the field. Its float sum over a long run has lost the
 * digits of a small discharge after a large one. */
#include "core/gather.h"

#include <stdlib.h>
#include <string.h>

#include "core/checks.h"
#include "core/inside.h"
#include "core/mirror.h"
#include "core/need.h"
#include "core/strict.h"

static wadi_status check_cells(const wadi_sim *sim, const size_t *cells, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (cells[i] >= (size_t)sim->domain->def.width * (size_t)sim->domain->def.height)
            return wadi_fail(WADI_ERROR_ARGUMENT, "cell %zu of %d x %d cells", cells[i], sim->domain->def.width,
                             sim->domain->def.height);
    return WADI_OK;
}

void wadi_sim_gathered_free(wadi_sim *sim) {
    free(sim->gathered);
    sim->gathered = NULL;
    sim->gathered_count = 0;
}

wadi_status wadi_sim_set_gathered_flow(wadi_sim *sim, const size_t *cells, const double *sums, size_t count) {
    WADI_NEED(sim);
    if (count > 0) WADI_NEED(cells);
    if (count > 0) WADI_NEED(sums);
    const wadi_status status = check_cells(sim, cells, count);
    if (status != WADI_OK) return status;
    wadi_gathered *made = count > 0 ? calloc(count, sizeof *made) : NULL;
    if (count > 0 && made == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for %zu cells", count);
    for (size_t i = 0; i < count; i++) made[i] = (wadi_gathered){cells[i], sums[i]};
    wadi_sim_gathered_free(sim);
    sim->gathered = made;
    sim->gathered_count = count;
    return WADI_OK;
}

static float *sum_at(const wadi_sim *sim, int field, size_t cell) {
    const wadi_domain *domain = sim->domain;
    const size_t width = (size_t)domain->def.width;
    return wadi_block_row(&domain->block, domain->block.field[field], (int)(cell / width)) + cell % width;
}

wadi_status wadi_sim_gather_flow(wadi_sim *sim, const size_t *cells, double *sums, size_t count) {
    WADI_IEEE_MODE;
    WADI_NEED(sim);
    if (count > 0) WADI_NEED(cells);
    if (count > 0) WADI_NEED(sums);
    const int field = wadi_field_of(sim->domain->model, WADI_FIELD_DISCHARGE);
    if (field < 0 || !wadi_sim_has(sim, "flow"))
        return wadi_fail(WADI_ERROR_ARGUMENT, "%s has no field 'flow'", sim->domain->model->id);
    wadi_status status = check_cells(sim, cells, count);
    if (status == WADI_OK) status = wadi_domain_bring_to_change(sim->domain, field);
    if (status != WADI_OK) return status;
    sim->domain->edits++;
    for (size_t i = 0; i < count; i++) sums[i] += (double)*sum_at(sim, field, cells[i]);
    for (size_t i = 0; i < count; i++) *sum_at(sim, field, cells[i]) = 0; /* two may be the same cell */
    wadi_domain_close_rows(sim->domain, field);
    return wadi_sim_set_gathered_flow(sim, cells, sums, count);
}

void wadi_sim_add_gathered(const wadi_sim *sim, int y, const float *sum, float *values) {
    const size_t width = (size_t)sim->domain->def.width;
    for (size_t i = 0; i < sim->gathered_count; i++) {
        const size_t cell = sim->gathered[i].cell, x = cell % width;
        if (cell / width == (size_t)y && sim->flow_samples > 0)
            values[x] = (float)((sim->gathered[i].sum + (double)sum[x]) / (double)sim->flow_samples);
    }
}
