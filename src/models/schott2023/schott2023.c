/* schott2023.c: the parameters, presets and constants of schott2023. Its physics: schott2023_cell.h. */
#include "engine/reference/reference_cell.h"

#include "models/schott2023/schott2023_cell.h"

#include <math.h>

#include "core/model_tables.h"
#include "models/face.h"

static const char *const hollow_names[] = {"fill", "breach", NULL};

static const char *const outlet_names[] = {"border", "low", NULL};
static const char *const corner_names[] = {"plain", "even", "few", NULL};
static const char *const slope_names[] = {"neighbour", "plane", NULL};

enum {
    P_dt,
    P_U,
    P_K,
    P_m,
    P_n,
    P_rain,
    P_P0,
    P_G,
    P_D,
    P_S_c,
    P_spread,
    P_p,
    P_v,
    P_hollows,
    P_variety,
    P_outlets,
    P_corners,
    P_slopes,
    P_strata,
    P_bed,
    P_bed_level,
    P_bed_variety,
    P_floor,
    P_lateral,
    P_sea,
    P_sea_level,
    P_front,
    P_waves,
    P_wave_base,
    P_shelter,
    P_track_sliding,
    P_soil,
    P_COUNT
};

static const wadi_parameter parameters[] = {
    [P_dt] = {"dt", "time-step", "a", "time step", "ours", 1e-3, 50, 1e5, 0, 1, NULL, false, 1},
    [P_U] = {"U", "uplift", "mm/a", "uplift", "1", 0, 0.08, 10, 1, -1, NULL, true},
    [P_K] = {"K", "erodibility", "m^(1-2m)/a", "erodibility of the ground", "1", 0, 1.2e-5, 1, 0, -1, NULL, true},
    [P_m] = {"m", "area-exponent", "1", "exponent of the drainage area", "1", 0.1, 0.5, 1, 0, 0, NULL, false},
    [P_n] = {"n", "slope-exponent", "1", "exponent of the slope", "1", 0.5, 1, 2, 0, 0, NULL, false},
    [P_rain] = {"P", "rain", "m/a", "precipitation", "2", 0, 0.16, 2, 1, -1, NULL, true},
    [P_P0] = {"P0", "mean-rain", "m/a", "precipitation for which K holds", "2", 1e-3, 0.16, 2, 1, -1, NULL, false},
    [P_G] = {"G", "deposition", "1", "deposition: 0 none, 1 as much as sediment passes the cell's own share", "3", 0,
             0.3, 10, 0, 0, NULL, false},
    [P_D] = {"D", "hillslope-diffusion", "m2/a", "diffusion of hillslopes", "4", 0, 4e-5, 0.01, 2, -1, NULL, false},
    [P_S_c] = {"S_c", "critical-slope", "1", "slope above which ground slides into the valley", "5", 0.01, 0.9, 100, 0,
               0, NULL, false},
    [P_spread] = {"spread", "spread", "1", "0: water goes to the steepest neighbour; 1: to all lower ones", "6", 0, 0.5,
                  1, 0, 0, NULL, false},
    [P_p] = {"p", "spread-exponent", "1", "lower neighbours share in proportion to slope^p; a whole number", "6", 1, 4,
             7, 0, 0, NULL, false},
    [P_v] = {"v", "river-speed", "m/s", "speed of the rivers; sets their depth alone", "ours", 1e-3, 0.16, 10, 1, -1,
             NULL, false},
    [P_hollows] = {"hollows", "hollows", "", "fill: sediment fills them; breach: it passes, and the outlet is cut down",
                   "7", 0, 0, 1, 0, 0, hollow_names, false},
    [P_variety] = {"variety", "rock-variety", "1",
                   "how much K differs from cell to cell, by chance: K (1 - variety) to K (1 + variety)", "ours", 0, 0,
                   1, 0, 0, NULL, false},
    [P_outlets] = {"outlets", "outlets", "",
                   "of an open border, what keeps its height: all of the border; or low, only cells without a lower "
                   "neighbour",
                   "ours", 0, 0, 1, 0, 0, outlet_names, false},
    [P_corners] =
        {"corners", "corners", "",
         "what lower neighbours at the corners get of what spreads: plain, as those at the sides; even, less, so "
         "that water spreads alike in all directions; few, a third less than that, so that small valleys prefer no "
         "direction where the ground creeps",
         "ours", 0, 0, 2, 0, 0, corner_names, false},
    [P_slopes] =
        {"slopes", "slopes", "",
         "the slope by which rivers cut: to the steepest neighbour, or of the steepest plane, which is the same "
         "in all directions",
         "1", 0, 0, 1, 0, 0, slope_names, false},
    [P_strata] = {"strata", "strata", "1",
                  "layers of rock: hard ones have K (1 - strata) and S_c (1 + strata), soft ones the reverse", "ours",
                  0, 0, 1, 0, 0, NULL, true},
    [P_bed] = {"bed", "layer-thickness", "m", "mean thickness of a hard layer with the soft one above it", "ours", 1e-3,
               50, 1e4, 1, 0, NULL, false},
    [P_bed_level] = {"bed_level", "layer-level", "m",
                     "height from which layers are counted; a map tilts, folds or breaks them", "ours", -1e5, 0, 1e5, 1,
                     0, NULL, true},
    [P_bed_variety] = {"bed_variety", "layer-variety", "1",
                       "how much hard layers differ: (1 - bed_variety) to 1 times strata", "ours", 0, 0, 1, 0, 0, NULL,
                       false},
    [P_floor] = {"floor", "valley-floor", "1",
                 "width of the flat floors of valleys, by the root of the drainage area; 0: none", "ours", 0, 0, 1, 0,
                 0, NULL, false},
    [P_lateral] = {"lateral", "lateral-erosion", "m/a",
                   "with floor > 0: how fast the walls beside a floor retreat, at most a cell a step; 0: at once",
                   "ours", 0, 0, 10, 1, -1, NULL, false},
    WADI_SEA_PARAMETERS,
    [P_front] = {"front", "delta-front", "1", "with sea = on: slope of a delta's front under water", "ours", 1e-3, 0.1,
                 10, 0, 0, NULL, false},
    [P_waves] = {"waves", "wave-retreat", "m/a",
                 "with sea = on: how fast waves cut back a straight coast; 0: not at all", "ours", 0, 0, 10, 1, -1,
                 NULL, true},
    [P_wave_base] = {"wave_base", "wave-depth", "m", "with sea = on: depth to which waves cut", "ours", 1e-3, 0.5, 100,
                     1, 0, NULL, false},
    [P_shelter] = {"shelter", "wave-shelter", "m",
                   "with sea = on: waves spare bays of a smaller radius, and cut headlands more; 0: all coasts alike",
                   "ours", 0, 0, 1e4, 1, 0, NULL, false},
    WADI_TRACK_SLIDING_PARAMETER,
    [P_soil] = {"soil", "soil", "1",
                "factor of the diffusion: 0 on bare rock, 1 where soil creeps; between two cells D times the product "
                "of theirs",
                "ours", 0, 1, 1, 0, 0, NULL, true},
};
_Static_assert(sizeof parameters / sizeof *parameters == P_COUNT, "the table and its positions");

