/* model.h (internal): a model as engines see it. model_tables.h makes it from a model's own lists. */
#ifndef WADI_CORE_MODEL_H
#define WADI_CORE_MODEL_H

#include "core/arithmetic.h"
#include "wadi/sim.h"

/* The height of cells outside the terrain; no terrain is that high. A cell is outside if it is at least WADI_WALL / 10.
 */
#define WADI_WALL 1e30f

#define WADI_MAX_FIELDS 80
#define WADI_MAX_MAPS 24
#define WADI_MAX_READS 64
#define WADI_MAX_STAGES 24

#define WADI_SAFETY 0.9 /* a sub-step may last this fraction of the model's longest_dt_s */

/* STATIC: set once. STATE: kept from step to step. SCRATCH: made and used within one step. OPTIONAL: state while a
 * stage that writes it is on; otherwise it does not exist, like scratch that no stage uses (wadi_kind_in). */
typedef enum wadi_field_kind { WADI_STATIC, WADI_STATE, WADI_SCRATCH, WADI_OPTIONAL } wadi_field_kind;

typedef struct wadi_field {
    const char *name;
    wadi_field_kind kind;
    float outside; /* its value beyond a closed or open border and in cells without data */
} wadi_field;

/* A constant of the physics that may differ from cell to cell. It is a float in the model's `constants`. If a raster
 * makes it differ, it is also a field. */
typedef struct wadi_map {
    const char *name;
    size_t offset;
} wadi_map;

/* A choice of the physics: an int in `constants`. The row kernels of a stage are compiled for some sets of values of
 * the switches that it reads, and for any values. */
typedef enum wadi_switch_set { WADI_STANDARD, WADI_REDUCED, WADI_AT_SEA, WADI_SWITCH_SETS } wadi_switch_set;
#define WADI_EITHER (-1) /* as value in a set: row kernels take any */
typedef struct wadi_switch {
    const char *name;
    size_t offset;
    int value[WADI_SWITCH_SETS];
} wadi_switch;

/* Sums over cells for the mass balance, in metres of depth or thickness. */
typedef enum wadi_sum {
    WADI_SUM_rained,      /* water added by rain and sources */
    WADI_SUM_evaporated,  /* water lost to evaporation */
    WADI_SUM_spilled,     /* water lost over an open border, or gained from the sea (negative) */
    WADI_SUM_carried,     /* sediment lost with that water */
    WADI_SUM_exchanged,   /* bed turned into water (jako2011, 12c and 13c) */
    WADI_SUM_advected,    /* sediment gained or lost (negative) by transport */
    WADI_SUM_infiltrated, /* water lost into the ground */
    WADI_SUMS
} wadi_sum;

/* A row is summed in float64 in so many lanes, by column, and then the lanes in pairs. So additions do not wait for
 * each other, and their order does not depend on the vector width. */
#define WADI_LANES 32
static inline double wadi_lanes_total(const double lanes[WADI_LANES]) {
    double sums[WADI_LANES];
    for (int i = 0; i < WADI_LANES; i++) sums[i] = lanes[i];
#pragma GCC unroll 8
    for (int half = WADI_LANES / 2; half > 0; half /= 2)
        for (int i = 0; i < half; i++) sums[i] += sums[i + half];
    return sums[0];
}

typedef struct wadi_read {
    int field; /* index of a field, or of a map in the list of maps */
    int radius;
    int up, down; /* rows above and below the cell's own that are read, at most the radius */
    int dx, dy;   /* if not both 0: only this neighbour is read at that radius (core/reach_cell.h) */
} wadi_read;

static inline bool wadi_reads_one(const wadi_read *read) { return read->dx != 0 || read->dy != 0; }
/* Whether the neighbour at (dx, dy) may be read. NULL: nothing is read. */
static inline bool wadi_read_reaches(const wadi_read *read, int dx, int dy) {
    if (read == NULL) return false;
    if (wadi_reads_one(read)) return dx == read->dx && dy == read->dy;
    return dx >= -read->radius && dx <= read->radius && dy >= -read->up && dy <= read->down;
}

struct wadi_reference; /* engine/reference/reference.h */

/* The behaviour of a stage next to cells outside. ALIKE: the same as elsewhere; the outside values of the fields
 * suffice. SPILLS: it differs at an open border. DIFFERS: it differs at every border. OUTLET: at an open border alone
 * it changes anything. (For a cell that is itself outside, any stage may differ; it must produce the outside values of
 * its fields.) */
typedef enum wadi_at_border { WADI_ALIKE, WADI_SPILLS, WADI_DIFFERS, WADI_OUTLET } wadi_at_border;

/* A stage: a pure gather. It may write a field that it reads only at radius 0. */
typedef struct wadi_stage {
    const char *name;
    unsigned needs; /* processes that must all be on */
    int every;      /* runs in sub-steps whose number is a multiple of it; 0: only on request */
    wadi_at_border border;
    /* additions, multiplications, divisions, roots and comparisons for a cell, with the standard switches */
    int operations;
    unsigned switches; /* bits of those that it reads, by index in the model's list */
    int radius;        /* largest of all reads */
    int reads, maps, writes, sums;
    wadi_read read[WADI_MAX_READS], map[WADI_MAX_MAPS];
    int write[WADI_MAX_FIELDS], sum[WADI_SUMS];
    void (*cell)(const struct wadi_reference *at); /* for the reference engine */
} wadi_stage;

