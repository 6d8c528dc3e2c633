/* braun1999.c: the parameters, presets and constants of braun1999. Its physics: braun1999_cell.h. */
#include "engine/reference/reference_cell.h"

#include "models/braun1999/braun1999_cell.h"

#include <math.h>

#include "core/model_tables.h"
#include "models/face.h"

static const char *const line_names[] = {"share", "height", NULL};

enum {
    P_dt,
    P_P,
    P_beta,
    P_line,
    P_share,
    P_ela,
    P_hold,
    P_f_d,
    P_f_s,
    P_frozen,
    P_fastest,
    P_k_c,
    P_adverse,
    P_lambda,
    P_K_g,
    P_l,
    P_U,
    P_v,
    P_S_c,
    P_sea,
    P_sea_level,
    P_COUNT
};

/* Standard values scale with the terrain. On one of 20 km those of the ice are the values of real ice. */
static const wadi_parameter parameters[] = {
    [P_dt] = {"dt", "time-step", "a", "time step", "ours", 1e-3, 4, 1e5, 0, 1, NULL, false, 1},
    [P_P] = {"P", "rain", "m/a", "most snow that falls, as ice", "Braun 1999", 0, 0.24, 10, 1, -1, NULL, true},
    [P_beta] = {"beta", "balance-gradient", "1/a", "how much more snow stays, or ice melts, for a metre of height",
                "Oerlemans 1997", 0, 0.044, 10, 0, -1, NULL, false},
    [P_line] = {"line", "line-by", "",
                "what gives the equilibrium line, where as much melts as falls: share, by the height range of the "
                "terrain; height, in metres",
                "ours", 0, 0, 1, 0, 0, line_names, false},
    [P_share] = {"share", "line-share", "1",
                 "with line = share: height of the line in the terrain as given; 0: its lowest cell, 1: its highest",
                 "ours", -2, 0.35, 2, 0, 0, NULL, true},
    [P_ela] = {"ela", "equilibrium-line", "m", "with line = height: height of the line", "Oerlemans 1997", -30000, 40,
               30000, 1, 0, NULL, true},
    [P_hold] = {"hold", "snow-slope", "1", "slope of the bed on which no snow stays; avalanches take it away", "ours",
                0.1, 1.4, 100, 0, 0, NULL, false},
    [P_f_d] = {"f_d", "deformation", "1/(m3 a)", "ice deforms: flux = f_d thickness^5 slope^3", "Oerlemans 1997", 0, 17,
               1e4, -3, -1, NULL, false},
    [P_f_s] = {"f_s", "sliding", "1/(m a)", "ice slides over its bed: speed = f_s thickness^2 slope^3",
               "Oerlemans 1997", 0, 324, 1e6, -1, -1, NULL, false},
    [P_frozen] = {"frozen", "frozen-thickness", "m", "thinner ice is frozen to its bed: half as fast at this thickness",
                  "ours", 0, 0.75, 1000, 1, 0, NULL, false},
    [P_fastest] = {"fastest", "fastest-sliding", "m/a", "ice slides no faster", "ours", 1e-3, 63, 1e6, 1, -1, NULL,
                   false},
    [P_k_c] = {"k_c", "constriction", "m",
               "walls hold ice in a narrow valley: it slides by 1/(1 + k_c curvature) of its speed", "Braun 1999", 0, 6,
               1e5, 1, 0, NULL, false},
    [P_adverse] = {"adverse", "adverse-slope", "1",
                   "a bed that rises so many times as steeply as the ice falls lies under sediment and is not worn",
                   "Alley 2003", 1e-3, 1.5, 1000, 0, 0, NULL, false},
    [P_lambda] = {"lambda", "coupling", "m", "distance over which the speed of sliding evens out", "ours", 0, 7.5, 1e4,
                  1, 0, NULL, false},
    [P_K_g] = {"K_g", "erodibility", "1", "rock worn for a metre of sliding", "Humphrey, Raymond 1994", 0, 1e-4, 1, 0,
               0, NULL, true},
    [P_l] = {"l", "sliding-exponent", "1", "wear = K_g u (u/fastest)^(l-1), u the speed of sliding", "Herman 2015", 0.5,
             1, 3, 0, 0, NULL, false},
    [P_U] = {"U", "uplift", "mm/a", "uplift", "Braun 1999", 0, 0, 10, 1, -1, NULL, true},
    [P_v] = {"v", "river-speed", "m/s", "speed of water in the valleys; sets the depth of the precipitation alone",
             "ours", 1e-3, 0.16, 10, 1, -1, NULL, false},
    [P_S_c] = {"S_c", "critical-slope", "1", "steeper rock falls onto the ice, which takes it away", "ours", 0.01, 1.6,
               100, 0, 0, NULL, false},
    WADI_SEA_PARAMETERS,
};
_Static_assert(sizeof parameters / sizeof *parameters == P_COUNT, "the table and its positions");

