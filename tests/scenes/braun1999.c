/* The scene of braun1999. */
#include "scenes/scenes.h"

extern const scene_kind scene_braun1999;
const scene_kind scene_braun1999 = {
    .model = "braun1999",
    .plain = {{"share", "0.2"}, {"frozen", "0.5"}},
    .routed = true,
    .no_runoff = true,
    .float64_steps = {100, 50, 100},
    .forms = {{"plain", {{0}}},
              {"power", {{"l", "1.5"}, {"K_g", "1e-3"}}},
              {"uplift", {{"U", "0.5"}, {"S_c", "0.7"}, {"lambda", "0"}}},
              {"height", {{"line", "height"}, {"ela", "4"}}},
              {"sea", {{"sea", "on"}, {"sea_level", "5"}}}},
    .hashes =
        {{"standard", WADI_OPEN, false, {{0}}, "82f6900503ce8f6c7b1708baa547065d955978e7ae6c170d710dc8fa6e93b989"},
         {"closed",
          WADI_CLOSED,
          true,
          {{"ela", "8"}},
          "094b268d0f9ab6b6c8f3e49f9a577685691b9b09eac1550f1375cebb8eb1d367"},
         {"power",
          WADI_WRAP,
          false,
          {{"l", "1.6"}, {"U", "0.3"}},
          "0882a495e10d42b90b69507d28b9741d4037e2dcd48678e449b3e5930c963ba3"},
         {"sea",
          WADI_OPEN,
          false,
          {{"sea", "on"}, {"sea_level", "5"}, {"lambda", "0"}},
          "054f1183e1488ef216a867a45d3fec6eaed30cd23512e7404be4bddd6280323d"}},
};