static inline bool wadi_stage_writes(const wadi_stage *stage, int field) {
    for (int i = 0; i < stage->writes; i++)
        if (stage->write[i] == field) return true;
    return false;
}
/* How the stage reads the field; NULL: it does not. */
static inline const wadi_read *wadi_stage_read(const wadi_stage *stage, int field) {
    for (int i = 0; i < stage->reads; i++)
        if (stage->read[i].field == field) return &stage->read[i];
    return NULL;
}
/* The radius of that read; -1: the field is not read. */
static inline int wadi_stage_radius(const wadi_stage *stage, int field) {
    const wadi_read *read = wadi_stage_read(stage, field);
    return read != NULL ? read->radius : -1;
}

/* The input of `prepare`, which computes the constants: parameter values of the run or of one cell, in SI units. */
typedef struct wadi_setup {
    const double *values;
    double dt_s; /* of a sub-step */
    int substeps;
    double lx, ly;
    int width, height;
    double low_m, high_m; /* of the terrain as given; 0, 0 before it is set */
    double mask;          /* 1, or the mask's value in the cell */
    wadi_boundary boundary;
    bool masked; /* whether a mask is set */
} wadi_setup;

/* Rain that falls on points at intervals: every interval_s a fraction `share` of the cells gets one each. The number of
 * points on a cell in a sub-step is the model's map of showers. */
typedef struct wadi_showers {
    double interval_s, share; /* no rain if either is 0 */
    bool random_times;        /* at a random time in each interval, not at its beginning */
} wadi_showers;

/* Rain of one parameter: its name, value and unit, and its amount, in the unit that the model compares. */
typedef struct wadi_rain {
    const char *name, *unit;
    double value, amount;
    double soaked; /* the part of the value that soaks in, and has no amount */
} wadi_rain;
/* NULL if both amounts together are at most `most`. Otherwise a warning line, valid in this thread until the next one.
 */
const char *wadi_too_wet(wadi_rain a, wadi_rain b, double most);
/* m: highest minus lowest cell of the terrain as given, but at least a few cell widths. */
double wadi_relief(const wadi_setup *setup);

/* Roles: by these the core knows parts of a model. A model assigns them in its MODEL_ROLES (models/README.md), so the
 * order of rows in its lists has no meaning. model_tables.h asserts that no role is assigned twice and that the
 * required ones are there. */
typedef enum wadi_field_role {
    WADI_FIELD_TERRAIN,   /* m: the terrain as given */
    WADI_FIELD_CHANGE,    /* m: change by erosion and deposition */
    WADI_FIELD_WATER,     /* m */
    WADI_FIELD_SEDIMENT,  /* m: suspended in the water */
    WADI_FIELD_DISCHARGE, /* m3/s: sum of the samples */
    WADI_FIELD_HARDNESS,  /* 0 to 1; not in every model */
    WADI_FIELD_SPEED,     /* m/s: computed on request; not in every model */
    WADI_FIELD_SOAKED,    /* m: water that the ground has taken up; not in every model */
    WADI_FIELD_SLID,      /* m: the part of the change that is by sliding; not in every model */
    WADI_FIELD_ICE,       /* m: thickness of ice; not in every model */
    WADI_FIELD_AREA,      /* m2: that drains through the cell; computed on request; not in every model */
    WADI_FIELD_ROLES
} wadi_field_role;

typedef enum wadi_map_role {
    WADI_MAP_RAIN,    /* precipitation of a sub-step; sources and drops are added to it */
    WADI_MAP_SHOWERS, /* number of shower points; not in every model */
    WADI_MAP_ROLES
} wadi_map_role;

typedef enum wadi_parameter_role {
    WADI_PARAMETER_TIME_STEP,   /* s */
    WADI_PARAMETER_RAIN,        /* m/s */
    WADI_PARAMETER_HARDNESS,    /* the hardness without a map of it; in models with hardness */
    WADI_PARAMETER_SEA,         /* whether there is a sea; in models with a sea */
    WADI_PARAMETER_SEA_LEVEL,   /* m; in models with a sea */
    WADI_PARAMETER_RIVER_SPEED, /* m/s; in models whose water passes on by one cell a step, while the ground takes years
                                 */
    WADI_PARAMETER_UPLIFT,      /* mm/a; in models whose ground rises */
    WADI_PARAMETER_ERODIBILITY, /* of the ground, by which rivers or ice cut it; in the same */
    WADI_PARAMETER_OUTLETS,     /* 0: cells next to the outside of an open border keep their height; 1: only those
                                   without a lower neighbour */
    WADI_PARAMETER_TRACK_SLIDING, /* whether the change by sliding is tracked; in models with that field */
    WADI_PARAMETER_SOAK,          /* m/s: what the ground takes up; in models whose warning counts it */
    WADI_PARAMETER_SUBSTEPS,      /* 0: fixed; 1: they follow the deepest water; in models with limit_waves */
    WADI_PARAMETER_ROLES
} wadi_parameter_role;

