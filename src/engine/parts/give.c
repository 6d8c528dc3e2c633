/* give.c: what a part gets from the whole. */
#include "engine/parts/give.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/mirror.h"
#include "core/supply.h"

int wadi_part_row(const wadi_domain *whole, const wadi_domain *domain, int y) {
    const int height = whole->def.height;
    return ((domain->window.y + y) % height + height) % height;
}

int wadi_part_first(const wadi_domain *whole, const wadi_domain *domain) {
    return wadi_part_row(whole, domain, domain->window.own0);
}
int wadi_part_rows(const wadi_domain *domain) { return domain->window.own1 - domain->window.own0; }

/* --- rows --- */

/* NULL where this process does not have the field. */
static float *row_of(const wadi_block *block, float *field, int y) {
    return field != NULL ? wadi_block_row(block, field, y) - 1 : NULL;
}

/* Rows with their halo columns, which lie in memory one after the other. */
static size_t bytes_of(const wadi_domain *whole, int rows) {
    return (size_t)rows * (size_t)whole->block.pitch * sizeof(float);
}

static int owner_of(const wadi_domain *whole, int number) {
    const parts *parts = whole->engine_state;
    return wadi_cuts_owner(&parts->cuts, wadi_processes(parts), number);
}

/* Rows of a field or map of the whole for a part. On a periodic grid they go on at its other end. */
static bool give_rows(wadi_domain *whole, float *from, int number, float *to) {
    const parts *parts = whole->engine_state;
    const wadi_domain *domain = parts->part[number].domain;
    const int all = whole->def.height, owner = owner_of(whole, number);
    int height, rows;
    const wadi_window window = wadi_cuts_window(whole, &parts->cuts, number, &height);
    bool moved = true;
    for (int y = 0; y < height && moved; y += rows) {
        const int first = ((window.y + y) % all + all) % all;
        rows = height - y < all - first ? height - y : all - first;
        moved = wadi_team_move(whole, 0, row_of(&whole->block, from, first), owner,
                               domain != NULL ? row_of(&domain->block, to, y) : NULL, bytes_of(whole, rows));
    }
    return moved;
}

bool wadi_take_field(wadi_domain *whole, int number, int f) {
    const parts *parts = whole->engine_state;
    const wadi_domain *domain = parts->part[number].domain;
    int height;
    const wadi_window window = wadi_cuts_window(whole, &parts->cuts, number, &height);
    return wadi_team_move(whole, owner_of(whole, number),
                          domain != NULL ? row_of(&domain->block, domain->block.field[f], window.own0) : NULL, 0,
                          row_of(&whole->block, whole->block.field[f], window.y + window.own0),
                          bytes_of(whole, window.own1 - window.own0));
}

/* Without memory for it, the rows of another process are still taken off its hands. */
static wadi_status give_to(wadi_domain *whole, float *from, int number, float *to) {
    const wadi_domain *domain = ((const parts *)whole->engine_state)->part[number].domain;
    const bool room = domain == NULL || to != NULL;
    if (!give_rows(whole, from, number, to)) return whole->failure;
    return room ? WADI_OK : wadi_domain_too_large(domain);
}

wadi_status wadi_give_field(wadi_domain *whole, int number, int f) {
    wadi_domain *domain = ((const parts *)whole->engine_state)->part[number].domain;
    if (whole->where[f] == WADI_NOWHERE && domain != NULL) wadi_domain_begin_anew(domain, f);
    if (whole->where[f] != WADI_HERE) return WADI_OK;
    if (domain != NULL && (domain->block.field[f] != NULL || wadi_domain_allocate_field(domain, f)))
        domain->where[f] = WADI_HERE;
    return give_to(whole, whole->block.field[f], number, domain != NULL ? domain->block.field[f] : NULL);
}

wadi_status wadi_give_map(wadi_domain *whole, int number, int map) {
    const parts *parts = whole->engine_state;
    wadi_domain *domain = parts->part[number].domain;
    const int which = WADI_MAX_FIELDS + map;
    float *own = NULL;
    if (domain != NULL) {
        wadi_block_free(&domain->block, which, domain->block.map[map]);
        if (parts->mapped[map]) own = wadi_block_allocate(&domain->block, which, wadi_constant(domain, map));
        domain->block.map[map] = own;
    }
    return parts->mapped[map] ? give_to(whole, whole->block.map[map], number, own) : WADI_OK;
}

/* --- numbers --- */

/* What all processes know of the whole. */
typedef struct numbers {
    wadi_def def;
    unsigned processes;
    int substeps;
    double dt_s;
    uint64_t edits;
    size_t sources;
    bool stale, mapped[WADI_MAX_MAPS];
    wadi_whereabouts where[WADI_MAX_FIELDS];
} numbers;

