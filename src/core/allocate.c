/* allocate.c: memory for fields. */
#include "core/allocate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/inside.h"
#include "platform/platform.h"

bool wadi_field_used(const wadi_def *def, int field) {
    const unsigned processes = def->model->processes(def->values);
    if (wadi_kind_in(def->model, processes, field) != WADI_SCRATCH) return true;
    for (int s = 0; s < def->model->stage_count; s++) {
        const wadi_stage *stage = &def->model->stages[s];
        if ((stage->needs & ~processes) != 0) continue;
        for (int w = 0; w < stage->writes; w++)
            if (stage->write[w] == field) return true;
    }
    return false;
}

float wadi_at_start(const wadi_domain *domain, int field) {
    return field == wadi_field_of(domain->model, WADI_FIELD_HARDNESS)
               ? (float)domain->def.values[wadi_parameter_of(domain->model, WADI_PARAMETER_HARDNESS)]
               : 0.0f;
}

wadi_status wadi_domain_too_large(const wadi_domain *domain) {
    if (domain->block.folder != NULL)
        return wadi_fail(WADI_ERROR_IO, "%s: no room for the scratch files of %d x %d cells of %s: %s",
                         domain->block.folder, domain->def.width, domain->def.height, domain->model->id,
                         strerror(errno));
    return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for %d x %d cells of %s: %.1f GB are needed",
                     domain->def.width, domain->def.height, domain->model->id,
                     (double)wadi_def_memory(&domain->def) * 1e-9);
}

wadi_status wadi_domain_no_map(const wadi_domain *domain) {
    if (domain->block.folder != NULL) return wadi_domain_too_large(domain);
    return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for one more map of %d x %d cells", domain->def.width,
                     domain->def.height);
}

void *wadi_domain_reserve(const wadi_domain *domain, size_t bytes) {
    return domain->block.folder != NULL ? platform_scratch(domain->block.folder, bytes) : calloc(1, bytes);
}

void wadi_domain_release(void *reserved) {
    if (!platform_scratch_free(reserved)) free(reserved);
}

bool wadi_domain_allocate_field(wadi_domain *domain, int f) {
    domain->block.field[f] = wadi_block_allocate(&domain->block, f, wadi_at_start(domain, f));
    if (domain->block.field[f] == NULL) return false;
    wadi_block_surround(&domain->block, domain->block.field[f], domain->model->fields[f].outside);
    return true;
}

static bool is_missing(const wadi_domain *domain, int f) {
    return domain->block.field[f] == NULL && wadi_field_used(&domain->def, f);
}

wadi_status wadi_domain_allocate_scratch(wadi_domain *domain) {
    uint64_t bytes = 0;
    for (int f = 0; f < domain->model->field_count; f++)
        if (is_missing(domain, f)) bytes += wadi_block_field_bytes(domain->def.width, domain->def.height);
    if (bytes > 0 && bytes > platform_memory_bytes()) return wadi_domain_too_large(domain);
    for (int f = 0; f < domain->model->field_count; f++)
        if (is_missing(domain, f) && !wadi_domain_allocate_field(domain, f)) return wadi_domain_too_large(domain);
    return WADI_OK;
}
