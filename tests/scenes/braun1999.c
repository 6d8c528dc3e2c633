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
        {{"standard", WADI_OPEN, false, {{0}}, "02832016a5b845f47d70b95356c32ec9a047d6cecdad699e8b58ac368256e902"},
         {"closed",
          WADI_CLOSED,
          true,
          {{"ela", "8"}},
          "d42907092cd4f2585d808a855a9888a893301ff6dc5daab8b21082722b444cc0"},
         {"power",
          WADI_WRAP,
          false,
          {{"l", "1.6"}, {"U", "0.3"}},
          "ba66535ae1107cf63486728558191f5b50f2d7e9d06e471fd3e357ad2e84ba45"},
         {"sea",
          WADI_OPEN,
          false,
          {{"sea", "on"}, {"sea_level", "5"}, {"lambda", "0"}},
          "e703a0dba3b313e5c7f58554c873d065ec5166041c6fb7cb5efce1b29df6e73c"}},
};
