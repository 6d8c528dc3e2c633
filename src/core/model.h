/* model.h (internal): what a model is to the engines. Made from a model's own lists by model_tables.h. */
#ifndef WADI_CORE_MODEL_H
#define WADI_CORE_MODEL_H

#include "core/arithmetic.h"
#include "wadi/sim.h"

/* The bed of what lies outside: no terrain is that high. A cell is outside from WADI_WALL / 10 up. */
#define WADI_WALL 1e30f

#define WADI_MAX_FIELDS 80
#define WADI_MAX_MAPS 24
#define WADI_MAX_READS 64
#define WADI_MAX_STAGES 16

#define WADI_SAFETY 0.9 /* of a model's longest_dt_s is what a sub-step may last */

/* STATIC: set once. STATE: lives from step to step. SCRATCH: made and used up within a step. */
typedef enum wadi_field_kind { WADI_STATIC, WADI_STATE, WADI_SCRATCH } wadi_field_kind;

typedef struct wadi_field {
    const char *name;
    wadi_field_kind kind;
    float outside; /* its value beyond a closed or open border and in cells without data */
} wadi_field;

/* A constant of the physics that may differ from cell to cell. It is a float in the model's `constants`; where
 * a raster makes it differ, it is also a field. */
typedef struct wadi_map {
    const char *name;
    size_t offset;
} wadi_map;

/* A choice as the physics sees it: an int in `constants`. The row kernels are compiled for the usual and for the
 * lean values as well as for any. */
typedef struct wadi_switch {
    const char *name;
    size_t offset;
    int usual, lean;
} wadi_switch;

/* What is summed over cells into the mass balance, in metres of depth or thickness. */
typedef enum wadi_sum {
    WADI_SUM_rained,     /* water that rain and sources brought */
    WADI_SUM_evaporated, /* water that left upwards */
    WADI_SUM_spilled,    /* water that left over an open border */
    WADI_SUM_carried,    /* sediment that left with it */
    WADI_SUM_exchanged,  /* bed turned into water (jako2011, 12c and 13c) */
    WADI_SUM_advected,   /* sediment that transport made, or lost (negative) */
    WADI_SUMS
} wadi_sum;

/* A row is summed in float64 in so many lanes, by column, so that additions need not wait for each other and the order
 * depends on no vector's width; then the lanes in pairs. */
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
    int field; /* index of a field, or of a map where the list is of maps */
    int radius;
    int dx, dy; /* where not both are 0: of the neighbours at that radius, this one alone is read (core/reach_cell.h) */
} wadi_read;

static inline bool wadi_reads_one(const wadi_read *read) { return read->dx != 0 || read->dy != 0; }
/* Whether it may be read there. NULL: nowhere. */
static inline bool wadi_read_reaches(const wadi_read *read, int dx, int dy) {
    if (read == NULL) return false;
    if (wadi_reads_one(read)) return dx == read->dx && dy == read->dy;
    return dx >= -read->radius && dx <= read->radius && dy >= -read->radius && dy <= read->radius;
}

struct wadi_reference; /* engine/reference/reference.h */

/* What a stage does where a neighbour lies outside. ALIKE: the same as elsewhere, what the fields are outside is
 * enough. SPILLS: something else at an open border alone. BESIDE: something else at any. (Where the cell itself lies
 * outside, all may do something else, and must make what the fields are outside.) */
typedef enum wadi_at_border { WADI_ALIKE, WADI_SPILLS, WADI_BESIDE } wadi_at_border;

/* A stage: a pure gather. It may write a field that it reads, if it reads it at radius 0 alone. */
typedef struct wadi_stage {
    const char *name;
    unsigned needs; /* processes that must all be on */
    int every;      /* runs when the sub-step's number is a multiple of it; 0: only when asked for */
    wadi_at_border border;
    int operations; /* a cell: additions, multiplications, divisions, roots, comparisons, with the usual switches */
    int radius;     /* largest of its reads */
    int reads, maps, writes, sums;
    wadi_read read[WADI_MAX_READS], map[WADI_MAX_MAPS];
    int write[WADI_MAX_FIELDS], sum[WADI_SUMS];
    void (*cell)(const struct wadi_reference *at); /* the reference engine's form */
} wadi_stage;

static inline bool wadi_stage_writes(const wadi_stage *stage, int field) {
    for (int i = 0; i < stage->writes; i++)
        if (stage->write[i] == field) return true;
    return false;
}
/* How it reads the field; NULL: not at all. */
static inline const wadi_read *wadi_stage_read(const wadi_stage *stage, int field) {
    for (int i = 0; i < stage->reads; i++)
        if (stage->read[i].field == field) return &stage->read[i];
    return NULL;
}
/* The radius at which it does; -1: not at all. */
static inline int wadi_stage_radius(const wadi_stage *stage, int field) {
    const wadi_read *read = wadi_stage_read(stage, field);
    return read != NULL ? read->radius : -1;
}