static void take_numbers(wadi_domain *whole, const numbers *numbers) {
    parts *parts = whole->engine_state;
    const wadi_def own = whole->def;
    whole->def = numbers->def;
    whole->def.model = own.model; /* addresses of this process */
    whole->def.isa = own.isa;
    whole->def.team = own.team;
    whole->def.scratch = own.scratch;
    whole->processes = numbers->processes;
    whole->substeps = numbers->substeps;
    whole->dt_s = numbers->dt_s;
    whole->edits = numbers->edits;
    parts->stale = numbers->stale;
    memcpy(parts->mapped, numbers->mapped, sizeof parts->mapped);
    memcpy(whole->where, numbers->where, sizeof whole->where);
}

static numbers numbers_of(const wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    numbers all = {.def = whole->def,
                   .processes = whole->processes,
                   .substeps = whole->substeps,
                   .dt_s = whole->dt_s,
                   .edits = whole->edits,
                   .sources = whole->supply.source_count,
                   .stale = parts->stale};
    for (int m = 0; m < whole->model->map_count; m++) all.mapped[m] = whole->block.map[m] != NULL;
    memcpy(all.where, whole->where, sizeof all.where);
    return all;
}

/* Without memory a process has no sources, and fails. Their bytes are dropped. */
static bool share_sources(wadi_domain *whole, size_t count) {
    wadi_supply *supply = &whole->supply;
    if (wadi_process(whole->engine_state) > 0) {
        wadi_supply_free_sources(supply);
        supply->sources = count > 0 ? malloc(count * sizeof *supply->sources) : NULL;
        supply->source_cells = count > 0 ? malloc(count * sizeof *supply->source_cells) : NULL;
        supply->source_count = supply->sources != NULL && supply->source_cells != NULL ? count : 0;
    }
    const bool all = wadi_team_share(whole, supply->sources, count * sizeof *supply->sources) &&
                     wadi_team_share(whole, supply->source_cells, count * sizeof *supply->source_cells);
    if (all && supply->source_count < count) wadi_fail(WADI_ERROR_MEMORY, "not enough memory for %zu sources", count);
    return all && supply->source_count == count;
}

bool wadi_share_numbers(wadi_domain *whole) {
    numbers all = numbers_of(whole);
    if (!wadi_team_share(whole, &all, sizeof all) ||
        !wadi_team_share(whole, whole->constants, whole->model->constants_bytes) ||
        !wadi_team_share(whole, whole->near_outside, (size_t)whole->def.height))
        return false;
    take_numbers(whole, &all);
    return share_sources(whole, all.sources);
}

/* The definition of a part: that of the whole, but for the rows, for who computes them, and for what it
 * keeps. */
static wadi_def def_of(const wadi_domain *whole, const wadi_domain *domain) {
    wadi_def def = whole->def;
    def.height = domain->def.height;
    def.engine = domain->def.engine;
    def.device = domain->def.device;
    def.threads = domain->def.threads;
    def.crew = NULL;
    def.parts = 0;
    def.team = NULL;
    def.memory_limit = 0;
    def.keep_good_state = domain->def.keep_good_state;
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

/* The part goes on with the sums of the whole, so that they are added in the same order. */
static void copy_sums(const wadi_domain *whole, const wadi_domain *domain, bool to_part) {
    const size_t bytes = (size_t)wadi_part_rows(domain) * sizeof(double);
    for (int i = 0; i < WADI_SUMS; i++) {
        double *all = whole->sums[i] + wadi_part_first(whole, domain), *own = domain->sums[i] + domain->window.own0;
        memcpy(to_part ? own : all, to_part ? all : own, bytes);
    }
}

void wadi_part_begin(const wadi_domain *whole, wadi_domain *domain, int64_t done) {
    domain->steps = whole->steps;
    domain->substeps_done = whole->substeps_done + done;
    domain->base_step = whole->base_step;
    domain->base_time_s = whole->base_time_s;
    domain->ahead = done;
    domain->cells_idle = 0;
    copy_sums(whole, domain, true);
}

void wadi_part_end(wadi_domain *whole, const wadi_domain *domain) {
    copy_sums(whole, domain, false);
    whole->cells_idle += domain->cells_idle * wadi_part_rows(domain) / domain->def.height;
}

void wadi_part_name(wadi_domain *whole, const char *parts, const char *device) {
    const int length = snprintf(whole->device, sizeof whole->device, "%s: ", parts);
    const size_t room = sizeof whole->device - (size_t)length;
    snprintf(whole->device + length, room, "%.*s", (int)room - 1, device);
}
