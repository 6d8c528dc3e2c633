/* parts.c: the engine that cuts the grid into parts (exchange.h) and runs other engines on them. Between calls every
 * row of every part is right. Each call is an order, which all processes of a team do for their own parts. */
#include "engine/parts/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/allocate.h"
#include "core/domain.h"
#include "core/mirror.h"
#include "core/supply.h"
#include "engine/parts/exchange.h"
#include "engine/parts/give.h"
#include "platform/platform.h"
#include "wadi/device.h"

/* An order for all processes, done here too. */
static wadi_status order_all(wadi_domain *whole, wadi_order_kind kind, int number, int64_t substeps);

/* --- what the core changed goes to the parts --- */

static wadi_status give_all(wadi_domain *whole, int number) {
    const parts *parts = whole->engine_state;
    wadi_domain *domain = parts->part[number].domain;
    wadi_status status = WADI_OK, given;
    if (domain != NULL) {
        wadi_give_numbers(whole, domain);
        wadi_domain_drop_fields(domain);
        status = wadi_domain_add_fields(domain);
    }
    for (int m = 0; m < whole->model->map_count && parts->stale; m++) {
        given = wadi_give_map(whole, number, m);
        if (status == WADI_OK) status = given;
    }
    for (int f = 0; f < whole->model->field_count; f++) {
        if (wadi_kind(whole, f) == WADI_SCRATCH) continue;
        given = wadi_give_field(whole, number, f);
        if (status == WADI_OK) status = given;
    }
    if (domain == NULL || status != WADI_OK) return status;
    domain->edits = whole->edits;
    if (parts->stale) status = domain->engine->plan(domain);
    return status == WADI_OK ? wadi_supply_reserve_now(domain) : status;
}

/* The parts of others come first, so that those compute while this process gives itself its own. */
static wadi_status do_ready(wadi_domain *whole, const wadi_order *order) {
    const parts *parts = whole->engine_state;
    wadi_status status = wadi_share_numbers(whole) ? WADI_OK : WADI_ERROR_MEMORY;
    (void)order;
    for (int i = parts->end; i < parts->cuts.count && wadi_process(parts) == 0 && whole->failure == WADI_OK; i++)
        status = give_all(whole, i);
    for (int i = parts->first; i < parts->end && whole->failure == WADI_OK; i++) {
        const wadi_status given = give_all(whole, i);
        if (status == WADI_OK) status = given;
    }
    return whole->failure == WADI_OK ? status : whole->failure;
}

