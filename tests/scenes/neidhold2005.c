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
        {{"standard", WADI_CLOSED, false, {{0}}, "49e7ad18d86816ed580f1c467e388d9952a6f1766661cd15974e9edde70957ca"},
         {"showers",
          WADI_OPEN,
          false,
          {{"rain_interval", "0.7"}, {"rain_peak", "0.3"}},
          "5bab3fb261eb83fd5676290b9ef874c12951c644bceeb91616212c9b9fbcc749"},
         {"literal", WADI_WRAP, true, {{0}}, "2ee0b7dbde0a90f1f5a3feb577849aebe849b0ae148b64250162d291da78b8c4"}},
    /* At open borders it is chaotic: a nudge of 1e-7 m parts a run from itself by 5 to 19% of the change in 300 steps
     * of 1 s, float64 from float32 by 17%. */
    .float64_steps = {[WADI_OPEN] = 50},
    .next_depth = next_depth,
};
