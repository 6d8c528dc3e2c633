/* mei2007.c: the parameters, presets and constants of mei2007. Its physics: mei2007_cell.h. */
#include "engine/reference/reference_cell.h"

#include "models/mei2007/mei2007_cell.h"

#include "core/model_tables.h"
#include "models/pipes.h"

PIPES_CHOICES

enum { P_rain_map = P_PIPES, P_sea, P_sea_level, P_COUNT };

static const wadi_parameter parameters[] = {
    PIPES_WATER_PARAMETERS("r", "1"),
    [P_Kc] = {"Kc", "sediment-capacity", "s", "sediment that flow can carry, for its speed and the tilt", "10", 0, 0.05,
              12, 0, 1, NULL, true},
    [P_Ks] = {"Ks", "dissolving", "1", "share of the missing sediment dissolved in a step", "11", 0, 0.01, 1, 0, 0,
              NULL, true, .cell_power = 1},
    [P_Kd] = {"Kd", "deposition", "1", "share of the surplus sediment deposited in a step", "12", 0, 0.01, 1, 0, 0,
              NULL, true, .cell_power = 1},
    PIPES_FLOW_PARAMETERS,
    [P_rain_map] = {"rm", "rain-map", "1", "the rain of a cell is r times it; a map says where it rains", "ours", 0, 1,
                    1000, 0, 0, NULL, true},
    WADI_SEA_PARAMETERS,
};
_Static_assert(sizeof parameters / sizeof *parameters == P_COUNT, "the table and its positions");

/* Ks and Kd are shares per user's step. Each sub-step takes its fraction. */
static void prepare(const wadi_setup *setup, void *constants_) {
    constants *k = constants_;
    PREPARE_PIPES(k, setup);
    k->rain_dt = (float)(setup->dt_s * setup->values[P_rain] * setup->values[P_rain_map]);
    k->Ks = (float)(setup->mask * setup->values[P_Ks] / setup->substeps);
    k->Kd = (float)(setup->mask * setup->values[P_Kd] / setup->substeps);
}

static unsigned processes(const double *v) {
    return HYDRAULIC | (v[P_advection] > 0 ? SEMI : FLUX) | (v[P_pipes] > 0 ? EIGHT : FOUR) | (v[P_sea] > 0 ? SEA : 0) |
           (v[P_infiltration] > 0 ? SOAKS : 0) | (v[P_Kl] > 0 ? LATERAL : 0);
}

/* As the warning wants it. */
static void limit(double *v) {
    if (v[P_Ks] * v[P_Kc] > 0.5 * v[P_dt]) v[P_Ks] = 0.5 * v[P_dt] / v[P_Kc];
}

static const char *warning(const wadi_setup *setup) {
    const double *v = setup->values;
    return v[P_Ks] * v[P_Kc] > 0.5 * v[P_dt] ? "Ks*Kc/dt is above 0.5: the bed may grow a checkerboard; lower Kc or Ks"
                                             : NULL;
}

/* Values are for 512 x 512 cells of 1 m, chosen from pictures (docs/presets.md). FLOW: as in jako2011. */
#define FLOW \
    {"pipes", "8"}, {"pipe_area", "depth"}, {"Fr", "0.7"}, {"dt", "0.1"}, {"A", "6"}, { "Kl", "0.3" }
static const wadi_setting gullies[] = {FLOW,        {"r", "0.003"},  {"cf", "0.4"},  {"d_floor", "0.1"},
                                       {"Kc", "3"}, {"Ks", "0.012"}, {"Kd", "0.02"}, {NULL, NULL}};
static const wadi_setting stream[] = {FLOW,          {"r", "0"},     {"cf", "0.2"},  {"d_floor", "0.1"},
                                      {"Kc", "1.5"}, {"Ks", "0.03"}, {"Kd", "0.02"}, {NULL, NULL}};
static const wadi_setting channels[] = {FLOW,          {"r", "0.001"}, {"cf", "0.3"},  {"d_floor", "0.05"},
                                        {"Kc", "1.2"}, {"Ks", "0.02"}, {"Kd", "0.05"}, {NULL, NULL}};

static const char *const channels_aliases[] = {"dem", NULL};

static const wadi_preset presets[] = {
    {"gullies", "rain cuts dense branching gullies", WADI_SCALE_WORLD, WADI_OPEN, 150, NULL, gullies},
    {"stream", "no rain: for river sources, which dig one braided bed each and a fan", WADI_SCALE_WORLD, WADI_OPEN, 200,
     NULL, stream},
    {"channels", "real terrain: gullies and channels, hillslopes left alone", WADI_SCALE_WORLD, WADI_OPEN, 150, NULL,
     channels, .georeferenced = true, .aliases = channels_aliases},
};

/* Factors chosen from pictures of several presets and terrains (docs/presets.md). */
static const wadi_knob_move strength[] = {{"Kc", .factor = 2.5}, {NULL}};
static const wadi_knob_move age[] = {{"duration", .factor = 3}, {NULL}};
static const wadi_knob_move rain[] = {{"r", .factor = 2.5}, {NULL}};
static const wadi_knob_move rock[] = {{"Ks", .factor = 0.25}, {NULL}};
static const wadi_knob_move fill[] = {{"Kd", .factor = 5}, {NULL}};

static const wadi_knob knobs[] = {
    {"strength", "how much sediment water can carry: how deep it cuts", strength},
    {"age", "how long the run lasts", age},
    {"rain", "how much it rains", rain},
    {"rock", "how hard the rock is: slower digging", rock},
    {"fill", "how soon sediment settles: at the foot of slopes, or far out", fill},
};

const wadi_model wadi_model_mei2007;
const wadi_model wadi_model_mei2007 = {
    .id = "mei2007",
    .title = "virtual pipes (Mei, Decaudin, Hu 2007)",
    .citation = "X. Mei, P. Decaudin, B.-G. Hu: Fast Hydraulic Erosion Simulation and Visualization on GPU. "
                "Pacific Graphics 2007, pp. 47-56. doi:10.1109/PG.2007.15",
    .boundary = WADI_CLOSED,
    .parameters = parameters,
    .parameter_count = P_COUNT,
    .presets = presets,
    .preset_count = sizeof presets / sizeof *presets,
    .knobs = knobs,
    .knob_count = sizeof knobs / sizeof *knobs,
    .limit = limit,
    .prepare = prepare,
    .processes = processes,
    .longest_dt_s = pipes_longest_dt_s,
    .limit_waves = pipes_limit_waves,
    .warning = warning,
    MODEL_TABLES,
};
