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
        {{"standard", WADI_OPEN, false, {{0}}, "598210e62807d1a1fc8d4b82a7dd5fbd999976603dcc0df09eb3b5362c4f8475"},
         {"closed",
          WADI_CLOSED,
          true,
          {{"ela", "8"}},
          "462fe60f7f7388d20ffc22d52c7db37c0f580bc00f9db0200617f10c3c9e362e"},
         {"power",
          WADI_WRAP,
          false,
          {{"l", "1.6"}, {"U", "0.3"}},
          "3b12e950f5b1080454455bb22dd19f1877bf6891a03d62abc2719f6abe832c1f"},
         {"sea",
          WADI_OPEN,
          false,
          {{"sea", "on"}, {"sea_level", "5"}, {"lambda", "0"}},
          "2efae1b995330dac3473de6fc8cf409f7314b9ce94808601d47638107686f0c9"}},
};
