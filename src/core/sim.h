/* sim.h (internal): a simulation's inside, as the engines see it. */
#ifndef WADI_CORE_SIM_H
#define WADI_CORE_SIM_H

#include "core/block.h"
#include "core/model.h"
#include "core/supply.h"

typedef struct wadi_shown {
    int field;
    bool on_ground; /* the terrain as given is added */
} wadi_shown;

/* What a total is made of. */
typedef struct wadi_summed {
    int field;
    bool absolute; /* of its values, else as they are */
} wadi_summed;
enum { WADI_MOST_SUMMED = 5 };

/* What an engine does. All engines give the same bits. */
typedef struct wadi_engine_calls {
    const char *name;
    wadi_status (*open)(wadi_sim *sim);
    void (*close)(wadi_sim *sim);
    wadi_status (*plan)(wadi_sim *sim);               /* after parameters, rasters or the mask have changed */
    bool (*advance)(wadi_sim *sim, int64_t substeps); /* all stages that are due; true: all of the state is finite */
    wadi_status (*once)(wadi_sim *sim, const wadi_stage *stage); /* one stage, for what is measured when asked for */

    /* Of an engine that keeps the state elsewhere; NULL where the block is all there is. A failure is noted in the
     * simulation, besides. */
    wadi_status (*fetch)(wadi_sim *sim, int field); /* into the block */
    /* Sums of the rows of up to WADI_MOST_SUMMED fields, over cells with data, one field's after another's: the same
     * bits that mass.c would make of them. false: it has not all of them. */
    bool (*sum_rows)(wadi_sim *sim, const wadi_summed *summed, int count, double *sums);
    bool (*keep)(wadi_sim *sim);    /* a copy of the state; false: there is no room for one */
    void (*go_back)(wadi_sim *sim); /* to the copy */
    /* Fields into buffers of OpenGL's, as wadi_sim_get gives them. WADI_ERROR_UNSUPPORTED is not noted. */
    wadi_status (*show)(wadi_sim *sim, const wadi_shown *shown, const unsigned *buffers, int count);
} wadi_engine_calls;

extern const wadi_engine_calls wadi_engine_cpu, wadi_engine_reference, wadi_engine_gpu;

/* Where a field's values are: in the block; with the engine; both; or nowhere yet: it is what it is at the start. */
typedef enum wadi_whereabouts { WADI_HERE, WADI_THERE, WADI_BOTH, WADI_NOWHERE } wadi_whereabouts;

struct wadi_sim {
    wadi_def def;
    const wadi_model *model;
    const wadi_engine_calls *engine;
    void *engine_state;
    int threads;
    int substeps_per_pass; /* sub-steps that the engine does at once, at most */
    char device[128];

    wadi_block block;
    wadi_whereabouts where[WADI_MAX_FIELDS];
    wadi_status failure; /* of the engine's device, once and for all */
    void *constants;
    unsigned processes;
    int substeps;
    double dt_s; /* of a sub-step */

    float *mask; /* width * height values each, as given, or NULL */
    float *raster[WADI_MAX_PARAMETERS];
    double raster_largest[WADI_MAX_PARAMETERS];
    double low_m, high_m;    /* lowest and highest cell of the terrain as given */
    uint8_t *beside_outside; /* by row: a cell of this row or of the next ones to it lies outside */
    wadi_supply supply;

    uint64_t edits;                /* counts changes from outside: fields, parameters, maps */
    double cells_done, cells_idle; /* cells times sub-steps, since this was made; left out of them */
    int64_t steps, substeps_done, flow_samples;
    double base_time_s; /* simulated time at step base_step, since when dt has been what it is */
    int64_t base_step;
    double *sums[WADI_SUMS]; /* by row, metres summed over cells and sub-steps */

    double solid_before, water_before; /* sums over cells, m; of the fields when the run began */
    double solid_placed, water_placed; /* m: set by hand since */
    double ground_placed;              /* m: painted since; part of b0 */
    float *taken; /* db as last taken from another simulation, width * height; NULL: never, it was 0 */
    double moved_before, change_before; /* m: sum of |change of db| before that; sum of db when the run began */
    double solid_handed, water_handed;  /* m: what other simulations changed after the run began */
    float *good[WADI_MAX_FIELDS];       /* the state at the last check; NULL if not kept */
    bool good_kept;
    uint64_t good_edits;
    int64_t good_steps, good_substeps, good_flow_samples;
    double *good_sums[WADI_SUMS];
};

