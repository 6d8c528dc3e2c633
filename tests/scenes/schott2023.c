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
        {{"standard", WADI_OPEN, false, {{0}}, "57e214ca08472681cb59e7cd535870da74d04e1b930c6f6851683e8e06e0d410"},
         {"literal", WADI_CLOSED, true, {{0}}, "a5f9e3354c57b3340bd182dd9a1a984fd971c963df6d4788bdebf8a1dde67e45"},
         {"general",
          WADI_WRAP,
          false,
          {{"m", "0.45"}, {"n", "1.25"}},
          "75a11f125ed034633d44babe5fffaac1a97ab78ca275c49a3b8fbec3dd7597bc"}},
};