/* What `prepare` makes the constants from: parameter values of the run or of one cell, in SI units. */
typedef struct wadi_setup {
    const double *values;
    double dt_s; /* of a sub-step */
    int substeps;
    double lx, ly;
    int width, height;
    double low_m, high_m; /* of the terrain as given; 0, 0 before it is */
    double mask;          /* 1, or the cell's */
    wadi_boundary boundary;
    bool masked; /* a mask was given */
} wadi_setup;

/* Rain that falls on points, at times: every interval_s each of about `share` of the cells gets one. The number of
 * points on a cell in a sub-step is the model's map of showers. */
typedef struct wadi_showers {
    double interval_s, share; /* none falls where either is 0 */
} wadi_showers;

/* Rain that a parameter brings: its name, value and unit, and the amount of rain, in what the model counts it. */
typedef struct wadi_rain {
    const char *name, *unit;
    double value, amount;
} wadi_rain;
/* NULL where both amounts together are at most `most`; else a line that says so, this thread's until the next. */
const char *wadi_too_wet(wadi_rain a, wadi_rain b, double most);
/* m: highest less lowest of the terrain as given, at least a few cells' width. */
double wadi_relief(const wadi_setup *setup);

/* What the core knows parts of a model by. A model names them in its MODEL_ROLES (models/README.md), so that the order
 * of the rows in its lists means nothing. model_tables.h asserts that no role is named twice and that the needed ones
 * are there. */
typedef enum wadi_field_role {
    WADI_FIELD_TERRAIN,   /* m: the terrain as given */
    WADI_FIELD_CHANGE,    /* m: what erosion made of it */
    WADI_FIELD_WATER,     /* m */
    WADI_FIELD_SEDIMENT,  /* m: in the water */
    WADI_FIELD_DISCHARGE, /* m3/s: sum of the samples */
    WADI_FIELD_HARDNESS,  /* 0 to 1; not in every model */
    WADI_FIELD_SPEED,     /* m/s: made when asked for; not in every model */
    WADI_FIELD_ROLES
} wadi_field_role;

typedef enum wadi_map_role {
    WADI_MAP_RAIN,    /* what falls in a sub-step: sources and drops are added to it */
    WADI_MAP_SHOWERS, /* points of showers; not in every model */
    WADI_MAP_ROLES
} wadi_map_role;

typedef enum wadi_parameter_role {
    WADI_PARAMETER_TIME_STEP, /* s */
    WADI_PARAMETER_RAIN,      /* m/s */
    WADI_PARAMETER_HARDNESS,  /* what the hardness is where no map of it is given; in models that have it */
    WADI_PARAMETER_ROLES
} wadi_parameter_role;

typedef enum wadi_stage_role {
    WADI_STAGE_DISCHARGE, /* adds a sample to the discharge */
    WADI_STAGE_SPEED,     /* makes the speed when asked for; where there is such a field */
    WADI_STAGE_ROLES
} wadi_stage_role;

typedef enum wadi_process_role {
    WADI_PROCESS_WATER, /* on where water falls and flows */
    WADI_PROCESS_ROLES
} wadi_process_role;

/* Places in the model's lists plus 1; 0: the model has none. */
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
    unsigned (*processes)(const double *values);                        /* bits that stages need */
    double (*longest_dt_s)(const double *values, double lx, double ly); /* stable without a safety factor */
    const char *(*warning)(const wadi_setup *setup);                    /* NULL or one line */
    wadi_showers (*showers)(const double *values);                      /* NULL: none */
    bool gaussian_sources; /* water of a source falls off as exp(-2 r^2 / radius^2), up to 1.5 radii */
};

/* A field, map, parameter or stage by its role; -1 if there is none. */
static inline int wadi_field_of(const wadi_model *model, wadi_field_role role) { return model->roles.field[role] - 1; }
static inline int wadi_map_of(const wadi_model *model, wadi_map_role role) { return model->roles.map[role] - 1; }
static inline int wadi_parameter_of(const wadi_model *model, wadi_parameter_role role) {
    return model->roles.parameter[role] - 1;
}
static inline int wadi_stage_of(const wadi_model *model, wadi_stage_role role) { return model->roles.stage[role] - 1; }

/* Whether a process is among those that are on. */
static inline bool wadi_process_on(const wadi_model *model, unsigned processes, wadi_process_role role) {
    return (processes & model->roles.process[role]) != 0;
}

/* A field by name; -1 if there is none. */
int wadi_model_field(const wadi_model *model, const char *name);

#endif
