/* exchange.c: the parts advance side by side, and exchange the rows of their margins. */
#include "engine/parts/exchange.h"

#include <stdio.h>

#include "engine/parts/give.h"
#include "platform/openmp.h"

/* --- one part after the other, or all side by side --- */

/* Keeps what failed in another thread. */
static void note_failure(part *part) { snprintf(part->failure, sizeof part->failure, "%s", wadi_error_message()); }

bool wadi_parts_good(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    for (int i = parts->first; i < parts->end && whole->failure == WADI_OK; i++)
        if (parts->part[i].domain->failure != WADI_OK)
            whole->failure = wadi_fail(parts->part[i].domain->failure, "%s", parts->part[i].failure);
    return whole->failure == WADI_OK;
}

bool wadi_parts_work(wadi_domain *whole, wadi_part_work *work, int substeps) {
    parts *parts = whole->engine_state;
    if (parts->first == parts->end) return wadi_parts_good(whole);
    const int levels = omp_get_max_active_levels();
    omp_set_max_active_levels(levels + 1); /* engines have threads of their own */
#pragma omp parallel for schedule(static, 1) num_threads(parts->end - parts->first)
    for (int i = parts->first; i < parts->end; i++) {
        if (parts->part[i].domain->failure != WADI_OK) continue;
        work(whole, &parts->part[i], i, substeps);
        if (parts->part[i].domain->failure != WADI_OK) note_failure(&parts->part[i]);
    }
    omp_set_max_active_levels(levels);
    return wadi_parts_good(whole);
}

/* --- steps --- */

static void begin(wadi_domain *whole, part *part, int number, int substeps) {
    (void)number, (void)substeps;
    wadi_part_begin(whole, part->domain, 0);
    part->domain->edits = whole->edits;
    part->finite = true;
}

/* The parts above and below. Those at a border have none. */
static const part *above_of(const parts *parts, int number) {
    const bool margin = parts->part[number].domain->window.own0 > 0;
    return margin ? &parts->part[(number + parts->cuts.count - 1) % parts->cuts.count] : NULL;
}
static const part *below_of(const parts *parts, int number) {
    const wadi_domain *domain = parts->part[number].domain;
    return domain->window.own1 < domain->def.height ? &parts->part[(number + 1) % parts->cuts.count] : NULL;
}

/* Whether rows go from one to the other without the host. */
static bool reaches(const part *one, const part *other) {
    const wadi_domain *a = one->domain, *b = other->domain;
    return b != NULL && a->engine == b->engine && a->engine->reaches != NULL && a->engine->reaches(a, b);
}

/* Whether rows of a neighbour, 0 above or 1 below, come from its device. */
static bool by_device(const parts *parts, const part *part, const struct part *other, int side) {
    return other != NULL && (other->domain != NULL ? reaches(part, other) : parts->linked[side] || parts->lends[side]);
}
static bool by_host(const parts *parts, const part *part, const struct part *other, int side) {
    return other != NULL && !by_device(parts, part, other, side);
}

/* Copies the rows that neighbours need, to where they find them. */
static void give_margins(const parts *parts, part *part, int number) {
    wadi_domain *domain = part->domain;
    const int margin = parts->cuts.margin;
    const struct part *above = above_of(parts, number), *below = below_of(parts, number);
    if (by_host(parts, part, above, 0) && !domain->engine->pack(domain, domain->window.own0, margin, part->top)) return;
    if (by_host(parts, part, below, 1) &&
        !domain->engine->pack(domain, domain->window.own1 - margin, margin, part->bottom))
        return;
    if (by_device(parts, part, above, 0) || by_device(parts, part, below, 1))
        domain->engine->hold(domain, margin, parts->pair);
}

static void take_margins(wadi_domain *whole, part *part, int number, int substeps) {
    const parts *parts = whole->engine_state;
    wadi_domain *domain = part->domain;
    const struct part *above = above_of(parts, number), *below = below_of(parts, number);
    const bool first = by_device(parts, part, above, 0), last = by_device(parts, part, below, 1);
    const int end = domain->window.own1;
    (void)substeps;
    if (by_host(parts, part, above, 0) && !domain->engine->unpack(domain, 0, domain->window.own0, above->bottom))
        return;
    if (by_host(parts, part, below, 1) && !domain->engine->unpack(domain, end, domain->def.height - end, below->top))
        return;
    if (first || last)
        domain->engine->take(domain, first ? above->domain : NULL, last ? below->domain : NULL, parts->pair);
}

static void go(wadi_domain *whole, part *part, int number, int substeps) {
    const parts *parts = whole->engine_state;
    wadi_domain *domain = part->domain;
    domain->more = parts->more;
    if (!domain->engine->advance(domain, substeps)) part->finite = false;
    domain->substeps_done += substeps;
    domain->ahead += substeps;
    if (domain->failure == WADI_OK) give_margins(parts, part, number);
}

void wadi_parts_note_dropped_copies(wadi_domain *whole) {
    const parts *parts = whole->engine_state;
    for (int i = parts->first; i < parts->end; i++)
        if (!parts->part[i].domain->good_kept) whole->good_kept = false;
}

/* The counters and sums of the whole, for the parts of other processes. */
static bool share_progress(wadi_domain *whole) {
    struct {
        int64_t steps, substeps_done, base_step;
        double base_time_s;
        uint64_t edits;
    } now = {whole->steps, whole->substeps_done, whole->base_step, whole->base_time_s, whole->edits};
    bool all = wadi_team_share(whole, &now, sizeof now);
    whole->steps = now.steps;
    whole->substeps_done = now.substeps_done;
    whole->base_step = now.base_step;
    whole->base_time_s = now.base_time_s;
    whole->edits = now.edits;
    for (int i = 0; i < WADI_SUMS && all; i++) all = wadi_team_spread_rows(whole, whole->sums[i]);
    return all;
}

/* A process whose part has failed still exchanges rows, so that the others do not wait. */
static bool go_on(wadi_domain *whole, int64_t substeps) {
    parts *parts = whole->engine_state;
    bool good = wadi_parts_work(whole, begin, 0);
    for (int64_t done = 0; (good || parts->team != NULL) && done < substeps; done += parts->cuts.good_for) {
        const int now = substeps - done < parts->cuts.good_for ? (int)(substeps - done) : parts->cuts.good_for;
        parts->more = done + now < substeps;
        parts->pair = !parts->pair;
        good = good && wadi_parts_work(whole, go, now);
        if (!wadi_team_exchange(whole)) return false;
        good = good && wadi_parts_work(whole, take_margins, 0);
    }
    return good;
}

bool wadi_parts_advance(wadi_domain *whole, int64_t substeps) {
    const parts *parts = whole->engine_state;
    bool finite = share_progress(whole) && go_on(whole, substeps);
    for (int i = parts->first; i < parts->end; i++) {
        wadi_part_end(whole, parts->part[i].domain);
        parts->part[i].domain->ahead = 0;
        finite = finite && parts->part[i].finite;
    }
    for (int i = 0; i < WADI_SUMS; i++) wadi_team_collect_rows(whole, whole->sums[i], true);
    wadi_parts_note_dropped_copies(whole);
    return finite;
}
