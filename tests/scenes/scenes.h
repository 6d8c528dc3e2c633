/* scenes.h: the facts about a model that tests over all models need beyond its tables. They are in its scene,
 * tests/scenes/<id>.c, which is part of every test. */
#ifndef WADI_TESTS_SCENES_H
#define WADI_TESTS_SCENES_H

#include "wadi/model.h"
#include "wadi/sim.h"

#define SCENE_SETTINGS 16
#define SCENE_FORMS 17
#define SCENE_HASHES 10

/* Values for cells of 1 m, as in a preset. Unused rows have no name. */
typedef wadi_setting scene_settings[SCENE_SETTINGS];

/* A way to run the model. */
typedef struct scene_form {
    const char *name;
    scene_settings settings;
} scene_form;

/* The state after 100 steps of test_golden.c's scene. `last`: with the last value of each choice. */
typedef struct scene_hash {
    const char *name;
    wadi_boundary boundary;
    bool last;
    scene_settings settings;
    const char *sha256;
} scene_hash;

typedef struct scene_kind {
    const char *model;
    scene_settings plain;          /* values with which tests start, if not the standard ones */
    scene_settings only_rain;      /* the parameter "rain" is the only source of water */
    scene_settings still;          /* nothing enters, leaves or moves, except water that is not level */
    scene_form forms[SCENE_FORMS]; /* every test uses all of them; the first is `plain` or close to it */
    scene_hash hashes[SCENE_HASHES];
    int float64_steps[3]; /* for each border: steps until float32 and float64 diverge; 0: they do not */
    /* Water is passed from cell to cell: it never rests, and is rounded in every cell on its way. */
    bool routed;
    /* Precipitation is gone with the next step, and flows nowhere. */
    bool no_runoff;
    /* The mean depth in a closed basin after a step, if no cell falls dry. relief_m: relief of its bed. */
    double (*next_depth)(const wadi_def *def, double relief_m, double depth);
} scene_kind;

const scene_kind *scene_kind_of(const wadi_model *model); /* by its id */
double scene_value(const wadi_def *def, const char *parameter);
/* Whether the parameter is set to the choice of this name. */
bool scene_chosen(const wadi_def *def, const char *parameter, const char *choice);

#endif
