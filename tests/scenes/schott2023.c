/* The scene of schott2023. */
#include "scenes/scenes.h"

extern const scene_kind scene_schott2023;
const scene_kind scene_schott2023 = {
    .model = "schott2023",
    .routed = true,
    .float64_steps = {1, 1, 1},
    .forms = {{"plain", {{0}}},
              {"steepest", {{"spread", "0"}, {"G", "0"}, {"hollows", "breach"}, {"variety", "0.8"}}},
              {"layers", {{"strata", "0.8"}, {"bed", "3"}, {"S_c", "0.5"}, {"track_sliding", "on"}}},
              {"spread", {{"spread", "1"}, {"p", "1"}, {"D", "1e-3"}, {"corners", "even"}}},
              {"steep", {{"n", "1.5"}, {"p", "3"}}},
              {"floors", {{"floor", "0.6"}, {"spread", "1"}, {"S_c", "0.4"}}}},
    .hashes =
        {{"standard", WADI_OPEN, false, {{0}}, "ee68c703b78d796034c10cd423a534f986a16872ccd3170dfe1071c971937b80"},
         {"literal",
          WADI_CLOSED,
          true,
          {{"track_sliding", "off"}},
          "3644271d08b6fb4681e7262cb0708efcade8a568826d0b56b34b9f1fd71f2f47"},
         {"general",
          WADI_WRAP,
          false,
          {{"m", "0.45"}, {"n", "1.25"}},
          "cd0c7401e7eb6de3995997014d6664d01498117113a3d7edf8d6cf17e645ed81"},
         {"one power",
          WADI_OPEN,
          false,
          {{"m", "0.42"}},
          "d836910b9eab7022ef8bcb58055b8c9297eb021f45872e61f3e3587419cc35ff"},
         {"floors",
          WADI_OPEN,
          false,
          {{"floor", "0.5"}},
          "2c31196498096f9035ac40b7bfd09759ec3214829a8070c0a7cc35a1d30db2d4"}},
};
