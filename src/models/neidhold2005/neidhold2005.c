/* neidhold2005.c: the parameters, presets and constants of neidhold2005. Its physics: neidhold2005_cell.h. */
#include "engine/reference/reference_cell.h"

#include "models/neidhold2005/neidhold2005_cell.h"

#include <math.h>

#include "core/model_tables.h"

static const char *const gradient_names[] = {"component", "average", NULL};
static const char *const scaling_names[] = {"rates", "as-printed", NULL};
static const char *const mixing_names[] = {"pairs", "as-printed", NULL};
static const char *const evaporation_names[] = {"depth", "altitude", "lowland", "surface", NULL};
static const char *const rain_landing_names[] = {"moving", "at-rest", NULL};
static const char *const rain_times_names[] = {"even", "random", NULL};
static const char *const split_names[] = {"directional", "as-printed", NULL};

enum {
    P_dt,
    P_rain,
    P_rain_interval,
    P_rain_peak,
    P_rain_points,
    P_KA,
    P_KF,
    P_KC,
    P_KD,
    P_KS,
    P_KE,
    P_E,
    P_eps,
    P_v_split,
    P_k,
    P_kv,
    P_g,
    P_gradient,
    P_scaling,
    P_mixing,
    P_evaporation,
    P_rain_landing,
    P_rain_times,
    P_split,
    P_COUNT
};

static const wadi_parameter parameters[] = {
    [P_dt] = {"dt", "time-step", "s", "time step; sub-stepped where water could pass a cell in it", "3", 1e-6, 1, 10, 0,
              1, NULL, false},
    [P_rain] = {"r", "rain", "m/s", "steady rain, beside the showers", "ours", 0, 0, 0.05, 1, -1, NULL, true},
    [P_rain_interval] = {"rain_interval", "shower-interval", "s", "time between two showers; 0: none", "5", 0, 4, 1000,
                         0, 1, NULL, false},
    [P_rain_peak] = {"rain_peak", "shower-depth", "m",
                     "what falls on a point of a shower at the highest place; elsewhere with the square of the height",
                     "24", 0, 0.02, 10, 1, 0, NULL, true},
    [P_rain_points] = {"rain_points", "shower-points", "1", "share of the cells that a shower falls on", "5", 0, 0.05,
                       1, 0, 0, NULL, false},
    [P_KA] = {"KA", "friction", "1/s", "share of the velocity lost in a second", "1, 3", 0.01, 0.3, 1, 0, -1, NULL,
              false},
    [P_KF] = {"KF", "surface-fading", "s/m", "how much less the water's depth pushes it, for its speed", "13", 0, 0.05,
              1, -1, 1, NULL, false},
    [P_KC] = {"KC", "sediment-capacity", "s/m", "sediment that a depth of water can hold, for its speed", "19, T2", 0,
              1.5, 15, -1, 1, NULL, true},
    [P_KD] = {"KD", "deposition-rate", "1/s", "share of what is too much that is dropped in a second", "20, T2", 0, 0.5,
              1, 0, -1, NULL, true},
    [P_KS] = {"KS", "dissolving-rate", "1/s", "share of what is lacking that is dug in a second", "22, T2", 0, 0.3, 1,
              0, -1, NULL, true},
    [P_KE] = {"KE", "evaporation-rate", "1/s", "evaporation: rate at which the depth decays", "25", 0, 0.02, 1, 0, -1,
              NULL, true},
    [P_E] = {"E", "surface-evaporation", "m/s",
             "with evaporation = surface: depth lost in a second from every wet cell", "ours", 0, 0.002, 0.05, 1, -1,
             NULL, true},
    [P_eps] = {"eps", "dry-depth", "m", "less water than this is gone", "25", 1e-9, 1e-7, 0.1, 1, 0, NULL, false},
    [P_v_split] = {"v_split", "split-speed", "m/s", "slower water is split over all lower neighbours", "3.1", 0, 1,
                   1000, 1, -1, NULL, false},
    [P_k] = {"k", "water-mixing", "1/s", "share of a difference of surfaces that evens out in a second", "3, ours", 0,
             0.05, 1, 0, -1, NULL, false},
    [P_kv] = {"kv", "velocity-mixing", "1/s", "the same for velocity and sediment of neighbouring waters", "3, ours", 0,
              0.05, 1, 0, -1, NULL, false},
    [P_g] = {"g", "gravity", "m/s2", "gravity", "8", 0.1, 9.81, 20, 1, -2, NULL, false},
    [P_gradient] = {"gradient", "gradient-form", "",
                    "component: each component is the mean of the neighbours that have it; average: of all lower ones",
                    "12", 0, 0, 1, 0, 0, gradient_names, false},
    [P_scaling] = {"scaling", "rate-scaling", "", "rates: digging in proportion to time; as-printed: divided by it",
                   "19-23", 0, 0, 1, 0, 0, scaling_names, false},
    [P_mixing] = {"mixing", "mixing-form", "", "pairs: differences of the surface even out; as-printed: depths do", "3",
                  0, 0, 1, 0, 0, mixing_names, false},
    [P_evaporation] = {"evaporation", "evaporation-form", "",
                       "depth: KE; altitude: KE times the height; lowland: KE times 1 less the height; surface: E",
                       "25", 0, 0, 3, 0, 0, evaporation_names, false},
    [P_rain_landing] = {"rain_landing", "rain-speed", "",
                        "at-rest: rain and sources slow the water that they fall on; moving: they take on its speed",
                        "5-7", 0, 0, 1, 0, 0, rain_landing_names, false},
    [P_rain_times] = {"rain_times", "shower-times", "",
                      "even: a shower every rain_interval; random: one at a random time in each", "5", 0, 0, 1, 0, 0,
                      rain_times_names, false},
    [P_split] =
        {"split", "split-derivative", "",
         "slope of a split packet to a corner; directional: by its distance; as-printed: the whole fall on each axis",
         "10, 3.1", 0, 0, 1, 0, 0, split_names, false},
};
_Static_assert(sizeof parameters / sizeof *parameters == P_COUNT, "the table and its positions");

