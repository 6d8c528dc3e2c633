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
        {{"standard", WADI_OPEN, false, {{0}}, "4222d5543e401d24afa30d7e09ff20306b084dc67579628ff49e8f08b30b0aa9"},
         {"literal", WADI_CLOSED, true, {{0}}, "c77c78bca325296d305f9ffb7cd5fb752628a0101842a9efe8b7d2fe9eb6192f"},
         {"general",
          WADI_WRAP,
          false,
          {{"m", "0.45"}, {"n", "1.25"}},
          "05693b37990dc4ab59198e9f96cf97d7c5776ef30d30c1ad429e9827f16416be"}},
};
