/* schedule.h (internal): the order of rows and stages in a fused sweep. At row t of the sweep, each scheduled stage
 * computes row t - lag. The lags follow from the declared radii. A stage may read r rows ahead only what has been
 * written. It may overwrite only what readers of the old value, r rows behind, no longer need. So state is written in
 * place, and a scratch field lives only for the few rows between its writer and its last reader. */
#ifndef WADI_ENGINE_SCHEDULE_H
#define WADI_ENGINE_SCHEDULE_H

#include "core/engine.h"

#define WADI_MAX_SUBSTEPS 16

typedef struct wadi_scheduled_stage {
    const wadi_stage *stage;
    int substep; /* of the pass */
    int lag;
    int reach; /* rows outside a partition that it must compute for the partition's own rows */
} wadi_scheduled_stage;

typedef struct wadi_schedule {
    wadi_scheduled_stage *stages; /* by sub-step, then in the model's order */
    int substeps, stages_per_substep;
    int halo[WADI_MAX_SUBSTEPS + 1]; /* by number of sub-steps: rows of state around a partition that a pass needs */
    wadi_field_kind kind[WADI_MAX_FIELDS]; /* in this run */
    int depth[WADI_MAX_FIELDS];            /* rows of a scratch field that live at once, rounded up to a power of 2 */
} wadi_schedule;

/* Makes the schedule of a pass. A pass of fewer sub-steps uses the stages of the last ones. in_turn: no lag is less
 * than that of the stage before. Else only stages that share a field keep their order. false: no memory. */
bool wadi_schedule_make(wadi_schedule *schedule, const wadi_domain *domain, int substeps, bool in_turn);
void wadi_schedule_free(wadi_schedule *schedule);

/* Rows in use at once, state and scratch, in a pass of all sub-steps. */
int wadi_schedule_rows(const wadi_schedule *schedule, const wadi_model *model);

#endif
