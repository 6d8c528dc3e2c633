/* The scene of neidhold2005. */
#include "scenes/scenes.h"

#include <math.h>

static double next_depth(const wadi_def *def, double relief_m, double depth) {
    (void)relief_m;
    const double dt = scene_value(def, "dt"), wet = depth + dt * scene_value(def, "rain");
    if (scene_chosen(def, "evaporation", "surface")) return wet - dt * scene_value(def, "E");
    return wet * exp(-dt * scene_value(def, "KE"));
}

extern const scene_kind scene_neidhold2005;
const scene_kind scene_neidhold2005 = {
    .model = "neidhold2005",
    .plain = {{"dt", "0.06"}}, /* of which the standard step is 17 */
    .only_rain = {{"rain_peak", "0"}},
    .still = {{"rain", "0"}, {"rain_peak", "0"}, {"KE", "0"}, {"E", "0"}, {"mixing", "pairs"}},
    .forms = {{"plain", {{0}}},
              {"showers", {{"rain_interval", "0.7"}, {"rain_peak", "0.3"}}},
              {"as-printed", {{"gradient", "average"}, {"mixing", "as-printed"}}},
              {"one-packet", {{"v_split", "0"}, {"evaporation", "altitude"}}}},
    .hashes =
        {{"standard", WADI_CLOSED, false, {{0}}, "c0aecca9864208be839ca0e9a599ee38aa3b82caad67da153ab3a6a4b7470fe5"},
         {"showers",
          WADI_OPEN,
          false,
          {{"rain_interval", "0.7"}, {"rain_peak", "0.3"}},
          "25eafac0e44c45f5a41bb77e7374ec526bd515c6995bd2cf98d2d4058daf67bd"},
         {"literal", WADI_WRAP, true, {{0}}, "de9aad35d9586e9c052361e38eca295050693f7d29bf049271cea7f7e76c4822"}},
    /* At open borders it is chaotic: a nudge of 1e-7 m parts a run from itself by 5 to 19% of the change in 300 steps
     * of 1 s, float64 from float32 by 17%. */
    .float64_steps = {[WADI_OPEN] = 40},
    .next_depth = next_depth,
};
