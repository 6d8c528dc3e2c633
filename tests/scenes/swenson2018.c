/* The scene of swenson2018. */
#include "scenes/scenes.h"

/* Evaporation comes before rain. */
static double next_depth(const wadi_def *def, double relief_m, double depth) {
    (void)relief_m;
    const double dt = scene_value(def, "dt"), rain = dt * scene_value(def, "rain");
    if (scene_chosen(def, "evaporation", "surface")) return depth - dt * scene_value(def, "E") + rain;
    return depth * (1 - scene_value(def, "EVAPORATION")) + rain;
}

extern const scene_kind scene_swenson2018;
const scene_kind scene_swenson2018 = {
    .model = "swenson2018",
    .still = {{"rain", "0"}, {"EVAPORATION", "0"}, {"E", "0"}, {"infiltration", "off"}},
    .forms = {{"plain", {{0}}},
              {"as-printed", {{"beta", "0.25"}}},
              {"infiltration", {{"infiltration", "green-ampt"}, {"Ksat", "0.0002"}}}},
    .hashes =
        {{"standard", WADI_CLOSED, false, {{0}}, "c95b3caca42df13c07cb517072a973aed2f8542a2d6b9bd503b92da7480eb4e4"},
         {"literal",
          WADI_OPEN,
          true,
          {{"infiltration", "off"}},
          "57c957726cc26abf0442668132bb54fc11508c21aa9cad6af5d9e790ea39bb43"}},
    .next_depth = next_depth,
};
