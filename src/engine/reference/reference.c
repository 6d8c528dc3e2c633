/* reference.c: the plain engine, the oracle of all others: cell by cell, each stage from the old state to a new one. */
#include "engine/reference/reference.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/domain.h"
#include "core/engine.h"
#include "core/supply.h"
#include "platform/platform.h"

typedef struct state {
    float *next[WADI_MAX_FIELDS]; /* width * height each */
    float *rain_row, *shower_row;
} state;

static size_t cells(const wadi_domain *domain) { return (size_t)domain->def.width * (size_t)domain->def.height; }

/* How the stage declares its reads of this field or map; NULL if it has none. */
static void find_reaches(const wadi_read **reach, size_t most, const wadi_read *reads, int count) {
    memset(reach, 0, most);
    for (int i = 0; i < count; i++) reach[reads[i].field] = &reads[i];
}

/* Resolves (x, y): itself, or on a periodic grid the cell on the other side. false: outside. */
static inline bool resolve(const wadi_domain *domain, int *x, int *y) {
    const int width = domain->def.width, height = domain->def.height;
    if (*x >= 0 && *x < width && *y >= 0 && *y < height) return true;
    *x = (*x + width) % width;
    *y = (*y + height) % height;
    return domain->def.boundary == WADI_WRAP;
}

float wadi_reference_read(const wadi_reference *at, int field, int dx, int dy) {
    assert(wadi_read_reaches(at->reach[field], dx, dy));
    int x = at->x + dx, y = at->y + dy;
    if (!resolve(at->domain, &x, &y)) return at->domain->model->fields[field].outside;
    return wadi_block_row(&at->domain->block, at->domain->block.field[field], y)[x];
}

float wadi_reference_map(const wadi_reference *at, int map, float uniform, int dx, int dy) {
    assert(wadi_read_reaches(at->map_reach[map], dx, dy));
    const wadi_model *model = at->domain->model;
    if (at->rain_row != NULL && map == wadi_map_of(model, WADI_MAP_RAIN)) return at->rain_row[at->x];
    if (at->shower_row != NULL && map == wadi_map_of(model, WADI_MAP_SHOWERS)) return at->shower_row[at->x];
    int x = at->x + dx, y = at->y + dy;
    const float *given = at->domain->block.map[map];
    if (given == NULL || !resolve(at->domain, &x, &y)) return uniform;
    return given[y * at->domain->block.pitch + x];
}

void wadi_reference_write(const wadi_reference *at, int field, float value) {
    assert(at->next[field] != NULL);
    at->next[field][(size_t)at->y * (size_t)at->domain->def.width + (size_t)at->x] = value;
}

void wadi_reference_sum(const wadi_reference *at, wadi_sum sum, float value) {
    at->sums[sum][at->x % WADI_LANES] += (double)value;
}

static void run_row(wadi_domain *domain, wadi_reference *at, state *own) {
    double lanes[WADI_SUMS][WADI_LANES] = {{0}};
    at->sums = lanes;
    const wadi_discs *discs = domain->supply.discs;
    const bool wet = at->stage->maps > 0;
    at->rain_row = wet && wadi_supply_row(domain, discs, at->y, own->rain_row) ? own->rain_row : NULL;
    at->shower_row = wet && wadi_supply_showers(domain, discs, at->y, own->shower_row) ? own->shower_row : NULL;
    for (at->x = 0; at->x < domain->def.width; at->x++) at->stage->cell(at);
    for (int i = 0; i < at->stage->sums; i++)
        domain->sums[at->stage->sum[i]][at->y] += wadi_lanes_total(lanes[at->stage->sum[i]]);
}

static void run_stage(wadi_domain *domain, const wadi_stage *stage) {
    state *own = domain->engine_state;
    wadi_reference at = {.domain = domain, .stage = stage, .constants = domain->constants, .next = own->next};
    find_reaches(at.reach, sizeof at.reach, stage->read, stage->reads);
    find_reaches(at.map_reach, sizeof at.map_reach, stage->map, stage->maps);
    for (at.y = 0; at.y < domain->def.height; at.y++) run_row(domain, &at, own);
    for (int w = 0; w < stage->writes; w++) {
        float *field = domain->block.field[stage->write[w]];
        for (int y = 0; y < domain->def.height; y++) {
            memcpy(wadi_block_row(&domain->block, field, y),
                   own->next[stage->write[w]] + (size_t)y * (size_t)domain->def.width,
                   (size_t)domain->def.width * sizeof(float));
            if (domain->def.boundary == WADI_WRAP)
                wadi_block_close_row(&domain->block, wadi_block_row(&domain->block, field, y));
        }
    }
}

static wadi_status once(wadi_domain *domain, const wadi_stage *stage) {
    const unsigned mode = platform_float_mode_strict();
    run_stage(domain, stage);
    platform_float_mode_restore(mode);
    return WADI_OK;
}

/* This engine does not test for values that are not finite. False makes the core test them. */
static bool advance(wadi_domain *domain, int64_t substeps) {
    const unsigned mode = platform_float_mode_strict();
    for (int64_t i = 0; i < substeps; i++) {
        wadi_supply_begin(domain, i, domain->supply.discs);
        for (int s = 0; s < domain->model->stage_count; s++)
            if (wadi_stage_due(domain, &domain->model->stages[s], domain->substeps_done + i))
                run_stage(domain, &domain->model->stages[s]);
    }
    platform_float_mode_restore(mode);
    return false;
}

static void close_reference(wadi_domain *domain) {
    state *own = domain->engine_state;
    for (int f = 0; f < WADI_MAX_FIELDS; f++) free(own->next[f]);
    free(own->rain_row);
    free(own->shower_row);
    free(own);
    domain->engine_state = NULL;
}

/* Room for the fields that the processes now on need. */
static wadi_status plan(wadi_domain *domain) {
    state *own = domain->engine_state;
    const wadi_status status = wadi_domain_allocate_scratch(domain);
    bool all = true;
    for (int f = 0; status == WADI_OK && f < domain->model->field_count; f++) {
        if (domain->block.field[f] == NULL || own->next[f] != NULL) continue;
        own->next[f] = calloc(cells(domain), sizeof(float));
        all = all && own->next[f] != NULL;
    }
    return all ? status : wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the reference engine");
}

static wadi_status open_reference(wadi_domain *domain) {
    state *own = calloc(1, sizeof *own);
    if (own == NULL) return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the reference engine");
    domain->engine_state = own;
    domain->threads = domain->members = domain->substeps_per_pass = 1;
    own->rain_row = malloc((size_t)domain->def.width * sizeof(float));
    own->shower_row = malloc((size_t)domain->def.width * sizeof(float));
    if (own->rain_row == NULL || own->shower_row == NULL)
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for the reference engine");
    snprintf(domain->device, sizeof domain->device, "reference");
    const wadi_status status = wadi_supply_reserve_now(domain);
    return status == WADI_OK ? plan(domain) : status;
}

const wadi_engine_calls wadi_engine_reference = {.name = "reference",
                                                 .open = open_reference,
                                                 .close = close_reference,
                                                 .plan = plan,
                                                 .advance = advance,
                                                 .once = once,
                                                 .pack = wadi_domain_pack,
                                                 .unpack = wadi_domain_unpack};
