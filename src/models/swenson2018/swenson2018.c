/* swenson2018.c: the parameters, presets and constants of swenson2018. Its physics: swenson2018_cell.h. */
#include "engine/reference/reference_cell.h"

#include "models/swenson2018/swenson2018_cell.h"

#include <math.h>

#include "core/model_tables.h"
#include "models/infiltration.h"

static const char *const evaporation_names[] = {"depth", "surface", NULL};
INFILTRATION_CHOICE

enum {
    P_dt,
    P_rain,
    P_ABRASION,
    P_SOLUBILITY,
    P_DEEP,
    P_EVAPORATION,
    P_E,
    P_beta,
    P_evaporation,
    P_infiltration,
    P_Ksat,
    P_psi,
    P_dtheta,
    P_COUNT
};

/* A step of the report has no length. dt only sets how much time a step takes, for rain and discharge. */
static const wadi_parameter parameters[] = {
    [P_dt] = {"dt", "time-step", "s", "time that a step stands for", "ours", 1e-6, 1, 1e6, 0, 1, NULL, false},
    [P_rain] = {"r", "rain", "m/s", "rain rate", "6", 0, 0.01, 1, 1, -1, NULL, true},
    [P_ABRASION] = {"ABRASION", "abrasion", "1", "bed dug by a depth of water passing", "4", 0, 0.1, 1, 0, 0, NULL,
                    true},
    [P_SOLUBILITY] = {"SOLUBILITY", "solubility", "1", "sediment that a depth of water can hold", "4", 0, 1, 10, 0, 0,
                      NULL, true},
    [P_DEEP] = {"DEEP_WATER_CUTOFF", "deep-water-cutoff", "m", "depth of water from which the bed is out of reach", "4",
                1e-3, 10, 50, 1, 0, NULL, true},
    [P_EVAPORATION] = {"EVAPORATION", "evaporation-share", "1", "share of the depth lost in a step", "4", 0, 0.5, 0.95,
                       0, 0, NULL, true},
    [P_E] = {"E", "surface-evaporation", "m/s",
             "with evaporation = surface: depth lost in a second from every wet cell", "ours", 0, 0.005, 1, 1, -1, NULL,
             true},
    [P_beta] = {"beta", "damping", "1",
                "share of a difference of water surfaces that flows in a step; the report's is 0.25", "b", 1e-3, 0.2,
                0.25, 0, 0, NULL, false},
    [P_evaporation] = {"evaporation", "evaporation-form", "",
                       "depth: in proportion to depth (EVAPORATION); surface: the same depth everywhere (E)", "4", 0, 0,
                       1, 0, 0, evaporation_names, false},
    INFILTRATION_PARAMETERS,
};
_Static_assert(sizeof parameters / sizeof *parameters == P_COUNT, "the table and its positions");

static void prepare(const wadi_setup *setup, void *constants_) {
    constants *k = constants_;
    const double *v = setup->values, area = setup->lx * setup->ly;
    k->rain_dt = (float)(setup->dt_s * v[P_rain]);
    k->abrasion = (float)(setup->mask * v[P_ABRASION]);
    k->solubility = (float)v[P_SOLUBILITY];
    k->inv_deep = (float)(1 / v[P_DEEP]);
    k->keep = (float)(1 - fmin(1, v[P_EVAPORATION]));
    k->evaporated = (float)(setup->dt_s * v[P_E]);
    PREPARE_INFILTRATION(k, v, setup->dt_s);
    k->mask = (float)setup->mask;
    k->beta = (float)v[P_beta];
    k->half_area_dt = (float)(0.5 * area / setup->dt_s);
    k->d_min = (float)(1e-9 * sqrt(area));
    k->surface = v[P_evaporation] > 0;
    k->open = setup->boundary == WADI_OPEN;
}

static unsigned processes(const double *v) { return FLOWS | (v[P_infiltration] > 0 ? SOAKS : 0); }

/* Any dt is stable: beta and EVAPORATION are fractions of a step. */
static double longest_dt_s(const double *v, double lx, double ly) {
    (void)v, (void)lx, (void)ly;
    return INFINITY;
}

#define STEPS 1000 /* of a long run */
#define REACH 30   /* cells that rain runs through before it rests in a hollow, at most */

/* Rain that soaks in, m/s: Green and Ampt's rate falls to Ksat. */
static double soaked(const double *v) { return v[P_infiltration] > 0 ? v[P_Ksat] : 0; }

/* The depth of a step's rain that stays on the ground. */
static double rain_left(const double *v) { return v[P_dt] * fmax(0, v[P_rain] - soaked(v)); }

