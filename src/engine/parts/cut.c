/* cut.c: where the parts of a grid begin and end, and how high their margins are. */
#include "engine/parts/cut.h"

#include "engine/schedule/schedule.h"

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

bool wadi_cuts_make(const wadi_domain *whole, int count, wadi_cuts *cuts) {
    wadi_domain all = *whole;
    wadi_schedule schedule;
    const int asked = whole->def.substeps_per_exchange;
    all.processes = ~0u;
    cuts->count = count;
    cuts->good_for = asked > 0 ? asked : 8;
    if (!wadi_schedule_make(&schedule, &all, cuts->good_for, true)) return false;
    while (cuts->good_for > 1 && (!fits(&whole->def, cuts->count, schedule.halo[cuts->good_for]) ||
                                  (asked == 0 && 32 * schedule.halo[cuts->good_for] * cuts->count > whole->def.height)))
        cuts->good_for--;
    cuts->margin = schedule.halo[cuts->good_for];
    while (cuts->count > 1 && !fits(&whole->def, cuts->count, cuts->margin)) cuts->count--;
    if (cuts->count == 1) cuts->margin = 0;
    wadi_schedule_free(&schedule);
    return true;
}

wadi_window wadi_cuts_window(const wadi_domain *whole, const wadi_cuts *cuts, int i, int *height) {
    const wadi_def *def = &whole->def;
    const int first = cut(def, cuts->count, cuts->margin, i), end = cut(def, cuts->count, cuts->margin, i + 1);
    const bool wrap = def->boundary == WADI_WRAP;
    const int above = i > 0 || wrap ? cuts->margin : 0, below = i + 1 < cuts->count || wrap ? cuts->margin : 0;
    *height = above + end - first + below;
    return (wadi_window){first - above, def->height, above, above + end - first};
}

int wadi_cuts_first(const wadi_cuts *cuts, int processes, int process, int *end) {
    const int64_t used = cuts->count < processes ? cuts->count : processes;
    *end = process < used ? (int)((process + 1) * (int64_t)cuts->count / used) : cuts->count;
    return process < used ? (int)(process * (int64_t)cuts->count / used) : cuts->count;
}

int wadi_cuts_owner(const wadi_cuts *cuts, int processes, int i) {
    int end = 0;
    for (int process = 0;; process++) {
        wadi_cuts_first(cuts, processes, process, &end);
        if (end > i) return process;
    }
}
