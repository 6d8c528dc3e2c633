/* olsen2004.c: the parameters, presets and constants of olsen2004. Its physics: olsen2004_cell.h. */
#include "engine/reference/reference_cell.h"

#include "models/olsen2004/olsen2004_cell.h"

#include <math.h>

#include "core/model_tables.h"

static const char *const method_names[] = {"thermal", "thermal-optimised", "hydraulic", "hydraulic-optimised",
                                           "fast",    "thermal-isotropic", NULL};
static const char *const form_names[] = {"olsen", "musgrave", NULL};
static const char *const evaporation_names[] = {"depth", "surface", NULL};

enum { THERMAL, THERMAL_OPTIMISED, HYDRAULIC, HYDRAULIC_OPTIMISED, FAST, THERMAL_ISOTROPIC };
enum {
    P_dt,
    P_method,
    P_form,
    P_T,
    P_c,
    P_T_fast,
    P_c_fast,
    P_Kr,
    P_rain,
    P_levelling,
    P_Ks,
    P_Kc,
    P_Kd,
    P_Ke,
    P_E,
    P_evaporation,
    P_track_sliding,
    P_COUNT
};

/* The paper scales heights to 0..1, so T and Kr are multiplied by the terrain's relief. */
static const wadi_parameter parameters[] = {
    [P_dt] = {"dt", "time-step", "s", "time that an iteration stands for", "ours", 1e-6, 1, 1e6, 0, 1, NULL, false},
    [P_method] = {"method", "algorithm", "", "which of the six algorithms runs", "Olsen; ours", 0, FAST,
                  THERMAL_ISOTROPIC, 0, 0, method_names, false},
    [P_form] = {"form", "formulas", "", "thermal and hydraulic: Olsen's, or Musgrave's originals", "Musgrave 1989", 0,
                0, 1, 0, 0, form_names, false},
    [P_T] = {"T", "talus", "1",
             "thermal: talus, as a height difference in units of relief/N, N the longer side in cells", "Olsen", 0, 4,
             256, 0, 0, NULL, true},
    [P_c] = {"c", "slip", "1", "thermal: share of the excess that slips in an iteration", "Olsen", 0, 0.5, 0.5, 0, 0,
             NULL, true},
    [P_T_fast] = {"T_fast", "fast-talus", "1", "fast: as T; what is flatter moves", "Olsen", 0, 12, 256, 0, 0, NULL,
                  true},
    [P_c_fast] = {"c_fast", "fast-slip", "1", "fast: share of the difference that moves in an iteration", "Olsen", 0,
                  0.25, 0.5, 0, 0, NULL, true},
    [P_Kr] = {"Kr", "rain-share", "1", "hydraulic: new water in an iteration, in units of the relief", "Olsen", 0,
              0.001, 0.1, 0, 0, NULL, true},
    [P_rain] = {"r", "rain", "m/s", "hydraulic: further rain", "ours", 0, 0, 1, 1, -1, NULL, true},
    [P_levelling] = {"levelling", "water-slip", "1",
                     "hydraulic-optimised: share of a fall of the water's surface that flows down it", "Olsen; ours",
                     0.01, 0.5, 0.5, 0, 0, NULL, true},
    [P_Ks] = {"Ks", "solubility", "1",
              "bed that a depth of water dissolves in an iteration; musgrave: share of what is missing", "Olsen", 0,
              0.1, 1, 0, 0, NULL, true},
    [P_Kc] = {"Kc", "capacity", "1", "material that a depth of water can hold", "Olsen", 0, 0.1, 1, 0, 0, NULL, true},
    [P_Kd] = {"Kd", "deposition", "1", "musgrave: share of the surplus dropped", "Musgrave 1989", 0, 0.1, 1, 0, 0, NULL,
              true},
    [P_Ke] = {"Ke", "evaporation-share", "1", "share of the water lost in an iteration", "Olsen", 0, 0.5, 1, 0, 0, NULL,
              true},
    [P_E] = {"E", "surface-evaporation", "m/s",
             "with evaporation = surface: depth lost in a second from every wet cell", "ours", 0, 0.002, 1, 1, -1, NULL,
             true},
    [P_evaporation] = {"evaporation", "evaporation-form", "",
                       "depth: in proportion to depth (Ke); surface: the same depth everywhere (E)", "Olsen", 0, 0, 1,
                       0, 0, evaporation_names, false},
    WADI_TRACK_SLIDING_PARAMETER,
};
_Static_assert(sizeof parameters / sizeof *parameters == P_COUNT, "the table and its positions");

