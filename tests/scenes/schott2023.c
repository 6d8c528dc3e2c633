/* The scene of schott2023. */
#include "scenes/scenes.h"

extern const scene_kind scene_schott2023;
const scene_kind scene_schott2023 = {
    .model = "schott2023",
    .routed = true,
    .float64_steps = {1, 1, 1},
    .forms = {{"plain", {{0}}},
              {"steepest", {{"spread", "0"}, {"G", "0"}, {"hollows", "breach"}, {"variety", "0.8"}}},
              {"spread", {{"spread", "1"}, {"p", "1"}, {"D", "1e-3"}}},
              {"steep", {{"n", "1.5"}, {"p", "3"}}}},
    .hashes =
        {{"standard", WADI_OPEN, false, {{0}}, "32c100e352bcbb7373764c2cbdbd74f82d09a2f5e5216a9abb8dd4e7800b5bb0"},
         {"literal", WADI_CLOSED, true, {{0}}, "86ff67f81079544d7bac0d24869d17489dc857fd4b0bc7589bd9789d3900ce32"},
         {"general",
          WADI_WRAP,
          false,
          {{"m", "0.45"}, {"n", "1.25"}},
          "3eb30774e98bb3d65bc84f45bac7d5c25cb2fd3cbe9d8c6d72c2ea543e4dcfd1"}},
};
