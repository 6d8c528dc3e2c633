/* parts.c: the engine that cuts the grid into parts (exchange.h) and runs other engines on them. Between calls every
 * row of every part is right. */
#include "engine/parts/exchange.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/mirror.h"
#include "core/supply.h"
#include "engine/parts/give.h"
#include "platform/platform.h"

/* --- what the core changed goes to the parts --- */

static wadi_status give_all(const wadi_domain *whole, wadi_domain *domain) {
    const parts *parts = whole->engine_state;
    wadi_status status = WADI_OK;
    wadi_give_numbers(whole, domain);
    for (int m = 0; m < whole->model->map_count && parts->stale && status == WADI_OK; m++)
        status = wadi_give_map(whole, domain, m);
    for (int f = 0; f < whole->model->field_count && status == WADI_OK; f++)
        if (whole->model->fields[f].kind != WADI_SCRATCH) status = wadi_give_field(whole, domain, f);
    if (status == WADI_OK && parts->stale) status = domain->engine->plan(domain);
    if (status == WADI_OK) status = wadi_supply_reserve_now(domain);
    domain->edits = whole->edits;
    return status;
}

static wadi_status make_ready(wadi_domain *whole) {
    parts *parts = whole->engine_state;
    wadi_status status = WADI_OK;
    if (whole->failure != WADI_OK) return whole->failure;
    for (int i = 0; i < parts->cuts.count && status == WADI_OK; i++) status = give_all(whole, parts->part[i].domain);
    if (status != WADI_OK) return status;
    parts->stale = false;
    for (int f = 0; f < whole->model->field_count; f++) {
        if (whole->model->fields[f].kind == WADI_SCRATCH) continue;
        if (whole->where[f] == WADI_HERE) whole->where[f] = WADI_BOTH;
        if (whole->where[f] == WADI_NOWHERE) whole->where[f] = WADI_THERE;
        wadi_domain_let_go(whole, f);
    }
    return WADI_OK;
}

static wadi_status plan(wadi_domain *whole) {
    ((parts *)whole->engine_state)->stale = true;
    return WADI_OK;
}

static wadi_status prepare(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    wadi_status status = make_ready(whole);
    for (int i = 0; i < parts->cuts.count && status == WADI_OK; i++) {
        wadi_domain *domain = parts->part[i].domain;
        if (domain->engine->prepare != NULL) status = domain->engine->prepare(domain);
        if (domain->failure != WADI_OK) whole->failure = domain->failure;
    }
    wadi_parts_note_dropped_copies(whole);
    return status;
}

/* --- what the core reads --- */

static wadi_status fetch(wadi_domain *whole, int f) {
    const parts *parts = whole->engine_state;
    for (int i = 0; i < parts->cuts.count; i++) {
        wadi_domain *domain = parts->part[i].domain;
        const wadi_status status = wadi_domain_bring(domain, f);
        if (status != WADI_OK) {
            whole->failure = domain->failure;
            return status;
        }
        memcpy(wadi_block_row(&whole->block, whole->block.field[f], wadi_part_first(whole, domain)) - 1,
               wadi_block_row(&domain->block, domain->block.field[f], domain->window.own0) - 1,
               (size_t)wadi_part_rows(domain) * (size_t)whole->block.pitch * sizeof(float));
        wadi_domain_let_go(domain, f);
    }
    return WADI_OK;
}

static wadi_status once(wadi_domain *whole, const wadi_stage *stage) {
    const parts *parts = whole->engine_state;
    wadi_status status = make_ready(whole);
    for (int i = 0; i < parts->cuts.count && status == WADI_OK; i++) {
        status = wadi_domain_once(parts->part[i].domain, stage);
        whole->failure = parts->part[i].domain->failure;
    }
    wadi_parts_note_dropped_copies(whole);
    for (int w = 0; w < stage->writes && status == WADI_OK; w++) whole->where[stage->write[w]] = WADI_THERE;
    return status;
}

static bool is_there(const wadi_domain *whole, int f) {
    return whole->where[f] == WADI_THERE || whole->where[f] == WADI_BOTH;
}

/* Sums of own rows, where the engines of all parts make such. */
static bool sum_rows(wadi_domain *whole, const wadi_summed *summed, int count, double *sums) {
    const parts *parts = whole->engine_state;
    double *own = malloc((size_t)count * (size_t)whole->def.height * sizeof *own * 2);
    bool all = own != NULL && !parts->stale && is_there(whole, wadi_field_of(whole->model, WADI_FIELD_TERRAIN));
    for (int k = 0; k < count; k++) all = all && is_there(whole, summed[k].field);
    for (int i = 0; i < parts->cuts.count && all; i++) {
        wadi_domain *domain = parts->part[i].domain;
        all = domain->engine->sum_rows != NULL && domain->engine->sum_rows(domain, summed, count, own);
        for (int k = 0; k < count && all; k++)
            memcpy(sums + (size_t)k * (size_t)whole->def.height + wadi_part_first(whole, domain),
                   own + (size_t)k * (size_t)domain->def.height + domain->window.own0,
                   (size_t)wadi_part_rows(domain) * sizeof *sums);
    }
    free(own);
    return all;
}