static wadi_status make_ready(wadi_domain *whole) {
    parts *parts = whole->engine_state;
    if (whole->failure != WADI_OK) return whole->failure;
    const wadi_status status = order_all(whole, WADI_ORDER_READY, 0, 0);
    if (status != WADI_OK) return status;
    parts->stale = false;
    for (int f = 0; f < whole->model->field_count; f++) {
        if (wadi_kind(whole, f) == WADI_SCRATCH) continue;
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

static wadi_status do_prepare(wadi_domain *whole, const wadi_order *order) {
    const parts *parts = whole->engine_state;
    wadi_status status = WADI_OK;
    (void)order;
    for (int i = parts->first; i < parts->end && status == WADI_OK; i++) {
        wadi_domain *domain = parts->part[i].domain;
        if (domain->engine->prepare != NULL) status = domain->engine->prepare(domain);
        if (domain->failure != WADI_OK) whole->failure = domain->failure;
    }
    wadi_parts_note_dropped_copies(whole);
    return status;
}

static wadi_status prepare(wadi_domain *whole) {
    const wadi_status status = make_ready(whole);
    return status == WADI_OK ? order_all(whole, WADI_ORDER_PREPARE, 0, 0) : status;
}

/* --- steps --- */

static void note_state_there(wadi_domain *whole) {
    for (int f = 0; f < whole->model->field_count; f++)
        if (wadi_is_state(whole, f)) whole->where[f] = WADI_THERE;
}

static wadi_status do_advance(wadi_domain *whole, const wadi_order *order) {
    parts *parts = whole->engine_state;
    parts->all = wadi_parts_advance(whole, order->substeps);
    return whole->failure;
}

static bool advance(wadi_domain *whole, int64_t substeps) {
    const parts *parts = whole->engine_state;
    const wadi_status status = order_all(whole, WADI_ORDER_ADVANCE, 0, substeps);
    note_state_there(whole);
    return status == WADI_OK && parts->all;
}

/* --- what the core reads --- */

static wadi_status bring(wadi_domain *whole, int f) {
    const parts *parts = whole->engine_state;
    wadi_status status = WADI_OK;
    for (int i = parts->first; i < parts->end && status == WADI_OK; i++) {
        wadi_domain *domain = parts->part[i].domain;
        status = wadi_domain_bring(domain, f);
        if (domain->failure != WADI_OK) whole->failure = domain->failure;
    }
    return status;
}

/* Each process says whether it has the rows before it gives them. */
static wadi_status do_fetch(wadi_domain *whole, const wadi_order *order) {
    const parts *parts = whole->engine_state;
    const wadi_status status = bring(whole, order->number);
    bool moved = true;
    for (int process = 0; process < wadi_processes(parts) && moved; process++) {
        int end, i = wadi_cuts_first(&parts->cuts, wadi_processes(parts), process, &end);
        bool brought = status == WADI_OK;
        moved = wadi_team_move(whole, process, &brought, 0, &brought, sizeof brought);
        for (; i < end && moved && brought; i++) moved = wadi_take_field(whole, i, order->number);
    }
    for (int i = parts->first; i < parts->end; i++) wadi_domain_let_go(parts->part[i].domain, order->number);
    return moved ? status : whole->failure;
}

static wadi_status fetch(wadi_domain *whole, int f) { return order_all(whole, WADI_ORDER_FETCH, f, 0); }

static wadi_status do_once(wadi_domain *whole, const wadi_order *order) {
    const parts *parts = whole->engine_state;
    wadi_status status = WADI_OK;
    for (int i = parts->first; i < parts->end && status == WADI_OK; i++) {
        status = wadi_domain_once(parts->part[i].domain, &whole->model->stages[order->number]);
        whole->failure = parts->part[i].domain->failure;
    }
    wadi_parts_note_dropped_copies(whole);
    return status;
}

static wadi_status once(wadi_domain *whole, const wadi_stage *stage) {
    wadi_status status = make_ready(whole);
    if (status == WADI_OK) status = order_all(whole, WADI_ORDER_ONCE, (int)(stage - whole->model->stages), 0);
    for (int w = 0; w < stage->writes && status == WADI_OK; w++) whole->where[stage->write[w]] = WADI_THERE;
    return status;
}

static bool is_there(const wadi_domain *whole, int f) {
    return whole->where[f] == WADI_THERE || whole->where[f] == WADI_BOTH;
}

/* Sums of own rows, where the engines of all parts make such. */
static bool sum_parts(wadi_domain *whole, const wadi_summed *summed, int count, double *own) {
    const parts *parts = whole->engine_state;
    bool all = true;
    for (int i = parts->first; i < parts->end && all; i++) {
        wadi_domain *domain = parts->part[i].domain;
        all = domain->engine->sum_rows != NULL && domain->engine->sum_rows(domain, summed, count, own);
        for (int k = 0; k < count && all; k++)
            memcpy(parts->sums + (size_t)k * (size_t)whole->def.height + wadi_part_first(whole, domain),
                   own + (size_t)k * (size_t)domain->def.height + domain->window.own0,
                   (size_t)wadi_part_rows(domain) * sizeof *own);
    }
    return all;
}

static wadi_status do_sum(wadi_domain *whole, const wadi_order *order) {
    parts *parts = whole->engine_state;
    const size_t height = (size_t)whole->def.height, values = (size_t)order->number * height;
    double *own = malloc(3 * values * sizeof *own), *asked = parts->sums;
    bool all = own != NULL;
    if (asked == NULL && all) parts->sums = own + 2 * values; /* a process that serves */
    all = wadi_team_share(whole, parts->summed, sizeof parts->summed) && all &&
          sum_parts(whole, parts->summed, order->number, own);
    for (int k = 0; k < order->number; k++)
        wadi_team_collect_rows(whole, all || asked != NULL ? parts->sums + (size_t)k * height : NULL, all);
    parts->sums = asked;
    parts->all = all;
    free(own);
    return whole->failure;
}

static bool sum_rows(wadi_domain *whole, const wadi_summed *summed, int count, double *sums) {
    parts *parts = whole->engine_state;
    bool all = !parts->stale && is_there(whole, wadi_field_of(whole->model, WADI_FIELD_TERRAIN));
    for (int k = 0; k < count; k++) all = all && is_there(whole, summed[k].field);
    if (!all) return false;
    memcpy(parts->summed, summed, (size_t)count * sizeof *summed);
    parts->sums = sums;
    const wadi_status status = order_all(whole, WADI_ORDER_SUM, count, 0);
    parts->sums = NULL;
    return status == WADI_OK && parts->all;
}

/* --- the last good state --- */

static wadi_status do_keep(wadi_domain *whole, const wadi_order *order) {
    parts *parts = whole->engine_state;
    (void)order;
    for (int i = parts->first; i < parts->end && parts->all; i++) {
        wadi_domain *domain = parts->part[i].domain;
        domain->good_kept = true;
        parts->all = domain->good_kept = wadi_domain_keep(domain);
    }
    wadi_parts_good(whole);
    return whole->failure;
}

static bool keep(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    return order_all(whole, WADI_ORDER_KEEP, 0, 0) == WADI_OK && parts->all;
}

static wadi_status do_go_back(wadi_domain *whole, const wadi_order *order) {
    const parts *parts = whole->engine_state;
    (void)order;
    for (int i = parts->first; i < parts->end; i++) wadi_domain_go_back(parts->part[i].domain);
    wadi_parts_good(whole);
    return whole->failure;
}

static void go_back(wadi_domain *whole) {
    order_all(whole, WADI_ORDER_GO_BACK, 0, 0);
    note_state_there(whole);
}

/* --- opening and closing --- */

/* The device of a part. In a team, the parts on one machine take its devices, or those of the list, in turn. */
static void choose_device(const wadi_domain *whole, const parts *parts, int i, wadi_def *def) {
    const wadi_part *list = whole->def.part;
    const wadi_team *team = parts->team;
    int listed = 0;
    while (listed < WADI_MOST_PARTS && list[listed].given) listed++;
    const int number = team != NULL ? team->me_there * (parts->end - parts->first) + i - parts->first : i;
    const wadi_part *chosen = team != NULL && listed > 0 ? &list[number % listed] : &list[i % WADI_MOST_PARTS];
    if (chosen->given) {
        def->engine = chosen->engine;
        def->device = chosen->device;
    } else if (team != NULL && wadi_engine_is_gpu(def->engine)) {
        const size_t devices = wadi_devices(def->engine, NULL, 0, NULL);
        if (devices > 0) def->device = ((def->device > 0 ? def->device : 0) + number) % (int)devices;
    }
}

static wadi_def first_def(const wadi_domain *whole, const parts *parts, int i, int height) {
    const int here = parts->end - parts->first;
    wadi_def def = whole->def;
    def.height = height;
    choose_device(whole, parts, i, &def);
    def.threads = whole->threads / here > 1 ? whole->threads / here : 1;
    def.parts = 0;
    def.team = NULL;
    return def;
}

/* Of a part here, or of the part next to it, whose rows come from another process. */
static bool make_buffers(const wadi_domain *whole, int i) {
    const parts *parts = whole->engine_state;
    part *part = &parts->part[i % parts->cuts.count];
    const size_t floats = wadi_domain_most_floats(whole, parts->cuts.margin);
    if (floats == 0 || part->top != NULL) return true;
    part->top = platform_pages(2 * floats * sizeof *part->top);
    if (part->top == NULL) return false;
    part->bottom = part->top + floats;
    return true;
}

static wadi_status open_part(const wadi_domain *whole, int i) {
    const parts *parts = whole->engine_state;
    int height;
    const wadi_window window = wadi_cuts_window(whole, &parts->cuts, i, &height);
    const wadi_def def = first_def(whole, parts, i, height);
    part *part = &parts->part[i];
    part->domain = wadi_domain_make(&def, window);
    if (part->domain == NULL) return wadi_domain_too_large(whole);
    const bool room =
        make_buffers(whole, i) && make_buffers(whole, i + 1) && make_buffers(whole, i + parts->cuts.count - 1);
    if (!room) return wadi_domain_too_large(whole);
    const wadi_status status = wadi_domain_allocate(part->domain);
    if (status != WADI_OK) return status;
    wadi_give_numbers(whole, part->domain);
    return part->domain->engine->open(part->domain);
}

/* "2 parts: ...", by the first one. */
static void name_device(wadi_domain *whole, const parts *parts) {
    const char *device = parts->first < parts->end ? parts->part[parts->first].domain->device : "";
    char count[80], processes[40] = "";
    if (parts->team != NULL) snprintf(processes, sizeof processes, " of %d processes", wadi_processes(parts));
    snprintf(count, sizeof count, "%d parts%s", parts->cuts.count, processes);
    wadi_part_name(whole, count, device);
}

static wadi_status do_open(wadi_domain *whole, const wadi_order *order) {
    const parts *parts = whole->engine_state;
    wadi_status status = wadi_share_numbers(whole) ? WADI_OK : WADI_ERROR_MEMORY;
    (void)order;
    for (int i = parts->first; i < parts->end && status == WADI_OK; i++) status = open_part(whole, i);
    return whole->failure == WADI_OK ? status : whole->failure;
}

static wadi_status do_link(wadi_domain *whole, const wadi_order *order) {
    (void)order;
    wadi_team_link(whole);
    return whole->failure;
}

wadi_status wadi_parts_make(wadi_domain *whole, uint64_t number) {
    const wadi_team *team = whole->def.team;
    parts *parts = calloc(1, sizeof *parts);
    whole->engine_state = parts;
    if (parts == NULL) return wadi_domain_too_large(whole);
    parts->team = team != NULL && team->processes > 1 ? team : NULL;
    parts->number = number;
    parts->stale = true;
    const int least = wadi_processes(parts), count = whole->def.parts > least ? whole->def.parts : least;
    if (!wadi_cuts_make(whole, count, &parts->cuts)) return wadi_domain_too_large(whole);
    parts->first = wadi_cuts_first(&parts->cuts, wadi_processes(parts), wadi_process(parts), &parts->end);
    parts->part = calloc((size_t)parts->cuts.count, sizeof *parts->part);
    return parts->part != NULL ? WADI_OK : wadi_domain_too_large(whole);
}

void wadi_parts_free(wadi_domain *whole) {
    parts *parts = whole->engine_state;
    const size_t bytes = 2 * wadi_domain_most_floats(whole, parts->cuts.margin) * sizeof(float);
    wadi_team_unlink(whole);
    for (int i = 0; i < parts->cuts.count && parts->part != NULL; i++) {
        if (parts->part[i].top != NULL) platform_pages_free(parts->part[i].top, bytes);
        wadi_domain_free(parts->part[i].domain);
    }
    free(parts->part);
    free(parts);
    whole->engine_state = NULL;
}

static wadi_status open_parts(wadi_domain *whole) {
    static uint64_t simulations;
    wadi_status status = wadi_parts_make(whole, whole->def.team != NULL ? ++simulations : 0);
    const parts *parts = whole->engine_state;
    if (status != WADI_OK) return status;
    if (!wadi_team_meet(whole)) return whole->failure;
    status = order_all(whole, WADI_ORDER_OPEN, 0, 0);
    if (status == WADI_OK && parts->team != NULL) status = order_all(whole, WADI_ORDER_LINK, 0, 0);
    if (status != WADI_OK) return status;
    whole->def.parts = parts->cuts.count;
    whole->substeps_per_pass = parts->part[0].domain->substeps_per_pass;
    if (parts->cuts.count > 1) whole->substeps_at_once = parts->cuts.good_for; /* a call ends with an exchange */
    name_device(whole, parts);
    return WADI_OK;
}

static void close_parts(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    const wadi_order order = {.simulation = parts->number, .kind = WADI_ORDER_CLOSE};
    wadi_team_order(whole, &order);
    wadi_parts_free(whole);
}

/* --- orders --- */

typedef wadi_status wadi_duty(wadi_domain *whole, const wadi_order *order);

static wadi_duty *const duties[] = {
    [WADI_ORDER_OPEN] = do_open,       [WADI_ORDER_LINK] = do_link,       [WADI_ORDER_READY] = do_ready,
    [WADI_ORDER_PREPARE] = do_prepare, [WADI_ORDER_ADVANCE] = do_advance, [WADI_ORDER_ONCE] = do_once,
    [WADI_ORDER_FETCH] = do_fetch,     [WADI_ORDER_SUM] = do_sum,         [WADI_ORDER_KEEP] = do_keep,
    [WADI_ORDER_GO_BACK] = do_go_back};

wadi_status wadi_parts_do(wadi_domain *whole, const wadi_order *order) {
    ((parts *)whole->engine_state)->all = true;
    return wadi_team_agree(whole, duties[order->kind](whole, order));
}

static wadi_status order_all(wadi_domain *whole, wadi_order_kind kind, int number, int64_t substeps) {
    const wadi_order order = {((const parts *)whole->engine_state)->number, substeps, (int)kind, number};
    return wadi_team_order(whole, &order) ? wadi_parts_do(whole, &order) : whole->failure;
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
