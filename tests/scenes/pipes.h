/* pipes.h: shared by the scenes of models with virtual pipes. */
#ifndef WADI_TESTS_SCENES_PIPES_H
#define WADI_TESTS_SCENES_PIPES_H

#include "scenes/scenes.h"

/* clang-format off */
#define PIPE_FORMS \
    {"flux", {{0}}}, \
    {"frictionless", {{"cf", "0"}}}, \
    {"semi-lagrangian", {{"advection", "semi-lagrangian"}, {"velocity", "cut"}}}, \
    {"depth-area", {{"pipe_area", "depth"}}}, \
    {"eight", {{"pipes", "8"}, {"pipe_area", "depth"}}}, \
    {"eight-lateral", {{"pipes", "8"}, {"pipe_area", "depth"}, {"Kl", "0.3"}}}, \
    {"adaptive", {{"pipes", "8"}, {"pipe_area", "depth"}, {"substeps", "adaptive"}, {"A", "60"}, {"dt", "0.09"}}}, \
    {"manning", {{"pipes", "8"}, {"pipe_area", "depth"}, {"friction_law", "manning"}}}, \
    {"traced", {{"advection", "traced"}, {"velocity", "cut"}}}, \
    {"eight-literal", {{"pipes", "8"}, {"cf", "0"}, {"Fr", "100"}, {"advection", "semi-lagrangian"}, {"velocity", "cut"}, {"Kl", "1"}}}, \
    {"sea", {{"sea", "on"}, {"sea_level", "5"}}}, \
    {"eight-sea", {{"sea", "on"}, {"sea_level", "5"}, {"pipes", "8"}, {"pipe_area", "depth"}, {"Kl", "0.3"}}}, \
    {"infiltration", {{"infiltration", "green-ampt"}, {"Ksat", "0.0002"}}}, \
    {"eight-infiltration", {{"pipes", "8"}, {"pipe_area", "depth"}, {"infiltration", "constant"}, {"Ksat", "0.0005"}, {"sea", "on"}, {"sea_level", "5"}}}
/* clang-format on */

static double pipes_next_depth(const wadi_def *def, double relief_m, double depth) {
    (void)relief_m;
    const double dt = scene_value(def, "dt"), wet = depth + dt * scene_value(def, "rain");
    if (scene_chosen(def, "evaporation", "surface")) return wet - dt * scene_value(def, "E");
    return wet * (1 - dt * scene_value(def, "Ke"));
}

#endif
