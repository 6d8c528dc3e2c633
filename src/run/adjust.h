/* adjust.h: parameters that an event sets together, and the preset and the knobs that they come from. */
#ifndef WADI_RUN_ADJUST_H
#define WADI_RUN_ADJUST_H

#include "json.h"
#include "note.h"
#include "text.h"

#include "wadi/sim.h"

/* A NaN leaves a knob or a parameter as it is. */
typedef struct adjustment {
    char *preset; /* owned; NULL: as before */
    double knobs[WADI_MAX_KNOBS];
    double values[WADI_MAX_PARAMETERS];
    text_list texts[2]; /* knobs and settings of a recipe, until the model is known: "rain=0.7", "Kc=0.3" */
} adjustment;
enum { ADJUST_KNOBS, ADJUST_VALUES };

adjustment *run_adjustment_new(void); /* NULL without memory */
adjustment *run_adjustment_copy(const adjustment *from);
void run_adjustment_free(adjustment *adjustment); /* takes NULL */
/* Adds a later one, and frees it. */
void run_adjustment_join(adjustment *first, adjustment *then);

/* Where the parameters of a stage stand: the values and the knobs of `def`, which began with `preset`. */
typedef struct settings_now {
    wadi_def def;
    const wadi_preset *preset;        /* NULL: unknown */
    bool is_map[WADI_MAX_PARAMETERS]; /* of the parameters */
} settings_now;

/* Reads the texts. With `repeats`, a knob that the model does not have is left out. */
wadi_status run_adjustment_settle(adjustment *adjustment, const wadi_def *def, bool repeats);
/* Adds the values that a chosen preset and the knobs give. Maps stay as they are. Without a new preset, so does what
 * was set by hand: a parameter whose value is not the one that the preset and the knobs gave before. */
wadi_status run_adjustment_resolve(adjustment *adjustment, const settings_now *now);
void run_adjustment_follow(const adjustment *adjustment, settings_now *now);
/* All values or none. */
wadi_status run_adjustment_apply(const adjustment *adjustment, wadi_sim *sim);

/* The members `preset`, `knobs` and `set`. */
void run_adjustment_write(json *json, const adjustment *adjustment, const wadi_model *model);
/* Knobs and parameters by name, those that are not NaN. A name that the model does not have breaks the note. */
void run_named_put(note *note, const wadi_model *model, const double *knobs, const double *values);
void run_named_take(note *note, const wadi_model *model, double *knobs, double *values);

#endif
