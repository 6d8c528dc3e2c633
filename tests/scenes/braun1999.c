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
        {{"standard", WADI_OPEN, false, {{0}}, "e835529c3bedda04c78fa8f05c890d270f6698ef59c5785baeb86c25ff0e64de"},
         {"closed",
          WADI_CLOSED,
          true,
          {{"ela", "8"}},
          "a9b946a3b422e596403b00bd5105c402aa08086306464dcce1c6fc5d3ce3d4d7"},
         {"power",
          WADI_WRAP,
          false,
          {{"l", "1.6"}, {"U", "0.3"}},
          "ae963150ef46490f845e003d83bb609204c289e8b295e4427ca46fef87d31e3d"},
         {"sea",
          WADI_OPEN,
          false,
          {{"sea", "on"}, {"sea_level", "5"}, {"lambda", "0"}},
          "1ec5f03418564f8c831f10d2b45db5498aca06b6aa1b8920173e4a218a9d1b99"}},
};