#define MOST_MIXED 0.1249 /* of a difference, with each of four neighbours: no cell gives more than it has */

static void prepare_rates(const wadi_setup *setup, constants *k) {
    const double *v = setup->values, dt = setup->dt_s, time = v[P_scaling] > 0 ? 1 / dt : dt;
    k->KC = (float)(v[P_scaling] > 0 ? v[P_KC] / dt : v[P_KC]);
    k->KD_dt = (float)(setup->mask * fmin(1, time * v[P_KD]));
    k->KS_dt = (float)(setup->mask * fmin(1, time * v[P_KS]));
    k->KE_dt = (float)(dt * v[P_KE]);
    k->evaporated = (float)(dt * v[P_E]);
    k->mask = (float)setup->mask;
}

static void prepare(const wadi_setup *setup, void *constants_) {
    constants *k = constants_;
    const double *v = setup->values, dt = setup->dt_s, lx = setup->lx, ly = setup->ly;
    const double diagonal2 = lx * lx + ly * ly, relief = setup->high_m - setup->low_m;
    k->rain_dt = (float)(dt * v[P_rain]);
    k->shower = 0;
    k->peak = (float)v[P_rain_peak];
    prepare_rates(setup, k);
    k->g_dt = (float)(dt * v[P_g]);
    k->left = (float)(1 - fmin(1, dt * v[P_KA]));
    k->inv_lx = (float)(1 / lx);
    k->inv_ly = (float)(1 / ly);
    k->corner_x = v[P_split] > 0 ? k->inv_lx : (float)(lx / diagonal2);
    k->corner_y = v[P_split] > 0 ? k->inv_ly : (float)(ly / diagonal2);
    k->cells_x = (float)(dt / lx);
    k->cells_y = (float)(dt / ly);
    k->slope_KF = (float)v[P_KF];
    k->v_split = (float)v[P_v_split];
    k->k = (float)fmin(MOST_MIXED, dt * v[P_k]);
    k->kv = (float)fmin(MOST_MIXED, dt * v[P_kv]);
    k->eps = (float)v[P_eps];
    k->tiny = (float)fmax(1e-16, 1e-9 * v[P_eps]); /* m: thinner water carries nothing */
    k->lx = (float)lx;
    k->ly = (float)ly;
    k->low = (float)setup->low_m;
    k->inv_relief = relief > 0 ? (float)(1 / relief) : 0.0f;
    k->average = v[P_gradient] > 0;
    k->smooth = v[P_mixing] > 0;
    k->anywhere = (int)v[P_evaporation] == 0;
    k->high = (int)v[P_evaporation] == 1;
    k->lowland = (int)v[P_evaporation] == 2;
    k->surface = (int)v[P_evaporation] == 3;
    k->at_rest = v[P_rain_landing] > 0;
    k->open = setup->boundary == WADI_OPEN;
}

static unsigned processes(const double *v) {
    (void)v;
    return FLOWS;
}