#define TILT 0x1p-13 /* of a lake's level: little, but float32 keeps it at any height */

static void prepare_distances(const wadi_setup *setup, constants *k) {
    const double lx = setup->lx, ly = setup->ly, ld = sqrt(lx * lx + ly * ly);
    k->inv_side = (float)(1 / sqrt(lx * ly));
    k->lx = (float)lx, k->ly = (float)ly, k->ld = (float)ld;
    k->inv_lx = (float)(1 / lx), k->inv_ly = (float)(1 / ly), k->inv_ld = (float)(1 / ld);
}

/* Of a neighbour at a corner, beside one at a side: water that falls along an axis and along a diagonal then spreads
 * sideways as fast, for its way. q: the share at an angle of 45 degrees to the fall. Close to the lengths of contours
 * of Quinn and others 1991. */
static double corner_share(double p) {
    const double q = pow(2, -p / 2);
    const double a = 2 * sqrt(2), b = (a - 2) * q; /* a w^2 + b w = 1 */
    return (sqrt(b * b + 4 * a) - b) / (2 * a);
}

static void prepare_shares(const double *v, constants *k) {
    const int p = (int)nearbyint(v[P_p]);
    k->one = (float)(1 - v[P_spread]);
    k->many = (float)v[P_spread];
    const double even = corner_share(v[P_p]), few = even * 2 / 3;
    const double corner = v[P_corners] > 1 ? few : v[P_corners] > 0 ? even : 1;
    k->many_d = (float)(v[P_spread] * corner);
    k->p1 = (float)(p & 1), k->p2 = (float)(p >> 1 & 1), k->p4 = (float)(p >> 2 & 1);
}

