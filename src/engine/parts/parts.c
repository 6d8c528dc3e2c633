/* parts.c: the engine that cuts the grid into parts. A part is an ordinary domain of some rows of the grid: its own,
 * and a margin of its neighbours' rows on each side. Its own engine advances it as if it were a whole grid. So the rows
 * at the rim of a margin become wrong, and one sub-step after the other the wrong rows spread. The margin is as high as
 * they can spread in some sub-steps. Then the parts exchange rows, and every row is right again. Between calls every
 * row is right. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/domain.h"
#include "core/engine.h"
#include "core/mirror.h"
#include "core/supply.h"
#include "engine/schedule/schedule.h"
#include "platform/openmp.h"
#include "platform/platform.h"

typedef struct part {
    wadi_domain *domain;
    float *top, *bottom; /* its first and last own rows, as many as a margin has, for its neighbours; one allocation */
    bool finite;
    char failure[256];
} part;

typedef struct parts {
    int count;
    int margin;   /* rows */
    int good_for; /* sub-steps that the margin lasts */
    bool stale;   /* constants or maps have changed */
    part part[WADI_MOST_PARTS];
} parts;

/* --- one part after the other, or all side by side --- */

/* Keeps what failed in another thread. */
static void note_failure(part *part) { snprintf(part->failure, sizeof part->failure, "%s", wadi_error_message()); }

/* The failure of a part is the failure of the whole. */
static bool all_good(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    for (int i = 0; i < parts->count && whole->failure == WADI_OK; i++)
        if (parts->part[i].domain->failure != WADI_OK)
            whole->failure = wadi_fail(parts->part[i].domain->failure, "%s", parts->part[i].failure);
    return whole->failure == WADI_OK;
}

typedef void part_work(wadi_domain *whole, part *part, int number, int substeps);

/* Does the work for all parts. */
static bool side_by_side(wadi_domain *whole, part_work *work, int substeps) {
    parts *parts = whole->engine_state;
    const int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(levels + 1); /* engines have threads of their own */
#pragma omp parallel for schedule(static, 1) num_threads(parts->count)
    for (int i = 0; i < parts->count; i++) {
        if (parts->part[i].domain->failure != WADI_OK) continue;
        work(whole, &parts->part[i], i, substeps);
        if (parts->part[i].domain->failure != WADI_OK) note_failure(&parts->part[i]);
    }
    omp_set_max_active_levels(levels);
    return all_good(whole);
}

/* --- rows of the whole and of a part --- */

static int grid_row(const wadi_domain *whole, const wadi_domain *domain, int y) {
    const int height = whole->def.height;
    return ((domain->window.y + y) % height + height) % height;
}

static size_t row_bytes(const wadi_domain *domain) { return (size_t)(domain->def.width + 2) * sizeof(float); }

/* Copies a field or map of the whole to the part, with the halo columns. */
static void give_rows(const wadi_domain *whole, float *from, const wadi_domain *domain, float *to) {
    for (int y = 0; y < domain->def.height; y++)
        memcpy(wadi_block_row(&domain->block, to, y) - 1,
               wadi_block_row(&whole->block, from, grid_row(whole, domain, y)) - 1, row_bytes(whole));
}

/* --- what the core changed goes to the parts --- */

static wadi_status give_field(const wadi_domain *whole, wadi_domain *domain, int f) {
    if (whole->where[f] == WADI_NOWHERE) wadi_domain_begin_anew(domain, f);
    if (whole->where[f] != WADI_HERE) return WADI_OK;
    if (domain->block.field[f] == NULL && !wadi_domain_allocate_field(domain, f)) return wadi_domain_too_large(domain);
    give_rows(whole, whole->block.field[f], domain, domain->block.field[f]);
    domain->where[f] = WADI_HERE;
    return WADI_OK;
}