/* The row of a model's table for TRACK_SLIDING. */
#define WADI_TRACK_SLIDING_PARAMETER \
    [P_track_sliding] = { \
        "track_sliding", \
        "track-sliding", \
        "", \
        "whether the change by sliding is tracked, for the maps slide_wear, talus, water_wear and silt", \
        "ours", \
        0, \
        0, \
        1, \
        0, \
        0, \
        (const char *const[]){"off", "on", NULL}, \
        false}

/* The rows of a model's table for these two, so that every model with a sea has the same. */
#define WADI_SEA_PARAMETERS \
    [P_sea] = {"sea", "sea", "", "whether there is a sea outside an open border", "ours", 0, 0, \
               1,     0,     0,  (const char *const[]){"off", "on", NULL},        false}, \
    [P_sea_level] = {"sea_level", "sea-level", "m",  "with sea = on: height of the sea", "ours", -30000, 0, 30000, 1, \
                     0,           NULL,        false}

/* m: the level of the sea as the physics has it. */
double wadi_sea_height(double level_m);

typedef enum wadi_stage_role {
    WADI_STAGE_DISCHARGE, /* adds a sample to the discharge */
    WADI_STAGE_SPEED,     /* computes the speed on request; in models with that field */
    WADI_STAGE_ROLES
} wadi_stage_role;

typedef enum wadi_process_role {
    WADI_PROCESS_WATER, /* on if water falls and flows */
    WADI_PROCESS_ROLES
} wadi_process_role;

/* Index in the model's lists plus 1; 0: the model has none. */
typedef struct wadi_roles {
    int field[WADI_FIELD_ROLES], map[WADI_MAP_ROLES], parameter[WADI_PARAMETER_ROLES], stage[WADI_STAGE_ROLES];
    unsigned process[WADI_PROCESS_ROLES]; /* bits */
} wadi_roles;

struct wadi_model {
    const char *id, *title, *citation;
    wadi_boundary boundary;
    const wadi_parameter *parameters;
    size_t parameter_count;
    const wadi_preset *presets;
    size_t preset_count;
    const wadi_knob *knobs; /* at most WADI_MAX_KNOBS */
    size_t knob_count;
    const wadi_field *fields;
    int field_count;
    const wadi_map *maps;
    int map_count;
    const wadi_switch *switches;
    int switch_count;
    const wadi_stage *stages;
    int stage_count;
    wadi_roles roles;
    size_t constants_bytes;
    void (*prepare)(const wadi_setup *setup, void *constants);
    unsigned (*processes)(const double *values); /* the processes that are on, as bits */
    /* the stability limit, without a safety factor */
    double (*longest_dt_s)(const double *values, double lx, double ly);
    /* Lowers the speed of waves in deep water, as far as it must, so that a step of dt_s is stable. Returns the depth
     * (m) from which they are slower. NULL: the model has no such limit. */
    double (*limit_waves)(double *values, double lx, double ly, double dt_s);
    const char *(*warning)(const wadi_setup *setup); /* NULL, or one line */
    /* Pulls values that a knob moved back inside limits that they have together. NULL: there are none. */
    void (*limit)(double *values);
    wadi_showers (*showers)(const double *values); /* NULL: the model has none */
    /* The sediment is what passes a cell in a step, on its way through: it does not settle. */
    bool sediment_passes;
    bool gaussian_sources; /* a source's water falls off as exp(-2 r^2 / radius^2), up to 1.5 radii */
};

/* A field, map, parameter or stage by its role; -1 if there is none. */
static inline int wadi_field_of(const wadi_model *model, wadi_field_role role) { return model->roles.field[role] - 1; }
static inline int wadi_map_of(const wadi_model *model, wadi_map_role role) { return model->roles.map[role] - 1; }
static inline int wadi_parameter_of(const wadi_model *model, wadi_parameter_role role) {
    return model->roles.parameter[role] - 1;
}
static inline int wadi_stage_of(const wadi_model *model, wadi_stage_role role) { return model->roles.stage[role] - 1; }

/* Whether the process is on. */
static inline bool wadi_process_on(const wadi_model *model, unsigned processes, wadi_process_role role) {
    return (processes & model->roles.process[role]) != 0;
}

/* The kind of a field in a run with these processes, without OPTIONAL. */
static inline wadi_field_kind wadi_kind_in(const wadi_model *model, unsigned processes, int field) {
    const wadi_field_kind kind = model->fields[field].kind;
    if (kind != WADI_OPTIONAL) return kind;
    for (int s = 0; s < model->stage_count; s++)
        if ((model->stages[s].needs & ~processes) == 0 && wadi_stage_writes(&model->stages[s], field))
            return WADI_STATE;
    return WADI_SCRATCH;
}

/* A field by name; -1 if there is none. */
int wadi_model_field(const wadi_model *model, const char *name);

#endif
