/* give.c: what a part gets from the whole. */
#include "engine/parts/give.h"

#include <string.h>

#include "core/allocate.h"
#include "core/mirror.h"

int wadi_part_row(const wadi_domain *whole, const wadi_domain *domain, int y) {
    const int height = whole->def.height;
    return ((domain->window.y + y) % height + height) % height;
}

int wadi_part_first(const wadi_domain *whole, const wadi_domain *domain) {
    return wadi_part_row(whole, domain, domain->window.own0);
}
int wadi_part_rows(const wadi_domain *domain) { return domain->window.own1 - domain->window.own0; }

static size_t row_bytes(const wadi_domain *domain) { return (size_t)(domain->def.width + 2) * sizeof(float); }

/* Copies a field or map of the whole to the part, with the halo columns. */
static void give_rows(const wadi_domain *whole, float *from, const wadi_domain *domain, float *to) {
    for (int y = 0; y < domain->def.height; y++)
        memcpy(wadi_block_row(&domain->block, to, y) - 1,
               wadi_block_row(&whole->block, from, wadi_part_row(whole, domain, y)) - 1, row_bytes(whole));
}

wadi_status wadi_give_field(const wadi_domain *whole, wadi_domain *domain, int f) {
    if (whole->where[f] == WADI_NOWHERE) wadi_domain_begin_anew(domain, f);
    if (whole->where[f] != WADI_HERE) return WADI_OK;
    if (domain->block.field[f] == NULL && !wadi_domain_allocate_field(domain, f)) return wadi_domain_too_large(domain);
    give_rows(whole, whole->block.field[f], domain, domain->block.field[f]);
    domain->where[f] = WADI_HERE;
    return WADI_OK;
}

wadi_status wadi_give_map(const wadi_domain *whole, wadi_domain *domain, int map) {
    float **own = &domain->block.map[map];
    const int which = WADI_MAX_FIELDS + map;
    wadi_block_free(&domain->block, which, *own);
    *own = NULL;
    if (whole->block.map[map] == NULL) return WADI_OK;
    *own = wadi_block_allocate(&domain->block, which, wadi_constant(domain, map));
    if (*own == NULL) return wadi_domain_too_large(domain);
    give_rows(whole, whole->block.map[map], domain, *own);
    return WADI_OK;
}

/* The definition of a part: that of the whole, but for the rows and for who computes them. */
static wadi_def def_of(const wadi_domain *whole, const wadi_domain *domain) {
    wadi_def def = whole->def;
    def.height = domain->def.height;
    def.engine = domain->def.engine;
    def.device = domain->def.device;
    def.threads = domain->def.threads;
    def.parts = 0;
    return def;
}

void wadi_give_numbers(const wadi_domain *whole, wadi_domain *domain) {
    domain->def = def_of(whole, domain);
    memcpy(domain->constants, whole->constants, whole->model->constants_bytes);
    domain->processes = whole->processes;
    domain->substeps = whole->substeps;
    domain->dt_s = whole->dt_s;
    domain->supply.sources = whole->supply.sources;
    domain->supply.source_cells = whole->supply.source_cells;
    domain->supply.source_count = whole->supply.source_count;
    for (int y = 0; y < domain->def.height; y++)
        domain->near_outside[y] = whole->near_outside[wadi_part_row(whole, domain, y)];
}
