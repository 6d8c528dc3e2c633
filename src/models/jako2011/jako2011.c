/* jako2011.c: the parameters, presets and constants of jako2011. Its physics: jako2011_cell.h. */
#include "engine/reference/reference_cell.h"

#include "models/jako2011/jako2011_cell.h"

#include "core/model_tables.h"
#include "models/pipes.h"

PIPES_CHOICES
static const char *const switch_names[] = {"off", "on", NULL};
static const char *const depth_limit_names[] = {"falls", "as-printed", "off", NULL};
static const char *const capacity_names[] = {"tilt", "collision", NULL};
static const char *const hardness_names[] = {"solid", "as-printed", NULL};

enum {
    P_Kt = P_PIPES,
    P_Kh,
    P_Kdmax,
    P_Ka,
    P_Ki,
    P_R_min,
    P_R,
    P_hydraulic,
    P_thermal,
    P_depth_limit,
    P_capacity,
    P_exchange,
    P_hardness,
    P_r,
    P_sea,
    P_sea_level,
    P_track_sliding,
    P_COUNT
};

static const wadi_parameter parameters[] = {
    PIPES_WATER_PARAMETERS("Kr", "1, T2"),
    [P_Kc] = {"Kc", "sediment-capacity", "s", "sediment that flow can carry, for its speed and the tilt", "10, T2",
              0.01, 1, 12, 0, 1, NULL, true},
    [P_Ks] = {"Ks", "dissolving-rate", "1/s", "soil suspension rate", "12, T2", 0, 0.5, 2, 0, -1, NULL, true},
    [P_Kd] = {"Kd", "deposition-rate", "1/s", "sediment deposition rate", "13, T2", 0, 1, 3, 0, -1, NULL, true},
    PIPES_FLOW_PARAMETERS,
    [P_Kt] = {"Kt", "thermal-rate", "1/s", "thermal erosion rate", "17, T2", 0, 0.15, 5, 0, -1, NULL, true,
              .cell_power = -2},
    [P_Kh] = {"Kh", "softening-rate", "1/m", "how fast deposition softens the ground", "14, T2", 0, 5, 10, -1, 0, NULL,
              true},
    [P_Kdmax] = {"Kdmax", "erosion-depth", "m", "depth of water at which the bed is out of reach", "10, T2", 1e-3, 10,
                 40, 1, 0, NULL, true},
    [P_Ka] = {"Ka", "talus-slope", "1", "how much hardness adds to the tangent of the talus angle", "18, T2", 0, 0.8, 5,
              0, 0, NULL, true},
    [P_Ki] = {"Ki", "talus-bias", "1", "tangent of the talus angle of the softest ground", "18, T2", 0, 0.1, 5, 0, 0,
              NULL, true},
    [P_R_min] = {"R_min", "least-hardness", "1", "deposition softens no further", "14", 0, 0.1, 1, 0, 0, NULL, true},
    [P_R] = {"R", "uniform-hardness", "1", "hardness where no map is given: 0 soft, 1 hardest", "2", 0, 0.5, 1, 0, 0,
             NULL, false},
    [P_hydraulic] = {"hydraulic", "hydraulic-erosion", "", "whether water flows and erodes", "Fig. 7", 0, 1, 1, 0, 0,
                     switch_names, false},
    [P_thermal] = {"thermal", "thermal-erosion", "", "whether slopes slide", "Fig. 7", 0, 1, 1, 0, 0, switch_names,
                   false},
    [P_depth_limit] = {"depth_limit", "depth-limit", "",
                       "falls: deep water erodes less; as-printed: more; off: no limit", "10, Fig. 9", 0, 0, 2, 0, 0,
                       depth_limit_names, false},
    [P_capacity] = {"capacity", "capacity-form", "", "tilt of the terrain, or collision of the flow with it", "10, 11",
                    0, 0, 1, 0, 0, capacity_names, false},
    [P_exchange] = {"water_exchange", "water-exchange", "",
                    "whether dissolved soil becomes water, and deposited water soil", "12c, 13c", 0, 0, 1, 0, 0,
                    switch_names, false},
    [P_hardness] = {"hardness", "hardness-meaning", "",
                    "solid: 1 is hardest in every formula; as-printed: R as the paper prints it", "12a, 14, 17, 18", 0,
                    0, 1, 0, 0, hardness_names, false},
    [P_r] = {"r", "rain-map", "1", "the rain of a cell is Kr times it; a map says where it rains", "1", 0, 1, 1000, 0,
             0, NULL, true},
    WADI_SEA_PARAMETERS,
    WADI_TRACK_SLIDING_PARAMETER,
};
_Static_assert(sizeof parameters / sizeof *parameters == P_COUNT, "the table and its positions");
_Static_assert(P_COUNT <= WADI_MAX_PARAMETERS, "room in wadi_def");