/* Snow begins to slide off at a slope of 1 - SHEDS of `hold`. */
#define SHEDS 0.3

/* Floating ice breaks off within a step. */
#define CALVES 100

static double line_of(const wadi_setup *setup) {
    const double *v = setup->values;
    return v[P_line] > 0 ? v[P_ela] : setup->low_m + v[P_share] * (setup->high_m - setup->low_m);
}

static void prepare(const wadi_setup *setup, void *constants_) {
    constants *k = constants_;
    const double *v = setup->values, dt_a = setup->dt_s / WADI_YEAR_S, lx = setup->lx, ly = setup->ly;
    const double area = lx * ly, water_a = sqrt(area) / (v[P_v] * WADI_YEAR_S);
    k->rain_dt = (float)(v[P_P] * water_a);
    k->snows = (float)(1 / water_a);
    k->line = (float)line_of(setup);
    k->uplift_dt = (float)(setup->mask * v[P_U] * 1e-3 * dt_a);
    k->wears = (float)(setup->mask * v[P_K_g] * dt_a);
    k->mask = (float)setup->mask;
    k->thinnest = (float)(0x1p-20 * sqrt(area));
    k->inv_dt = (float)(1 / dt_a);
    k->beta = (float)v[P_beta];
    k->hold = (float)v[P_hold];
    k->sheds = (float)(1 / (SHEDS * v[P_hold]));
    k->f_d = (float)v[P_f_d];
    k->f_s = (float)v[P_f_s];
    k->frozen = (float)(v[P_frozen] * v[P_frozen]);
    k->fastest = (float)v[P_fastest];
    k->narrow = (float)v[P_k_c];
    k->adverse = (float)v[P_adverse];
    k->slow = (float)(1 / v[P_fastest]);
    k->along_x = (float)(v[P_lambda] * v[P_lambda] * (1 / (lx * lx)));
    k->along_y = (float)(v[P_lambda] * v[P_lambda] * (1 / (ly * ly)));
    k->l_less_1 = (float)fmin(v[P_l] - 1, 2); /* the most that cell_power takes */
    k->most = (float)(MOST_WORN * sqrt(area));
    k->S_c = (float)v[P_S_c];
    PREPARE_FACE(k, v[P_S_c], lx, ly);
    k->ld = (float)sqrt(lx * lx + ly * ly);
    k->inv_lx = (float)(1 / lx);
    k->inv_ly = (float)(1 / ly);
    const bool tide = v[P_sea] > 0 && setup->boundary == WADI_OPEN;
    k->sea = tide ? (float)wadi_sea_height(v[P_sea_level]) : -WADI_WALL;
    k->calves = (float)(CALVES / dt_a);
    k->per_s = (float)(sqrt(area) / WADI_YEAR_S);
    k->power = v[P_l] != 1;
    k->tide = tide;
    k->open = setup->boundary == WADI_OPEN;
}

static unsigned processes(const double *v) {
    (void)v;
    return FLOWS;
}

/* Thickness and speed are implicit in each cell. Wear is limited to a share of a cell. */
static double longest_dt_s(const double *v, double lx, double ly) {
    (void)v, (void)lx, (void)ly;
    return INFINITY;
}

static const char *warning(const wadi_setup *setup) {
    const bool known = setup->high_m > setup->low_m; /* the terrain */
    return known && line_of(setup) >= setup->high_m ? "the equilibrium line is above the terrain as given, so there is "
                                                      "no ice unless it rises; use a smaller share or ela"
                                                    : NULL;
}

#define MA (1e6 * WADI_YEAR_S)
/* Chosen by eye. */
static const wadi_setting glaciers[] = {{"K_g", "5e-4"}, {NULL, NULL}};
static const wadi_setting cirques[] = {{"share", "0.6"}, {"frozen", "1.5"}, {"K_g", "5e-4"}, {NULL, NULL}};
static const wadi_preset presets[] = {
    {"glaciers", "valley glaciers that cut troughs; the default", WADI_SCALE_WORLD, WADI_OPEN, 0.008 * MA, NULL,
     glaciers, .georeferenced = true, .levels = 3},
    {"cirques", "small glaciers under the peaks", WADI_SCALE_WORLD, WADI_OPEN, 0.008 * MA, NULL, cirques, .levels = 3},
};

const wadi_model wadi_model_braun1999;
const wadi_model wadi_model_braun1999 = {
    .id = "braun1999",
    .title = "ice that cuts valleys (Braun and others 1999)",
    .citation = "J. Braun, D. Zwartz, J. H. Tomkin: A new surface-processes model combining glacial and fluvial "
                "erosion. Annals of Glaciology 28, 1999.",
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