wadi_status wadi_check_def(const wadi_def *def);
/* low_m, high_m: lowest and highest cell of the terrain; 0, 0 where it is not known. */
wadi_safety wadi_safety_on(const wadi_def *def, double low_m, double high_m);
wadi_status wadi_check_value(const wadi_def *def, int parameter, double value);
float wadi_at_start(const wadi_sim *sim, int field);  /* what a field is everywhere before anything is set */
bool wadi_field_used(const wadi_def *def, int field); /* by a stage that runs, or as state */

/* Whether the stage runs in this run's sub-steps at all; and in sub-step n. */
static inline bool wadi_stage_on(const wadi_sim *sim, const wadi_stage *stage) {
    return stage->every > 0 && (stage->needs & ~sim->processes) == 0;
}
static inline bool wadi_stage_due(const wadi_sim *sim, const wadi_stage *stage, int64_t n) {
    return wadi_stage_on(sim, stage) && n % stage->every == 0;
}
/* Of a step, as asked for. */
static inline double wadi_dt_s(const wadi_def *def) {
    return def->values[wadi_parameter_of(def->model, WADI_PARAMETER_TIME_STEP)];
}
/* Simulated seconds at the beginning of a step: the same whatever pieces a run is made in. */
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

static inline float wadi_constant(const wadi_sim *sim, int map) {
    return *(const float *)((const char *)sim->constants + sim->model->maps[map].offset);
}

/* Compensated (Neumaier) sum in float64. */
typedef struct wadi_total {
    double sum, rest;
} wadi_total;
static inline void wadi_total_add(wadi_total *total, double value) {
    const double sum = total->sum + value;
    const bool larger = (total->sum < 0 ? -total->sum : total->sum) >= (value < 0 ? -value : value);
    total->rest += larger ? (total->sum - sum) + value : (value - sum) + total->sum;
    total->sum = sum;
}
/* Over cells with data. They fail where an engine keeps the state elsewhere and it cannot be brought; of a field that
 * was brought to be changed they do not. */
wadi_status wadi_field_total(const wadi_sim *sim, int field, double *total);
wadi_status wadi_moved_total(const wadi_sim *sim, double *total); /* of |change - taken| */
bool wadi_sim_has_data(const wadi_sim *sim, int x, int y);
/* After the terrain was set: its range, and which rows are beside cells without data. */
void wadi_sim_find_outside(wadi_sim *sim);
/* A row of the terrain: m, WADI_WALL where there is no data. */
typedef void wadi_ground_row(const wadi_sim *sim, const void *context, int y, float *row);
/* Another terrain in place of this one, with what follows from it. It is made beside the old one, which stays where
 * anything fails. The state is left alone. */
wadi_status wadi_sim_replace_ground(wadi_sim *sim, wadi_ground_row *make, const void *context);
/* Whether the maps fit the cells that have data now. Finds their largest. */
wadi_status wadi_sim_check_maps(wadi_sim *sim);

/* Whether what a checkpoint brought is what can be set and come of it: terrain, state, maps. Finds their largest. */
wadi_status wadi_sim_check(wadi_sim *sim);
/* After a change of a raster, the mask or a parameter: constants, maps, sub-steps, the engine's plan. Where it fails
 * they are what they were: the caller puts back what it changed, and all is as before. */
wadi_status wadi_sim_refresh(wadi_sim *sim);

/* A stage that runs when asked for. */
wadi_status wadi_sim_once(wadi_sim *sim, const wadi_stage *stage);
/* Grids of all scratch that this run has, for an engine that keeps it, if there is room. */
wadi_status wadi_sim_allocate_scratch(wadi_sim *sim);
/* A field of the block, as it is at the start. false: no memory. */
bool wadi_sim_allocate_field(wadi_sim *sim, int field);

/* mirror.c: makes the block's copy of a field what it is now: to be read, or to be changed. */
wadi_status wadi_sim_bring(const wadi_sim *sim, int field);
wadi_status wadi_sim_bring_to_change(wadi_sim *sim, int field);
/* Periodic grid: fills the halo of the mirror's rows after they changed. */
void wadi_sim_close_rows(wadi_sim *sim, int field);
/* Gives back the block's memory of what the engine has too; the terrain as given stays: all ask it for data. */
void wadi_sim_let_go(wadi_sim *sim, int field);
/* A field of state is what it is at the start. */
void wadi_sim_begin_anew(wadi_sim *sim, int field);

#endif
