/* inside.h (internal): the members of a simulation. For the core's own files alone: engines see the domain. */
#ifndef WADI_CORE_INSIDE_H
#define WADI_CORE_INSIDE_H

#include "core/engine.h"

/* A cell's samples of the discharge that are not in the field any more. */
typedef struct wadi_gathered {
    size_t cell;
    double sum;
} wadi_gathered;

struct wadi_sim {
    /* What the engine works on. A reader of a const simulation may change it as far as no caller sees: it brings a
     * field to the block, or frees the block's copy. */
    wadi_domain *domain;

    float *mask; /* width * height values each, as set by the caller; NULL: not set */
    float *raster[WADI_MAX_PARAMETERS];
    double raster_largest[WADI_MAX_PARAMETERS];
    double low_m, high_m; /* lowest and highest cell of the terrain as given */
    double deepest_m;     /* the water for which the sub-steps are safe, where they follow it */
    bool look_again;      /* the caller changed something since the deepest water was looked for */

    double cells_done; /* cells times sub-steps since creation */
    int64_t flow_samples;
    wadi_gathered *gathered; /* owned */
    size_t gathered_count;

    double solid_before, water_before;  /* m: sums over cells when the run began */
    double solid_placed, water_placed;  /* m: set by the caller since */
    double ground_placed;               /* m: painted since; part of b0 */
    float *taken;                       /* db at the last wadi_sim_take, width * height; NULL: never taken, 0 */
    double moved_before, change_before; /* m: sum of |change of db| before that; sum of db when the run began */
    double solid_handed, water_handed;  /* m: changed by other simulations after the run began */
    uint64_t good_edits;                /* when the last good state was kept, and what was then */
    int64_t good_steps, good_substeps, good_flow_samples;
    double good_deepest_m;
    double *good_sums[WADI_SUMS];
};

/* Seconds of the model's unit of time: the unit of its time step, s or a (years). */
static inline double wadi_unit_s(const wadi_model *model) {
    const char *unit = model->parameters[wadi_parameter_of(model, WADI_PARAMETER_TIME_STEP)].unit;
    return unit[0] == 'a' ? WADI_YEAR_S : 1;
}
/* The time step as requested. */
static inline double wadi_dt_s(const wadi_def *def) {
    return def->values[wadi_parameter_of(def->model, WADI_PARAMETER_TIME_STEP)] * wadi_unit_s(def->model);
}
/* Simulated seconds at the beginning of a step. It does not depend on how the run was divided into calls. */
static inline double wadi_time_at(const wadi_domain *domain, int64_t step) {
    return domain->base_time_s + (double)(step - domain->base_step) * wadi_dt_s(&domain->def);
}

#endif