/* Deep water covers everything and nothing is dug: in a single step, or because rain gathers behind a closed border. */
static bool is_flooded(const wadi_setup *setup) {
    const double *v = setup->values, rain = rain_left(v);
    const double gathered =
        v[P_evaporation] > 0 ? STEPS * (rain - v[P_dt] * v[P_E]) : rain * fmin(STEPS, 1 / fmax(v[P_EVAPORATION], 1e-9));
    return rain > v[P_DEEP] || (setup->boundary == WADI_CLOSED && gathered > v[P_DEEP] + 0.25 * wadi_relief(setup));
}

/* Rain digs ABRASION of its depth in every cell on its way. Under DEEP_WATER_CUTOFF it digs nothing, so pits end there,
 * unless the water carries a multiple of its depth. The limits were found by trial: see the model's page. */
static const char *warning(const wadi_setup *setup) {
    const double *v = setup->values, rain = rain_left(v), relief = wadi_relief(setup);
    const double cells = v[P_evaporation] > 0 ? REACH : fmin(REACH, 1 / fmax(v[P_EVAPORATION], 1e-9));
    if (is_flooded(setup))
        return "rain keeps more water on the map than DEEP_WATER_CUTOFF lets dig: less r, or more EVAPORATION";
    if (v[P_DEEP] * sqrt(fmax(1, v[P_SOLUBILITY])) < relief) return NULL;
    return wadi_too_wet((wadi_rain){"r", "m/s", v[P_rain], v[P_ABRASION] * rain * cells, soaked(v)}, (wadi_rain){0},
                        0.003 * relief);
}

/* Chosen by eye: little rain that stays, and a bed that a few centimetres of water protect, dig valleys instead of
 * pits. */
static const wadi_setting brooks[] = {
    {"r", "1e-4"}, {"ABRASION", "0.02"}, {"EVAPORATION", "0.005"}, {"DEEP_WATER_CUTOFF", "0.05"}, {NULL, NULL}};
static const wadi_setting lakes[] = {{"r", "3e-4"}, {"ABRASION", "0.01"},       {"evaporation", "surface"},
                                     {"E", "2e-4"}, {"DEEP_WATER_CUTOFF", "1"}, {NULL, NULL}};
static const wadi_setting report[] = {{"r", "3e-4"}, {"ABRASION", "0.01"}, {"EVAPORATION", "0.05"}, {NULL, NULL}};
static const wadi_setting report_fast[] = {{"r", "1e-3"}, {NULL, NULL}};

static const wadi_preset presets[] = {
    {"brooks", "little rain that stays: branching valleys with brooks; the default", WADI_SCALE_CELL, WADI_OPEN, 1000,
     NULL, brooks, .georeferenced = true},
    {"lakes", "evaporation off the surface: hillslopes dry, rivers and lakes in the valleys", WADI_SCALE_CELL,
     WADI_OPEN, 1000, NULL, lakes},
    {"report", "the report's constants: gullies, and pits where water stands", WADI_SCALE_CELL, WADI_CLOSED, 2000, NULL,
     report, .literal = true},
    {"report-fast", "ABRASION and EVAPORATION ten times the report's: less rain is needed, water hardly gathers",
     WADI_SCALE_CELL, WADI_CLOSED, 500, NULL, report_fast, .literal = true},
};

/* Factors chosen from pictures of several presets and terrains (docs/presets.md). */
static const wadi_knob_move strength[] = {{"ABRASION", .factor = 4}, {"SOLUBILITY", .factor = 1.5}, {NULL}};
static const wadi_knob_move age[] = {{"duration", .factor = 3}, {NULL}};
static const wadi_knob_move rain[] = {{"r", .factor = 2}, {NULL}};
static const wadi_knob_move drying[] = {{"EVAPORATION", .factor = 2.5}, {"E", .factor = 2.5}, {NULL}};
static const wadi_knob_move reach[] = {{"DEEP_WATER_CUTOFF", .factor = 3}, {NULL}};

static const wadi_knob knobs[] = {
    {"strength", "how much passing water digs, and can hold", strength},
    {"age", "how long the run lasts", age},
    {"rain", "how much it rains", rain},
    {"drying", "how soon water dries up", drying},
    {"reach", "how deep water may be that still digs", reach},
};

const wadi_model wadi_model_swenson2018;
const wadi_model wadi_model_swenson2018 = {
    .id = "swenson2018",
    .title = "velocity-free gather erosion (Swenson, Patil 2018)",
    .citation =
        "O. Swenson, Patil: hydraulic erosion in CUDA. Project report, 15-618, Carnegie Mellon University, 2018.",
    .boundary = WADI_CLOSED,
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
    MODEL_TABLES,
};
