/* edits.h: changes of a simulation between steps. Tests make the same ones of two simulations, one of them in parts or
 * in slabs. */
#ifndef EDITS_H
#define EDITS_H

#include "random_scene.h"
#include "wadi/paint.h"

/* Water and sediment in a row. */
static void pour(wadi_sim *sim, int y) {
    const wadi_def *def = wadi_sim_def(sim);
    static const char *const names[] = {"water", "sediment"};
    for (int i = 0; i < COUNT(names); i++) {
        float *values = field_of(sim, names[i]);
        for (int x = 0; x < def->width; x++) values[y * def->width + x] += 1 + (float)(x % 5);
        OK(wadi_sim_set(sim, names[i], values, cells_of(def)));
        free(values);
    }
}

/* Another change each turn: a field, the terrain, the mask, sources, drops, rain. */
static void edit(wadi_sim *sim, const scene *scene, int turn) {
    const wadi_def *def = wadi_sim_def(sim);
    const wadi_dab dab = {.brush = turn % 2 ? WADI_BRUSH_RAISE : WADI_BRUSH_SMOOTH,
                          .x = 11,
                          .y = 20 + turn,
                          .radius_m = 8 * def->lx,
                          .strength = 1};
    float *values = field_of(sim, "water");
    for (size_t i = 0; i < cells_of(def); i += 5) values[i] = 0.5f;
    if (turn % 6 == 0) OK(wadi_sim_set(sim, "water", values, cells_of(def)));
    if (turn % 6 == 1) OK(wadi_sim_paint(sim, &dab, 1));
    fill_random(values, def, 0, 1, (uint32_t)turn);
    if (turn % 6 == 2) OK(wadi_sim_set(sim, "mask", values, cells_of(def)));
    if (turn % 6 == 3) OK(wadi_sim_set_sources(sim, scene->source, 1));
    if (turn % 6 == 4) OK(wadi_sim_set_drops(sim, &(wadi_drops){2.5, 3, 0.1}));
    if (turn % 6 == 5) OK(wadi_sim_set_parameter(sim, "rain", turn % 4 ? 0 : 0.001));
    free(values);
}

#endif