/* --- the last good state --- */

static bool keep(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    bool all = true;
    for (int i = 0; i < parts->cuts.count && all; i++) {
        wadi_domain *domain = parts->part[i].domain;
        domain->good_kept = true;
        all = domain->good_kept = wadi_domain_keep(domain);
    }
    return wadi_parts_good(whole) && all;
}

static void go_back(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    for (int i = 0; i < parts->cuts.count; i++) wadi_domain_go_back(parts->part[i].domain);
    for (int f = 0; f < whole->model->field_count; f++)
        if (wadi_is_state(whole, f)) whole->where[f] = WADI_THERE;
    wadi_parts_good(whole);
}

/* --- opening and closing --- */

static wadi_def first_def(const wadi_domain *whole, const parts *parts, int i, int height) {
    wadi_def def = whole->def;
    def.height = height;
    if (def.part[i].given) def.engine = def.part[i].engine, def.device = def.part[i].device;
    def.threads = whole->threads / parts->cuts.count > 1 ? whole->threads / parts->cuts.count : 1;
    def.parts = 0;
    return def;
}

static size_t buffer_floats(const parts *parts, const wadi_domain *domain) {
    return wadi_domain_state_floats(domain, parts->cuts.margin);
}

static bool make_buffers(const parts *parts, part *part) {
    const size_t floats = buffer_floats(parts, part->domain);
    if (floats == 0) return true;
    part->top = platform_pages(2 * floats * sizeof *part->top);
    if (part->top == NULL) return false;
    part->bottom = part->top + floats;
    return true;
}

static wadi_status open_part(const wadi_domain *whole, parts *parts, int i) {
    int height;
    const wadi_window window = wadi_cuts_window(whole, &parts->cuts, i, &height);
    const wadi_def def = first_def(whole, parts, i, height);
    part *part = &parts->part[i];
    part->domain = wadi_domain_make(&def, window);
    if (part->domain == NULL) return wadi_domain_too_large(whole);
    if (!make_buffers(parts, part)) return wadi_domain_too_large(whole);
    const wadi_status status = wadi_domain_allocate(part->domain);
    if (status != WADI_OK) return status;
    wadi_give_numbers(whole, part->domain);
    return part->domain->engine->open(part->domain);
}

static void close_parts(wadi_domain *whole) {
    parts *parts = whole->engine_state;
    for (int i = 0; i < parts->cuts.count; i++) {
        part *part = &parts->part[i];
        if (part->top != NULL)
            platform_pages_free(part->top, 2 * buffer_floats(parts, part->domain) * sizeof *part->top);
        wadi_domain_free(part->domain);
    }
    free(parts);
    whole->engine_state = NULL;
}

/* "2 parts: ...", by the first one. */
static void name_device(wadi_domain *whole, const parts *parts) {
    const int length = snprintf(whole->device, sizeof whole->device, "%d parts: ", parts->cuts.count);
    const size_t room = sizeof whole->device - (size_t)length;
    snprintf(whole->device + length, room, "%.*s", (int)room - 1, parts->part[0].domain->device);
}

static wadi_status open_parts(wadi_domain *whole) {
    parts *parts = calloc(1, sizeof *parts);
    whole->engine_state = parts;
    if (parts == NULL) return wadi_domain_too_large(whole);
    parts->stale = true;
    if (!wadi_cuts_make(whole, whole->def.parts, &parts->cuts)) return wadi_domain_too_large(whole);
    wadi_status status = WADI_OK;
    for (int i = 0; i < parts->cuts.count && status == WADI_OK; i++) status = open_part(whole, parts, i);
    if (status != WADI_OK) return status;
    whole->def.parts = parts->cuts.count;
    whole->substeps_per_pass = parts->part[0].domain->substeps_per_pass;
    name_device(whole, parts);
    return WADI_OK;
}

const wadi_engine_calls wadi_engine_parts = {.name = "parts",
                                             .open = open_parts,
                                             .close = close_parts,
                                             .plan = plan,
                                             .advance = wadi_parts_advance,
                                             .once = once,
                                             .fetch = fetch,
                                             .sum_rows = sum_rows,
                                             .prepare = prepare,
                                             .keep = keep,
                                             .go_back = go_back};
