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
    .hashes = {{"standard", WADI_CLOSED, false, {{0}}, ""},
               {"showers", WADI_OPEN, false, {{"rain_interval", "0.7"}, {"rain_peak", "0.3"}}, ""},
               {"literal", WADI_WRAP, true, {{0}}, ""}},
    .float64_steps = {[WADI_OPEN] = 50},
    .next_depth = next_depth,
    .next_depth_error = 1e-6, /* exp_negative() is right to a millionth */
};