/* Rivers take their own time: in a step water runs through one cell (core/supply.c). The ground takes dt. */
static double water_s(const double *v, double lx, double ly) { return sqrt(lx * ly) / v[P_v]; }

static void prepare(const wadi_setup *setup, void *constants_) {
    constants *k = constants_;
    const double *v = setup->values, dt_a = setup->dt_s / WADI_YEAR_S, area = setup->lx * setup->ly;
    const double a = water_s(v, setup->lx, setup->ly) / WADI_YEAR_S;
    prepare_distances(setup, k);
    prepare_shares(v, k);
    k->rain_dt = (float)(v[P_rain] * a);
    k->inv_rain = (float)(1 / (v[P_P0] * a));
    k->settling = (float)(v[P_G] * v[P_P0] * a);
    k->uplift_dt = (float)(setup->mask * v[P_U] * 1e-3 * dt_a);
    k->power = (float)(setup->mask * v[P_K] * dt_a * pow(area, v[P_m]));
    k->mask = (float)setup->mask;
    k->cover = (float)(setup->mask * v[P_soil]);
    k->fill = v[P_hollows] > 0 ? 0.0f : 1.0f;
    k->rims = v[P_outlets] > 0 ? 0.0f : 1e12f;
    k->m = (float)v[P_m];
    k->n_less_1 = (float)(v[P_n] - 1);
    k->S_c = (float)v[P_S_c];
    PREPARE_FACE(k, v[P_S_c], setup->lx, setup->ly);
    k->variety = (float)(2 * v[P_variety]);
    k->strata = (float)v[P_strata];
    k->planes = v[P_slopes] > 0 ? 1.0f : 0.0f;
    k->wide = (float)(0.5 * v[P_floor] * sqrt(area));
    k->own = (float)(0.5 * sqrt(area));
    const double retreat = v[P_lateral] > 0 ? v[P_lateral] * dt_a : 1e30;
    k->retreat_x = (float)fmin(retreat / setup->lx, 1), k->retreat_y = (float)fmin(retreat / setup->ly, 1);
    k->retreat_d = (float)fmin(retreat / sqrt(setup->lx * setup->lx + setup->ly * setup->ly), 1);
    k->inv_bed = (float)(1 / v[P_bed]);
    k->bed_level = (float)v[P_bed_level];
    k->differ = (float)v[P_bed_variety];
    k->creep_x = (float)(v[P_D] * dt_a / (setup->lx * setup->lx));
    k->creep_y = (float)(v[P_D] * dt_a / (setup->ly * setup->ly));
    const bool tide = v[P_sea] > 0 && setup->boundary == WADI_OPEN;
    k->sea = tide ? (float)wadi_sea_height(v[P_sea_level]) : -WADI_WALL;
    k->tide = tide;
    k->front = (float)v[P_front];
    k->waves = tide ? (float)(setup->mask * v[P_waves] * dt_a / sqrt(area)) : 0;
    k->wave_base = (float)v[P_wave_base];
    k->alike = v[P_shelter] > 0 ? 0.0f : 1.0f;
    k->refracts = (float)(v[P_shelter] * 4 / (EXPOSED_CELLS * sqrt(area)));
    k->tilt = (float)TILT;
    k->rise = (float)(TILT * sqrt(area));
    k->lift = (float)(v[P_U] * 1e-3 * dt_a);
    k->passes = v[P_U] > 0 ? 2e20f : 0.0f;
    k->none = (float)(0x1p-20 * sqrt(area));
    k->area_per_m = (float)(area / (v[P_P0] * a));
    k->area_per_s = (float)(area / water_s(v, setup->lx, setup->ly));
    k->general = v[P_m] != 0.5 || v[P_n] != 1;
    k->slope_power = v[P_n] != 1;
    k->open = setup->boundary == WADI_OPEN;
}

