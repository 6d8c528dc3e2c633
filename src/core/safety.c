/* safety.c: the longest stable step, and the sub-steps of a step: fixed, or as the deepest water needs. */
#include <math.h>

#include "core/def.h"
#include "core/inside.h"
#include "core/strict.h"

wadi_safety wadi_safety_on(const wadi_def *def, double low_m, double high_m) {
    const double dt = wadi_dt_s(def), longest = WADI_SAFETY * def->model->longest_dt_s(def->values, def->lx, def->ly);
    const double substeps = ceil(dt / longest - 1e-9);
    wadi_safety safety = {dt, longest, 1, NULL};
    if (substeps > 1) safety.substeps = substeps < WADI_MOST_SUBSTEPS ? (int)substeps : WADI_MOST_SUBSTEPS + 1;
    const wadi_setup setup = {.values = def->values,
                              .lx = def->lx,
                              .ly = def->ly,
                              .width = wadi_whole_width(def),
                              .height = wadi_whole_height(def),
                              .low_m = low_m,
                              .high_m = high_m,
                              .boundary = def->boundary};
    safety.warning = def->model->warning(&setup);
    return safety;
}

wadi_safety wadi_def_safety(const wadi_def *def) {
    WADI_IEEE_MODE;
    return def != NULL && def->model != NULL ? wadi_safety_on(def, 0, 0) : (wadi_safety){0};
}

static bool is_adaptive(const wadi_def *def) {
    const int substeps = wadi_parameter_of(def->model, WADI_PARAMETER_SUBSTEPS);
    return substeps >= 0 && def->values[substeps] > 0;
}

bool wadi_def_substeps_follow(const wadi_def *def) {
    if (def == NULL || def->model == NULL || !is_adaptive(def)) return false;
    wadi_def limited = *def;
    return def->model->limit_waves(limited.values, def->lx, def->ly, wadi_dt_s(def)) > 0;
}

int64_t wadi_steps_to_look(const wadi_def *def) {
    const bool soon = wadi_def_substeps_follow(def) && def->check_every > WADI_FOLLOW_EVERY;
    return soon ? WADI_FOLLOW_EVERY : def->check_every;
}

void wadi_limit_waves(const wadi_def *def, double dt_s, double *values) {
    if (is_adaptive(def)) def->model->limit_waves(values, def->lx, def->ly, dt_s / WADI_SAFETY);
}

/* Whether so many sub-steps are stable without slower waves in water up to depth_m. */
static bool carries(const wadi_def *def, int substeps, double depth_m) {
    wadi_def limited = *def;
    const double dt = wadi_dt_s(def) / substeps;
    const double depth = def->model->limit_waves(limited.values, def->lx, def->ly, dt / WADI_SAFETY);
    return depth >= depth_m && wadi_safety_on(&limited, 0, 0).substeps <= substeps;
}

int wadi_fit_substeps(wadi_def *def, double depth_m) {
    int most = wadi_safety_on(def, 0, 0).substeps, least = 1;
    if (!wadi_def_substeps_follow(def)) return most;
    while (least < most) {
        const int middle = least + (most - least) / 2;
        if (carries(def, middle, depth_m))
            most = middle;
        else
            least = middle + 1;
    }
    wadi_limit_waves(def, wadi_dt_s(def) / most, def->values);
    return most;
}