/* From rest a horizontal speed never exceeds g/(2*KA), so no packet crosses more than a cell in this time. This is an
 * exact bound and needs no margin. */
static double longest_dt_s(const double *v, double lx, double ly) {
    return fmin(2 * v[P_KA] * fmin(lx, ly) / v[P_g], 1 / v[P_KA]) / WADI_SAFETY;
}

/* Rain erodes on its whole way to the border or to a lake. By experiment, rain of 0.05 of the relief, in the time that
 * water needs for 100 cells of 1 m, stays well under twice the relief in 400 steps. Five times as much does not. */
static const char *warning(const wadi_setup *setup) {
    const double *v = setup->values, time_s = 100 * sqrt(sqrt(setup->lx * setup->ly));
    if (!(v[P_KC] * v[P_KS] > 0)) return NULL;
    const double shower = v[P_rain_interval] > 0 ? v[P_rain_points] / v[P_rain_interval] : 0;
    return wadi_too_wet((wadi_rain){"r", "m/s", v[P_rain], time_s * v[P_rain]},
                        (wadi_rain){"rain_peak", "m", v[P_rain_peak], time_s * shower * v[P_rain_peak]},
                        0.05 * wadi_relief(setup));
}

static wadi_showers showers(const double *v) {
    const wadi_showers rain = {v[P_rain_interval], v[P_rain_peak] > 0 ? v[P_rain_points] : 0, v[P_rain_times] > 0};
    return rain;
}

static const wadi_setting ravines[] = {{"KA", "1"},  {"KC", "0.5"}, {"rain_peak", "0.1"},
                                       {"k", "0.5"}, {"kv", "0.5"}, {"rain_landing", "at-rest"},
                                       {NULL, NULL}};
static const wadi_setting torrents[] = {{"KC", "0.3"}, {"rain_peak", "0.1"},        {"k", "1"},
                                        {"kv", "1"},   {"rain_landing", "at-rest"}, {NULL, NULL}};
static const wadi_setting runnels[] = {{"rain_landing", "at-rest"}, {NULL, NULL}};

static const wadi_preset presets[] = {
    {"ravines", "a rough bed: slow water cuts branching valleys and fills hollows; the default", WADI_SCALE_CELL,
     WADI_OPEN, 800, NULL, ravines, .georeferenced = true},
    {"torrents", "fast water that stirs: straight rivers, lakes that silt up", WADI_SCALE_CELL, WADI_OPEN, 300, NULL,
     torrents},
    {"runnels", "the paper's friction, thin rain that can carry much: narrow gullies", WADI_SCALE_CELL, WADI_OPEN, 300,
     NULL, runnels},
};

/* Factors chosen from pictures of several presets and terrains (docs/presets.md). */
static const wadi_knob_move strength[] = {{"KC", .factor = 2.5}, {NULL}};
static const wadi_knob_move age[] = {{"duration", .factor = 3}, {NULL}};
static const wadi_knob_move rain[] = {{"rain_peak", .factor = 2.5}, {"r", .factor = 2.5}, {NULL}};
static const wadi_knob_move rock[] = {{"KS", .factor = 0.4}, {NULL}};
static const wadi_knob_move fill[] = {{"KD", .factor = 2}, {NULL}};

static const wadi_knob knobs[] = {
    {"strength", "how much sediment water can carry: how deep it cuts", strength},
    {"age", "how long the run lasts", age},
    {"rain", "how much it rains", rain},
    {"rock", "how hard the rock is: slower digging", rock},
    {"fill", "how soon sediment settles: at the foot of slopes, or far out", fill},
};

const wadi_model wadi_model_neidhold2005;
const wadi_model wadi_model_neidhold2005 = {
    .id = "neidhold2005",
    .title = "Newtonian water packets (Neidhold, Wacker, Deussen 2005)",
    .citation = "B. Neidhold, M. Wacker, O. Deussen: Interactive physically based Fluid and Erosion Simulation. "
                "Eurographics Workshop on Natural Phenomena, 2005.",
    .boundary = WADI_OPEN,
    .parameters = parameters,
    .parameter_count = P_COUNT,
    .presets = presets,
    .preset_count = sizeof presets / sizeof *presets,
    .knobs = knobs,
    .knob_count = sizeof knobs / sizeof *knobs,
    .prepare = prepare,
    .processes = processes,
    .longest_dt_s = longest_dt_s,
    .warning = warning,
    .showers = showers,
    .gaussian_sources = true,
    MODEL_TABLES,
};