static wadi_status give_map(const wadi_domain *whole, wadi_domain *domain, int map) {
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

static void give_numbers(const wadi_domain *whole, wadi_domain *domain) {
    domain->def = def_of(whole, domain);
    memcpy(domain->constants, whole->constants, whole->model->constants_bytes);
    domain->processes = whole->processes;
    domain->substeps = whole->substeps;
    domain->dt_s = whole->dt_s;
    domain->supply.sources = whole->supply.sources;
    domain->supply.source_cells = whole->supply.source_cells;
    domain->supply.source_count = whole->supply.source_count;
    for (int y = 0; y < domain->def.height; y++)
        domain->near_outside[y] = whole->near_outside[grid_row(whole, domain, y)];
}

static wadi_status give_all(const wadi_domain *whole, wadi_domain *domain) {
    const parts *parts = whole->engine_state;
    wadi_status status = WADI_OK;
    give_numbers(whole, domain);
    for (int m = 0; m < whole->model->map_count && parts->stale && status == WADI_OK; m++)
        status = give_map(whole, domain, m);
    for (int f = 0; f < whole->model->field_count && status == WADI_OK; f++)
        if (whole->model->fields[f].kind != WADI_SCRATCH) status = give_field(whole, domain, f);
    if (status == WADI_OK && parts->stale) status = domain->engine->plan(domain);
    if (status == WADI_OK) status = wadi_supply_reserve_now(domain);
    domain->edits = whole->edits;
    return status;
}

static wadi_status make_ready(wadi_domain *whole) {
    parts *parts = whole->engine_state;
    wadi_status status = WADI_OK;
    if (whole->failure != WADI_OK) return whole->failure;
    for (int i = 0; i < parts->count && status == WADI_OK; i++) status = give_all(whole, parts->part[i].domain);
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

/* Without its copy a part cannot go back. So there is none of the whole. */
static void note_dropped_copies(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    for (int i = 0; i < parts->count; i++)
        if (!parts->part[i].domain->good_kept) whole->good_kept = false;
}

static wadi_status prepare(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    wadi_status status = make_ready(whole);
    for (int i = 0; i < parts->count && status == WADI_OK; i++) {
        wadi_domain *domain = parts->part[i].domain;
        if (domain->engine->prepare != NULL) status = domain->engine->prepare(domain);
        if (domain->failure != WADI_OK) whole->failure = domain->failure;
    }
    note_dropped_copies(whole);
    return status;
}

/* --- steps --- */

/* Where the own rows of the part begin in the whole. */
static int own_first(const wadi_domain *whole, const wadi_domain *domain) {
    return grid_row(whole, domain, domain->window.own0);
}
static int own_rows(const wadi_domain *domain) { return domain->window.own1 - domain->window.own0; }

/* The part goes on with the sums of the whole, so that they are added in the same order. */
static void copy_sums(wadi_domain *whole, wadi_domain *domain, bool to_part) {
    const size_t bytes = (size_t)own_rows(domain) * sizeof(double);
    for (int i = 0; i < WADI_SUMS; i++) {
        double *all = whole->sums[i] + own_first(whole, domain), *own = domain->sums[i] + domain->window.own0;
        memcpy(to_part ? own : all, to_part ? all : own, bytes);
    }
}

static void begin(wadi_domain *whole, part *part, int number, int substeps) {
    wadi_domain *domain = part->domain;
    (void)number, (void)substeps;
    domain->steps = whole->steps;
    domain->substeps_done = whole->substeps_done;
    domain->base_step = whole->base_step;
    domain->base_time_s = whole->base_time_s;
    domain->ahead = 0;
    domain->edits = whole->edits;
    domain->cells_idle = 0;
    part->finite = true;
    copy_sums(whole, domain, true);
}

static void go(wadi_domain *whole, part *part, int number, int substeps) {
    wadi_domain *domain = part->domain;
    const int margin = ((const parts *)whole->engine_state)->margin;
    (void)number;
    if (!domain->engine->advance(domain, substeps)) part->finite = false;
    domain->substeps_done += substeps;
    domain->ahead += substeps;
    if (part->top == NULL || domain->failure != WADI_OK) return;
    if (domain->engine->pack(domain, domain->window.own0, margin, part->top))
        domain->engine->pack(domain, domain->window.own1 - margin, margin, part->bottom);
}

static void take_margins(wadi_domain *whole, part *part, int number, int substeps) {
    const parts *parts = whole->engine_state;
    wadi_domain *domain = part->domain;
    const int above = domain->window.own0, below = domain->def.height - domain->window.own1;
    const struct part *before = &parts->part[(number + parts->count - 1) % parts->count];
    const struct part *after = &parts->part[(number + 1) % parts->count];
    (void)substeps;
    if (above > 0 && !domain->engine->unpack(domain, 0, above, before->bottom)) return;
    if (below > 0) domain->engine->unpack(domain, domain->window.own1, below, after->top);
}

static void end(wadi_domain *whole, const part *part) {
    wadi_domain *domain = part->domain;
    copy_sums(whole, domain, false);
    whole->cells_idle += domain->cells_idle * own_rows(domain) / domain->def.height;
    domain->ahead = 0;
}

static bool advance(wadi_domain *whole, int64_t substeps) {
    const parts *parts = whole->engine_state;
    bool good = side_by_side(whole, begin, 0), finite = true;
    for (int64_t done = 0; good && done < substeps; done += parts->good_for) {
        const int now = substeps - done < parts->good_for ? (int)(substeps - done) : parts->good_for;
        good = side_by_side(whole, go, now) && side_by_side(whole, take_margins, 0);
    }
    for (int i = 0; i < parts->count; i++) {
        end(whole, &parts->part[i]);
        finite = finite && parts->part[i].finite;
    }
    note_dropped_copies(whole);
    for (int f = 0; f < whole->model->field_count; f++)
        if (wadi_is_state(whole, f)) whole->where[f] = WADI_THERE;
    return good && finite;
}

/* --- what the core reads --- */

static wadi_status fetch(wadi_domain *whole, int f) {
    const parts *parts = whole->engine_state;
    for (int i = 0; i < parts->count; i++) {
        wadi_domain *domain = parts->part[i].domain;
        const wadi_status status = wadi_domain_bring(domain, f);
        if (status != WADI_OK) {
            whole->failure = domain->failure;
            return status;
        }
        memcpy(wadi_block_row(&whole->block, whole->block.field[f], own_first(whole, domain)) - 1,
               wadi_block_row(&domain->block, domain->block.field[f], domain->window.own0) - 1,
               (size_t)own_rows(domain) * (size_t)whole->block.pitch * sizeof(float));
        wadi_domain_let_go(domain, f);
    }
    return WADI_OK;
}

static wadi_status once(wadi_domain *whole, const wadi_stage *stage) {
    const parts *parts = whole->engine_state;
    wadi_status status = make_ready(whole);
    for (int i = 0; i < parts->count && status == WADI_OK; i++) {
        status = wadi_domain_once(parts->part[i].domain, stage);
        whole->failure = parts->part[i].domain->failure;
    }
    note_dropped_copies(whole);
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
    for (int i = 0; i < parts->count && all; i++) {
        wadi_domain *domain = parts->part[i].domain;
        all = domain->engine->sum_rows != NULL && domain->engine->sum_rows(domain, summed, count, own);
        for (int k = 0; k < count && all; k++)
            memcpy(sums + (size_t)k * (size_t)whole->def.height + own_first(whole, domain),
                   own + (size_t)k * (size_t)domain->def.height + domain->window.own0,
                   (size_t)own_rows(domain) * sizeof *sums);
    }
    free(own);
    return all;
}

/* --- the last good state --- */

static bool keep(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    bool all = true;
    for (int i = 0; i < parts->count && all; i++) {
        wadi_domain *domain = parts->part[i].domain;
        domain->good_kept = true;
        all = domain->good_kept = wadi_domain_keep(domain);
    }
    return all_good(whole) && all;
}

static void go_back(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    for (int i = 0; i < parts->count; i++) wadi_domain_go_back(parts->part[i].domain);
    for (int f = 0; f < whole->model->field_count; f++)
        if (wadi_is_state(whole, f)) whole->where[f] = WADI_THERE;
    all_good(whole);
}

/* --- cutting the grid --- */

/* Row of the whole at which the i-th part begins. Parts at a border have no margin there, and more rows of their own,
 * so that all parts take the same time. */
static int cut(const wadi_def *def, int count, int margin, int i) {
    const int spare = def->boundary == WADI_WRAP ? 0 : margin;
    if (i == 0 || i == count) return i == 0 ? 0 : def->height;
    return spare + (int)((int64_t)(def->height - 2 * spare) * i / count);
}

/* Whether each part has at least as many rows as its neighbours need. */
static bool fits(const wadi_def *def, int count, int margin) {
    const int spare = def->boundary == WADI_WRAP ? 0 : margin;
    return (def->height - 2 * spare) / count >= (margin > 2 ? margin : 2);
}

/* Chooses the sub-steps between exchanges: the requested number, or up to eight while the margins of a part are a
 * sixteenth of its rows. Lowers the number of parts where they do not fit. The margin lasts whatever processes are
 * switched on later. */
static bool find_margin(const wadi_domain *whole, parts *parts) {
    wadi_domain all = *whole;
    wadi_schedule schedule;
    const int asked = whole->def.substeps_per_exchange;
    all.processes = ~0u;
    parts->good_for = asked > 0 ? asked : 8;
    if (!wadi_schedule_make(&schedule, &all, parts->good_for, true)) return false;
    while (parts->good_for > 1 &&
           (!fits(&whole->def, parts->count, schedule.halo[parts->good_for]) ||
            (asked == 0 && 32 * schedule.halo[parts->good_for] * parts->count > whole->def.height)))
        parts->good_for--;
    parts->margin = schedule.halo[parts->good_for];
    while (parts->count > 1 && !fits(&whole->def, parts->count, parts->margin)) parts->count--;
    if (parts->count == 1) parts->margin = 0;
    wadi_schedule_free(&schedule);
    return true;
}

static wadi_window window_of(const wadi_domain *whole, const parts *parts, int i) {
    const wadi_def *def = &whole->def;
    const int first = cut(def, parts->count, parts->margin, i), end = cut(def, parts->count, parts->margin, i + 1);
    const bool wrap = def->boundary == WADI_WRAP;
    const int above = i > 0 || wrap ? parts->margin : 0;
    return (wadi_window){first - above, def->height, above, above + end - first};
}

static wadi_def first_def(const wadi_domain *whole, const parts *parts, int i, const wadi_window *window) {
    wadi_def def = whole->def;
    const bool below = i + 1 < parts->count || def.boundary == WADI_WRAP;
    def.height = window->own1 + (below ? parts->margin : 0);
    if (def.part[i].given) def.engine = def.part[i].engine, def.device = def.part[i].device;
    def.threads = whole->threads / parts->count > 1 ? whole->threads / parts->count : 1;
    def.parts = 0;
    return def;
}

static size_t buffer_floats(const parts *parts, const wadi_domain *domain) {
    return wadi_domain_state_floats(domain, parts->margin);
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
    const wadi_window window = window_of(whole, parts, i);
    const wadi_def def = first_def(whole, parts, i, &window);
    part *part = &parts->part[i];
    part->domain = wadi_domain_make(&def, window);
    if (part->domain == NULL) return wadi_domain_too_large(whole);
    if (!make_buffers(parts, part)) return wadi_domain_too_large(whole);
    const wadi_status status = wadi_domain_allocate(part->domain);
    if (status != WADI_OK) return status;
    give_numbers(whole, part->domain);
    return part->domain->engine->open(part->domain);
}

static void close_parts(wadi_domain *whole) {
    parts *parts = whole->engine_state;
    for (int i = 0; i < parts->count; i++) {
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
    const int length = snprintf(whole->device, sizeof whole->device, "%d parts: ", parts->count);
    const size_t room = sizeof whole->device - (size_t)length;
    snprintf(whole->device + length, room, "%.*s", (int)room - 1, parts->part[0].domain->device);
}

static wadi_status open_parts(wadi_domain *whole) {
    parts *parts = calloc(1, sizeof *parts);
    whole->engine_state = parts;
    if (parts == NULL) return wadi_domain_too_large(whole);
    parts->count = whole->def.parts;
    parts->stale = true;
    if (!find_margin(whole, parts)) return wadi_domain_too_large(whole);
    wadi_status status = WADI_OK;
    for (int i = 0; i < parts->count && status == WADI_OK; i++) status = open_part(whole, parts, i);
    if (status != WADI_OK) return status;
    whole->def.parts = parts->count;
    whole->substeps_per_pass = parts->part[0].domain->substeps_per_pass;
    name_device(whole, parts);
    return WADI_OK;
}

const wadi_engine_calls wadi_engine_parts = {.name = "parts",
                                             .open = open_parts,
                                             .close = close_parts,
                                             .plan = plan,
                                             .advance = advance,
                                             .once = once,
                                             .fetch = fetch,
                                             .sum_rows = sum_rows,
                                             .prepare = prepare,
                                             .keep = keep,
                                             .go_back = go_back};