static void prepare(const wadi_setup *setup, void *constants_) {
    constants *k = constants_;
    PREPARE_PIPES(k, setup);
    const double *v = setup->values, dt = setup->dt_s, mask = setup->mask;
    k->rain_dt = v[P_hydraulic] > 0 ? (float)(dt * v[P_rain] * v[P_r]) : 0; /* (1) */
    k->Ks_dt = (float)(mask * fmin(1, dt * v[P_Ks]));
    k->Kd_dt = (float)(mask * fmin(1, dt * v[P_Kd]));
    k->soften_dt = (float)(mask * dt * v[P_Kh] * v[P_Ks]);
    k->inv_Kdmax = (float)(1 / v[P_Kdmax]);
    k->R_min = (float)v[P_R_min];
    k->Ka = (float)v[P_Ka];
    k->Ki = (float)v[P_Ki];
    k->Kt_dt = v[P_thermal] > 0 ? (float)(mask * fmin(1, dt * v[P_Kt]) * 0.5) : 0;
    k->mask = (float)mask;
    k->lx = (float)setup->lx;
    k->ly = (float)setup->ly;
    k->ld = (float)sqrt(setup->lx * setup->lx + setup->ly * setup->ly);
    k->ramp = (int)v[P_depth_limit];
    k->collision = v[P_capacity] > 0;
    k->exchange = v[P_exchange] > 0;
    k->printed = v[P_hardness] > 0;
    k->masked = setup->masked;
}

/* What slid stays known while sliding is off: then it goes on at the rate 0. */
static unsigned processes(const double *v) {
    return (v[P_hydraulic] > 0 ? HYDRAULIC : 0) | (v[P_thermal] > 0 || v[P_track_sliding] > 0 ? THERMAL : 0) |
           (v[P_advection] > 0 ? SEMI : FLUX) | (v[P_pipes] > 0 ? EIGHT : FOUR) | (v[P_sea] > 0 ? SEA : 0) |
           (v[P_infiltration] > 0 ? SOAKS : 0) | (v[P_Kl] > 0 ? LATERAL : 0) | (v[P_track_sliding] > 0 ? TRACKS : 0);
}

/* In a longer step than 1/Kt a slope would slide past its talus angle. */
static double longest_dt_s(const double *v, double lx, double ly) {
    const double slide = v[P_thermal] > 0 && v[P_Kt] > 0 ? 1 / v[P_Kt] : INFINITY;
    return v[P_hydraulic] > 0 ? fmin(slide, pipes_longest_dt_s(v, lx, ly)) : slide;
}

/* As the warning wants it. */
static void limit(double *v) {
    if (v[P_Ks] * v[P_Kc] > 0.5) v[P_Ks] = 0.5 / v[P_Kc];
}

static const char *warning(const wadi_setup *setup) {
    const double *v = setup->values;
    return v[P_Ks] * v[P_Kc] > 0.5 ? "Ks*Kc is above 0.5: the bed may grow a checkerboard; lower Kc or Ks" : NULL;
}

/* Values are for 512 x 512 cells of 1 m; all were chosen from pictures (docs/presets.md).
 *
 * FLOW: eight pipes as deep as the water, isotropic and alike at every resolution. Water deeper than 6 m sends waves as
 * if it were 6 m deep. So dt = 0.1 is safe, also in cells up to 1.2 times as long as wide. With Fr above 0.7 to 1,
 * flows that carry much make steps across plains. Ks*Kc is 0.5 at most.
 *
 * SHALLOW: deep water leaves the bed alone. Otherwise waves in a lake erode the bed, and the bed's change makes waves:
 * lakes became rough by a metre. Less deposition (Kd) has the same effect. */
#define FLOW \
    {"pipes", "8"}, {"pipe_area", "depth"}, {"Fr", "0.7"}, {"dt", "0.1"}, {"A", "6"}, { "Kl", "0.3" }
#define SLIDE(rate, bias, slope) \
    {"Kt", rate}, {"Ki", bias}, { "Ka", slope }
#define CARRY(capacity, dissolve, deposit) \
    {"Kc", capacity}, {"Ks", dissolve}, { "Kd", deposit }
#define WATER(rate, friction, floor) \
    {"rain", rate}, {"cf", friction}, { "d_floor", floor }
#define SHALLOW(depth) \
    { "Kdmax", depth }
#define END \
    { NULL, NULL }

static const wadi_setting valleys[] = {FLOW,           WATER("0.002", "0.2", "0.1"), CARRY("3", "0.12", "0.2"),
                                       SHALLOW("1.5"), SLIDE("0.3", "0.5", "0.8"),   END};
static const wadi_setting rivers[] = {FLOW, WATER("0.003", "0.15", "0.15"), CARRY("0.7", "0.2", "0.5"),
                                      SLIDE("0.3", "0.3", "0.8"), END};
static const wadi_setting soft[] = {FLOW, WATER("0.003", "0.5", "0.2"), CARRY("1.2", "0.25", "1"),
                                    SLIDE("0.5", "0.3", "0.5"), END};
static const wadi_setting paper[] = {
    {"depth_limit", "as-printed"}, {"water_exchange", "on"}, {"velocity", "cut"}, {"cf", "0"}, END};
