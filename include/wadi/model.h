/* model.h: the erosion models, their parameters and presets, as tables.
 *
 * A parameter is described in one row only. The API's bounds, the command's options, `wadi models`, the documentation
 * and the window's sliders all read that row. */
#ifndef WADI_MODEL_H
#define WADI_MODEL_H

#include "wadi/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the values of a preset are for. A run multiplies them by k^length_power * sqrt(k)^time_power, which scales a run
 * exactly: the same terrain, k times larger.
 *
 * WORLD: for a terrain of WADI_WORLD_M, in 512 cells of 1 m. k is the terrain's longer side over WADI_WORLD_M, whatever
 * its cells measure. So the physics is the same at every resolution. Cells of c * k metres change the numerics alone:
 * the values are also multiplied by c^cell_power.
 * CELL: for cells of 1 m. k is the cell size in metres. */
typedef enum wadi_scale { WADI_SCALE_WORLD, WADI_SCALE_CELL } wadi_scale;
#define WADI_WORLD_M 512.0

typedef struct wadi_parameter {
    const char *name;                  /* the paper's symbol: "Kc" */
    const char *alias;                 /* in words: "sediment-capacity" */
    const char *unit;                  /* "s", "m", "1/s", "1" */
    const char *meaning;               /* one line */
    const char *source;                /* paper and equation, or "ours" */
    double minimum, standard, maximum; /* at k = 1; `standard` is the paper's value, or the index of a choice; presets
                                          override it */
    int length_power, time_power;
    const char *const *choices; /* NULL for a number; else the names, ended by NULL */
    bool per_cell;              /* may be a map of the grid's size */
    int cell_power;
} wadi_parameter;

typedef enum wadi_boundary { WADI_CLOSED, WADI_OPEN, WADI_WRAP } wadi_boundary;

typedef struct wadi_setting {
    const char *name;
    const char *value; /* a number at k = 1, or a choice's name */
} wadi_setting;

typedef struct wadi_preset {
    const char *name;
    const char *summary; /* one line */
    wadi_scale scale;
    wadi_boundary boundary;
    double duration_s;            /* simulated time of a run at k = 1 */
    const char *hardness;         /* NULL: uniform R; "height": made from the height (wadi_hardness_from_height) */
    const wadi_setting *settings; /* ended by a NULL name */
    bool georeferenced;           /* the default for an input with a CRS */
    const char *const *aliases;   /* NULL, or earlier names, ended by NULL */
    int levels;   /* from coarse to fine (levels.h), if the terrain's size allows; 0: its own grid alone */
    bool literal; /* a paper's own: a run adds nothing to it, such as settling at the end */
} wadi_preset;

/* What a knob does to one parameter. With a factor, the value is multiplied by factor^(2x - 1): by 1/factor at x = 0,
 * by 1 at 0.5, by factor at 1. Without one, the value moves in a straight line to `low` at 0 and to `high` at 1. */
typedef struct wadi_knob_move {
    const char *parameter; /* its symbol; "duration": that of the run */
    double factor;         /* 0: none */
    double low, high;      /* at k = 1 */
} wadi_knob_move;

/* A knob moves parameters together, from 0 to 1. At 0.5 they have the values of the preset. No two knobs of a model
 * move the same parameter. */
typedef struct wadi_knob {
    const char *name;            /* "strength" */
    const char *meaning;         /* one line */
    const wadi_knob_move *moves; /* ended by a NULL parameter */
} wadi_knob;

typedef struct wadi_model wadi_model; /* opaque; lives as long as the program */

WADI_API size_t wadi_model_count(void);
WADI_API const wadi_model *wadi_model_at(size_t index); /* NULL beyond the last */
WADI_API const wadi_model *
wadi_model_find(const char *id); /* not found: NULL, and a message that suggests the nearest */

WADI_API const char *wadi_model_id(const wadi_model *model);    /* "jako2011" */
WADI_API const char *wadi_model_title(const wadi_model *model); /* one line */
WADI_API const char *wadi_model_citation(const wadi_model *model);
WADI_API wadi_boundary wadi_model_boundary(const wadi_model *model); /* the paper's; a preset has its own */
WADI_API bool wadi_model_has_hardness(const wadi_model *model);
WADI_API bool wadi_model_has_uplift(const wadi_model *model); /* whether its ground rises */
WADI_API bool wadi_model_has_ice(const wadi_model *model);    /* the field "ice" */
WADI_API bool wadi_model_has_sea(const wadi_model *model);    /* by the parameters sea and sea_level */

WADI_API const wadi_parameter *wadi_model_parameters(const wadi_model *model, size_t *count);
/* By symbol or alias. Not found: -1, and a message that suggests the nearest name. */
WADI_API int wadi_model_parameter_index(const wadi_model *model, const char *name);

/* The first preset is the model's default. */
WADI_API const wadi_preset *wadi_model_presets(const wadi_model *model, size_t *count);
/* Searches every model, or only *model if it is not NULL. Sets *model to the preset's model. */
WADI_API const wadi_preset *wadi_preset_find(const char *name, const wadi_model **model);
/* The model's default for terrain with a CRS. */
WADI_API const wadi_preset *wadi_preset_georeferenced(const wadi_model *model);

WADI_API const wadi_knob *wadi_model_knobs(const wadi_model *model, size_t *count);
/* Not found: -1, and a message that suggests the nearest name. */
WADI_API int wadi_model_knob_index(const wadi_model *model, const char *name);

/* The nearest of `count` names to `wrong` (edit distance), or NULL if none is near: for "did you mean". */
WADI_API const char *wadi_nearest_name(const char *wrong, const char *const *names, size_t count);

#ifdef __cplusplus
}
#endif

#define WADI_YEAR_S 31556952.0 /* the mean year of the calendar: the unit `a` of parameters */

#endif