static unsigned processes(const double *v) {
    return FLOWS | (v[P_track_sliding] > 0 ? TRACKS : 0) | (v[P_floor] > 0 ? WIDENS : 0) |
           (v[P_sea] > 0 && v[P_shelter] > 0 ? REFRACTS : 0);
}

/* Diffusion is explicit. All else is stable at any dt. */
static double longest_dt_s(const double *v, double lx, double ly) {
    const double D = v[P_D] * v[P_soil] * v[P_soil];
    return D > 0 ? 0.25 * WADI_YEAR_S / (D * (1 / (lx * lx) + 1 / (ly * ly))) : INFINITY;
}

static const char *warning(const wadi_setup *setup) {
    const double *v = setup->values, cell = fmin(setup->lx, setup->ly), way = v[P_lateral] * setup->dt_s / WADI_YEAR_S;
    return v[P_floor] > 0 && way > cell ? "walls beside a floor retreat by a cell a step at most, which is less than "
                                          "lateral asks; use a smaller dt"
                                        : NULL;
}

#define MA (1e6 * WADI_YEAR_S)
/* Chosen by eye. */
static const wadi_setting mountains[] = {
    {"dt", "10"},       {"U", "0.065"},     {"K", "2.5e-5"},     {"D", "8e-5"},       {"S_c", "0.75"},
    {"variety", "0.9"}, {"outlets", "low"}, {"corners", "even"}, {"slopes", "plane"}, {NULL, NULL}};
static const wadi_setting hills[] = {{"dt", "10"},        {"U", "0.013"},     {"K", "2.4e-5"},    {"D", "6.5e-5"},
                                     {"S_c", "0.5"},      {"variety", "0.9"}, {"outlets", "low"}, {"corners", "even"},
                                     {"slopes", "plane"}, {NULL, NULL}};
static const wadi_preset presets[] = {
    {"mountains", "a range that rises and is cut by rivers; the default", WADI_SCALE_WORLD, WADI_OPEN, 0.18 * MA, NULL,
     mountains, .georeferenced = true, .levels = 5},
    {"hills", "old rock that hardly rises: low ridges and wide valleys", WADI_SCALE_WORLD, WADI_OPEN, 0.15 * MA, NULL,
     hills, .levels = 5},
};

const wadi_model wadi_model_schott2023;
const wadi_model wadi_model_schott2023 = {
    .id = "schott2023",
    .title = "uplift against rivers (Schott and others 2023)",
    .citation = "H. Schott, A. Paris, L. Fournier, E. Guerin, E. Galin: Large-scale Terrain Authoring through "
                "Interactive Erosion Simulation. ACM Transactions on Graphics 42(5), 2023.",
    .boundary = WADI_OPEN,
    .parameters = parameters,
    .parameter_count = P_COUNT,
    .presets = presets,
    .preset_count = sizeof presets / sizeof *presets,
    .prepare = prepare,
    .processes = processes,
    .longest_dt_s = longest_dt_s,
    .warning = warning,
    .sediment_passes = true,
    MODEL_TABLES,
};