static const wadi_setting alpine[] = {FLOW,
                                      WATER("0.002", "0.3", "0.1"),
                                      CARRY("4", "0.12", "0.2"),
                                      SHALLOW("1.5"),
                                      {"R", "0.3"},
                                      SLIDE("0.4", "1", "0.5"),
                                      END};
static const wadi_setting badlands[] = {FLOW,
                                        WATER("0.002", "0.3", "0.05"),
                                        CARRY("6", "0.08", "0.2"),
                                        SHALLOW("1.5"),
                                        {"R", "0.15"},
                                        SLIDE("0.5", "1", "0.3"),
                                        {"Ke", "0.03"},
                                        END};
static const wadi_setting canyon[] = {FLOW,         WATER("0.002", "0.3", "0.05"), CARRY("4", "0.05", "0.15"),
                                      SHALLOW("1"), SLIDE("0.6", "0.3", "2.5"),    END};
static const wadi_setting coastal[] = {FLOW,           WATER("0.003", "0.3", "0.2"), CARRY("2.4", "0.2", "2"),
                                       SHALLOW("1.5"), SLIDE("0.1", "0.3", "0.4"),   END};
static const wadi_setting desert[] = {
    FLOW, WATER("0.0015", "0.15", "0.05"), CARRY("4", "0.08", "1.5"), SLIDE("0.4", "0.6", "1.2"), {"Ke", "0.04"}, END};
/* Slopes of real terrain are stable, so Ki is large enough for them. */
static const wadi_setting dem[] = {FLOW, WATER("0.001", "0.3", "0.05"), CARRY("0.8", "0.2", "0.5"),
                                   SLIDE("0.3", "0.7", "0.8"), END};
static const char *const dem_aliases[] = {"dem1", "dem10", "dem30", "dem90", NULL};

static const wadi_preset presets[] = {
    {"valleys", "branching V-shaped valleys and lakes; the default", WADI_SCALE_WORLD, WADI_OPEN, 150, "height",
     valleys},
    {"rivers", "much water: wide rivers on flat floors, lakes", WADI_SCALE_WORLD, WADI_OPEN, 150, "height", rivers},
    {"soft", "rounded ridges and filled plains", WADI_SCALE_WORLD, WADI_OPEN, 150, "height", soft},
    {"paper", "Table 2 of the paper, read literally: rivers and lakes", WADI_SCALE_CELL, WADI_CLOSED, 24, "height",
     paper, .literal = true},
    {"alpine", "sharp ridges, steep valleys, straight scree slopes; for steep terrain", WADI_SCALE_WORLD, WADI_OPEN,
     150, NULL, alpine},
    {"badlands", "soft rock, cut everywhere into fine branching gullies", WADI_SCALE_WORLD, WADI_OPEN, 150, NULL,
     badlands},
    {"canyon", "hard rock on top: narrow canyons with steep walls", WADI_SCALE_WORLD, WADI_OPEN, 200, "height", canyon},
    {"coastal", "wide flat valleys, drowned and filling; for low terrain", WADI_SCALE_WORLD, WADI_OPEN, 150, "height",
     coastal},
    {"desert", "little rain that dries up: thin channels that end in basins", WADI_SCALE_WORLD, WADI_OPEN, 200,
     "height", desert},
    {"dem", "real terrain: channels sharpened, valley floors filled, fans", WADI_SCALE_WORLD, WADI_OPEN, 150, "height",
     dem, .georeferenced = true, .aliases = dem_aliases},
};

/* Factors chosen from pictures of several presets and terrains (docs/presets.md). */
static const wadi_knob_move strength[] = {{"Kc", .factor = 2.5}, {NULL}};
static const wadi_knob_move age[] = {{"duration", .factor = 3}, {NULL}};
static const wadi_knob_move rain[] = {{"rain", .factor = 2.5}, {NULL}};
static const wadi_knob_move rock[] = {
    {"Ks", .factor = 0.25}, {"R", .low = 0.1, .high = 0.9}, {"Ka", .factor = 1.5}, {NULL}};
static const wadi_knob_move scree[] = {{"Kt", .factor = 3}, {"Ki", .factor = 0.5}, {NULL}};

static const wadi_knob knobs[] = {
    {"strength", "how much sediment water can carry: how deep it cuts", strength},
    {"age", "how long the run lasts", age},
    {"rain", "how much it rains", rain},
    {"rock", "how hard the rock is: slower digging, steeper walls", rock},
    {"scree", "how much slopes slide: at a gentler angle, and faster", scree},
};

const wadi_model wadi_model_jako2011;
const wadi_model wadi_model_jako2011 = {
    .id = "jako2011",
    .title = "virtual pipes with thermal erosion (Jako, Toth 2011)",
    .citation = "B. Jako, B. Toth: Fast Hydraulic and Thermal Erosion on GPU. Eurographics 2011, short papers.",
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
    .longest_dt_s = longest_dt_s,
    .limit_waves = pipes_limit_waves,
    .warning = warning,
    MODEL_TABLES,
};
