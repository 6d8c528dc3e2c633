/* inside.h (internal): the members of a simulation. */
#ifndef WADI_CORE_INSIDE_H
#define WADI_CORE_INSIDE_H

#include "core/block.h"
#include "core/discs.h"
#include "core/engine.h"
#include "core/model.h"

/* Where a field's values are: in the block; with the engine; both; or nowhere yet: it is what it is at the start. */
typedef enum wadi_whereabouts { WADI_HERE, WADI_THERE, WADI_BOTH, WADI_NOWHERE } wadi_whereabouts;

struct wadi_sim {
    wadi_def def;
    const wadi_model *model;
    const wadi_engine_calls *engine;
    void *engine_state;
    int threads;
    int substeps_per_pass; /* most sub-steps that the engine does in one pass */
    char device[128];

    wadi_block block;
    wadi_whereabouts where[WADI_MAX_FIELDS];
    wadi_status failure; /* of the engine's device; it is permanent */
    void *constants;
    unsigned processes;
    int substeps;
    double dt_s; /* of a sub-step */

    float *mask; /* width * height values each, as set by the caller; NULL: not set */
    float *raster[WADI_MAX_PARAMETERS];
    double raster_largest[WADI_MAX_PARAMETERS];
    double low_m, high_m;    /* lowest and highest cell of the terrain as given */
    uint8_t *beside_outside; /* for each row: this row or one next to it has a cell without data */
    wadi_supply supply;

    uint64_t edits;                /* counts changes by the caller: fields, parameters, maps */
    double cells_done, cells_idle; /* cells times sub-steps since creation; the part that was skipped */
    int64_t steps, substeps_done, flow_samples;
    double base_time_s; /* simulated time at step base_step; dt has not changed since */
    int64_t base_step;
    double *sums[WADI_SUMS]; /* for each row: metres summed over cells and sub-steps */

    double solid_before, water_before;  /* m: sums over cells when the run began */
    double solid_placed, water_placed;  /* m: set by the caller since */
    double ground_placed;               /* m: painted since; part of b0 */
    float *taken;                       /* db at the last wadi_sim_take, width * height; NULL: never taken, 0 */
    double moved_before, change_before; /* m: sum of |change of db| before that; sum of db when the run began */
    double solid_handed, water_handed;  /* m: changed by other simulations after the run began */
    float *good[WADI_MAX_FIELDS];       /* the state at the last check; NULL if not kept */
    bool good_kept;
    uint64_t good_edits;
    int64_t good_steps, good_substeps, good_flow_samples;
    double *good_sums[WADI_SUMS];
};

/* Whether the stage runs at all in this run; and whether it runs in sub-step n. */
static inline bool wadi_stage_on(const wadi_sim *sim, const wadi_stage *stage) {
    return stage->every > 0 && (stage->needs & ~sim->processes) == 0;
}
static inline bool wadi_stage_due(const wadi_sim *sim, const wadi_stage *stage, int64_t n) {
    return wadi_stage_on(sim, stage) && n % stage->every == 0;
}
/* The time step as requested. */
static inline double wadi_dt_s(const wadi_def *def) {
    return def->values[wadi_parameter_of(def->model, WADI_PARAMETER_TIME_STEP)];
}
/* Simulated seconds at the beginning of a step. It does not depend on how the run was divided into calls. */
static inline double wadi_time_at(const wadi_sim *sim, int64_t step) {
    return sim->base_time_s + (double)(step - sim->base_step) * wadi_dt_s(&sim->def);
}
static inline bool wadi_takes_water(const wadi_sim *sim) {
    return wadi_process_on(sim->model, sim->processes, WADI_PROCESS_WATER);
}
/* A row of the terrain as given. */
static inline float *wadi_terrain_row(const wadi_sim *sim, int y) {
    return wadi_block_row(&sim->block, sim->block.field[wadi_field_of(sim->model, WADI_FIELD_TERRAIN)], y);
}

static inline bool wadi_sim_has_data(const wadi_sim *sim, int x, int y) {
    return wadi_terrain_row(sim, y)[x] < 0.1f * WADI_WALL;
}

static inline float wadi_constant(const wadi_sim *sim, int map) {
    return *(const float *)((const char *)sim->constants + sim->model->maps[map].offset);
}

#endif
