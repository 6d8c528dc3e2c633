/* The scene of braun1999. */
#include "scenes/scenes.h"

extern const scene_kind scene_braun1999;
const scene_kind scene_braun1999 = {
    .model = "braun1999",
    .plain = {{"share", "0.2"}, {"frozen", "0.5"}},
    .routed = true,
    .no_runoff = true,
    .float64_steps = {0, 200, 0},
    .forms = {{"plain", {{0}}},
              {"power", {{"l", "1.5"}, {"K_g", "1e-3"}}},
              {"uplift", {{"U", "0.5"}, {"S_c", "0.7"}, {"lambda", "0"}}},
              {"height", {{"line", "height"}, {"ela", "4"}}},
              {"sea", {{"sea", "on"}, {"sea_level", "5"}}}},
    .hashes =
        {{"standard", WADI_OPEN, false, {{0}}, "09265e73632e413a0009ab08b0cff836d50c5b929b02a0a6202e9baa3fbe8e86"},
         {"closed",
          WADI_CLOSED,
          true,
          {{"ela", "8"}},
          "9adcaec1d3ec59f53525eb0cb4af2707fa4156333b7fdde94107cc0757a74a7a"},
         {"power",
          WADI_WRAP,
          false,
          {{"l", "1.6"}, {"U", "0.3"}},
          "575ff4aa85ac4aee962355605195037d77bfddd0eb82ea9068710282fc74d195"},
         {"sea",
          WADI_OPEN,
          false,
          {{"sea", "on"}, {"sea_level", "5"}, {"lambda", "0"}},
          "aa0fe0770f16e15d1a764b2cc3e7f001a58086ad09dad0b2d431a7b7b5e6125c"}},
};