static bool optimised(int method) {
    return method == THERMAL_OPTIMISED || method == HYDRAULIC_OPTIMISED || method == FAST;
}
static bool wet(int method) { return method == HYDRAULIC || method == HYDRAULIC_OPTIMISED; }

static void prepare(const wadi_setup *setup, void *constants_) {
    constants *k = constants_;
    const double *v = setup->values, area = setup->lx * setup->ly;
    const double relief = setup->high_m > setup->low_m ? setup->high_m - setup->low_m : sqrt(area);
    const double longer = setup->width > setup->height ? setup->width : setup->height;
    const bool fast = (int)v[P_method] == FAST;
    k->rain_dt = wet((int)v[P_method]) ? (float)(v[P_Kr] * relief + setup->dt_s * v[P_rain]) : 0;
    k->talus = (float)((fast ? v[P_T_fast] : v[P_T]) * relief / longer);
    int exponent;
    (void)frexp(relief, &exponent);
    k->grid = (float)ldexp(1.5, exponent);
    k->slip = wet((int)v[P_method]) ? 0 : (float)(setup->mask * (fast ? v[P_c_fast] : v[P_c]));
    k->levelling = (float)v[P_levelling];
    k->Ks = (float)v[P_Ks];
    k->Kc = (float)v[P_Kc];
    k->Kd = (float)v[P_Kd];
    k->keep = (float)(1 - fmin(1, v[P_Ke]));
    k->evaporated = (float)(setup->dt_s * v[P_E]);
    k->mask = (float)setup->mask;
    k->area_dt = (float)(area / setup->dt_s);
    k->d_min = (float)(1e-9 * sqrt(area));
    k->steep_x = (float)(sqrt(area) / setup->lx);
    k->steep_y = (float)(sqrt(area) / setup->ly);
    k->musgrave = v[P_form] > 0;
    k->gentle = fast;
    k->surface = v[P_evaporation] > 0;
    k->masked = setup->masked;
    k->open = setup->boundary == WADI_OPEN;
}

/* What slid stays known in the methods with water: there nothing slides. */
static unsigned processes(const double *v) {
    const int method = (int)v[P_method];
    const unsigned neighbours = method == THERMAL_ISOTROPIC ? ISOTROPIC : optimised(method) ? ROTATED : MOORE;
    return (wet(method) ? WATER : 0) | (!wet(method) || v[P_track_sliding] > 0 ? TALUS : 0) | neighbours |
           (v[P_track_sliding] > 0 ? TRACKS : 0);
}

/* Any dt is stable: all rates are fractions of an iteration. */
static double longest_dt_s(const double *v, double lx, double ly) {
    (void)v, (void)lx, (void)ly;
    return INFINITY;
}

/* An iteration's rain takes up to Kc or Ks of its depth from the bed. By experiment: with a thousandth of the relief an
 * iteration, changes stay below twice the relief in 500 iterations. */
static const char *warning(const wadi_setup *setup) {
    const double *v = setup->values, share = fmax(v[P_Kc], v[P_Ks]), relief = wadi_relief(setup);
    if (!wet((int)v[P_method])) return NULL;
    return wadi_too_wet((wadi_rain){"Kr", "", v[P_Kr], share * v[P_Kr] * relief},
                        (wadi_rain){"r", "m/s", v[P_rain], share * v[P_dt] * v[P_rain]}, 0.001 * relief);
}

/* Chosen by eye. The paper's Kr = 0.001 with Ke = 0.5 keeps the whole map under water. Less rain that stays longer
 * forms streams. */
static const wadi_setting seep[] = {{"method", "hydraulic"}, {"Kr", "1e-5"}, {"Ke", "0.05"}, {NULL, NULL}};
static const wadi_setting wash[] = {
    {"method", "hydraulic"}, {"Kr", "2e-5"}, {"Ks", "0.5"}, {"Kc", "0.5"}, {NULL, NULL}};
