/* scenes.h: what the tests that every model goes through must know of a model beyond its tables: its scene,
 * tests/scenes/<id>.c, compiled into every test. */
#ifndef WADI_TESTS_SCENES_H
#define WADI_TESTS_SCENES_H

#include "wadi/model.h"
#include "wadi/sim.h"

#define SCENE_SETTINGS 16
#define SCENE_FORMS 8
#define SCENE_HASHES 10

/* Values for cells of 1 m, as in a preset; those not given have no name. */
typedef wadi_setting scene_settings[SCENE_SETTINGS];

/* A way to run the model. */
typedef struct scene_form {
    const char *name;
    scene_settings settings;
} scene_form;

/* The state after 100 steps of test_golden.c's scene; `last`: with each choice's last. */
typedef struct scene_hash {
    const char *name;
    wadi_boundary boundary;
    bool last;
    scene_settings settings;
    const char *sha256;
} scene_hash;

typedef struct scene_kind {
    const char *model;
    scene_settings plain;          /* where tests start from other values than the table's standard ones */
    scene_settings only_rain;      /* no water comes but by the parameter "rain" */
    scene_settings still;          /* nothing comes or goes, and nothing moves but unlevel water */
    scene_form forms[SCENE_FORMS]; /* every test goes through them; the first is `plain` or near it */
    scene_hash hashes[SCENE_HASHES];
    int float64_steps[3]; /* by border: how long float32 keeps to float64, where it is not for good (0) */
    /* The mean depth of a basin that no water leaves sideways, after a step; no cell falls dry. relief_m: of its bed.
     */
    double (*next_depth)(const wadi_def *def, double relief_m, double depth);
} scene_kind;

const scene_kind *scene_kind_of(const wadi_model *model); /* by its id */
double scene_value(const wadi_def *def, const char *parameter);
/* The number of a choice, by its name. */
bool scene_chosen(const wadi_def *def, const char *parameter, const char *choice);

#endif
