/* reach.c: how far a value can travel, for tiles. */
#include "engine/schedule/schedule.h"

#include "core/def.h"
#include "core/need.h"
#include "core/strict.h"

wadi_status wadi_def_reach(const wadi_def *def, int64_t steps, int64_t *cells) {
    WADI_IEEE_MODE;
    WADI_NEED(def);
    WADI_NEED(cells);
    const wadi_status status = wadi_check_def(def);
    if (status != WADI_OK) return status;
    if (steps < 0 || steps > (int64_t)1e9)
        return wadi_fail(WADI_ERROR_ARGUMENT, "the reach of %lld steps: 0 to 1e9 are wanted", (long long)steps);
    wadi_schedule schedule;
    const wadi_domain domain = {.def = *def, .model = def->model, .processes = ~0u}; /* events may turn more on */
    if (!wadi_schedule_make(&schedule, &domain, WADI_MAX_SUBSTEPS, true))
        return wadi_fail(WADI_ERROR_MEMORY, "not enough memory for a schedule");
    const int64_t substeps = steps * wadi_def_safety(def).substeps;
    *cells =
        substeps / WADI_MAX_SUBSTEPS * schedule.halo[WADI_MAX_SUBSTEPS] + schedule.halo[substeps % WADI_MAX_SUBSTEPS];
    wadi_schedule_free(&schedule);
    return WADI_OK;
}