static const wadi_setting musgrave[] = {{"method", "hydraulic"}, {"form", "musgrave"}, {"Kr", "1e-5"}, {"Kc", "1"},
                                        {"Ke", "0.02"},          {NULL, NULL}};
static const wadi_setting seep_fast[] = {
    {"method", "hydraulic-optimised"}, {"Kr", "1e-5"}, {"Ke", "0.05"}, {"levelling", "0.2"}, {NULL, NULL}};
static const wadi_setting terraces[] = {{"method", "fast"}, {"T_fast", "3"}, {"c_fast", "0.1"}, {NULL, NULL}};
static const wadi_setting talus[] = {{"method", "thermal-isotropic"}, {"T", "2"}, {NULL, NULL}};
static const wadi_setting talus_paper[] = {{"method", "thermal"}, {"T", "2"}, {NULL, NULL}};
static const wadi_setting talus_fast[] = {{"method", "thermal-optimised"}, {"T", "2"}, {NULL, NULL}};
static const wadi_setting paper[] = {{"method", "fast"}, {NULL, NULL}};

static const wadi_preset presets[] = {
    {"seep", "water levels out and carries: branching rills and small lakes; the default", WADI_SCALE_CELL, WADI_OPEN,
     500, NULL, seep, .georeferenced = true},
    {"wash", "thin water that dries at once: smooth hollows, crisp ridges, nothing wet in the end", WADI_SCALE_CELL,
     WADI_OPEN, 500, NULL, wash},
    {"musgrave", "the formulas of 1989: rills and flat lake floors", WADI_SCALE_CELL, WADI_OPEN, 500, NULL, musgrave},
    {"seep-fast", "hydraulic, optimised: rills along the diagonals", WADI_SCALE_CELL, WADI_OPEN, 500, NULL, seep_fast},
    {"terraces", "Olsen's fast form: flat ground flattens, cliffs stay", WADI_SCALE_CELL, WADI_CLOSED, 100, NULL,
     terraces},
    {"terraces-paper", "the same with the paper's T and c, for terrain as steep as his: soft ground flattens out",
     WADI_SCALE_CELL, WADI_CLOSED, 50, NULL, paper, .literal = true},
    {"talus", "slopes slip to the talus angle, the same in every direction", WADI_SCALE_CELL, WADI_CLOSED, 500, NULL,
     talus},
    {"talus-paper", "thermal, reference: to the angle along the axes, a gentler one along diagonals", WADI_SCALE_CELL,
     WADI_CLOSED, 500, NULL, talus_paper, .literal = true},
    {"talus-fast", "thermal, optimised: the same along the diagonals alone", WADI_SCALE_CELL, WADI_CLOSED, 500, NULL,
     talus_fast},
};

/* Factors chosen from pictures of several presets and terrains (docs/presets.md). */
static const wadi_knob_move strength[] = {
    {"Ks", .factor = 2.5}, {"Kc", .factor = 2.5}, {"c_fast", .factor = 2}, {NULL}};
static const wadi_knob_move age[] = {{"duration", .factor = 3}, {NULL}};
static const wadi_knob_move rain[] = {{"Kr", .factor = 3}, {NULL}};
static const wadi_knob_move drying[] = {{"Ke", .factor = 3}, {"E", .factor = 3}, {NULL}};
static const wadi_knob_move scree[] = {{"T", .factor = 0.5}, {"T_fast", .factor = 2}, {NULL}};

static const wadi_knob knobs[] = {
    {"strength", "how much water dissolves and holds; fast: how much slips", strength},
    {"age", "how long the run lasts", age},
    {"rain", "how much it rains", rain},
    {"drying", "how soon water dries up: rills near the ridges, or lakes in the valleys", drying},
    {"scree", "talus: how much slopes slip; fast: how much is flattened", scree},
};

const wadi_model wadi_model_olsen2004;
const wadi_model wadi_model_olsen2004 = {
    .id = "olsen2004",
    .title = "talus slippage and diffusive water (Musgrave 1989, Olsen 2004)",
    .citation =
        "J. Olsen: Realtime Procedural Terrain Generation. University of Southern Denmark, 2004; after F. K. Musgrave, "
        "C. E. Kolb, R. S. Mace: The Synthesis and Rendering of Eroded Fractal Terrains. SIGGRAPH 1989.",
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
