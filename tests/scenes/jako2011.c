/* The scene of jako2011. */
#include "scenes/pipes.h"

extern const scene_kind scene_jako2011;
const scene_kind scene_jako2011 = {
    .model = "jako2011",
    .still = {{"rain", "0"}, {"Ke", "0"}, {"E", "0"}, {"infiltration", "off"}, {"hydraulic", "on"}, {"thermal", "off"}},
    .forms = {PIPE_FORMS,
              {"collision", {{"capacity", "collision"}}},
              {"exchange", {{"water_exchange", "on"}, {"Kc", "0.1"}, {"track_sliding", "on"}}},
              {"as-printed", {{"depth_limit", "as-printed"}, {"hardness", "as-printed"}}}},
    .hashes =
        {{"standard", WADI_CLOSED, false, {{0}}, "af4f834fd2b59d43fca6d01b903e5ebecee12be55e2b5ed73484c1487aece0e7"},
         {"literal",
          WADI_OPEN,
          true,
          {{"pipes", "4"},
           {"friction_law", "darcy"},
           {"advection", "semi-lagrangian"},
           {"infiltration", "off"},
           {"track_sliding", "off"}},
          "0fdf2c063c3f7119922cab3d1d3076aa158a0cd6318d973a6d27156307829ff1"},
         {"traced",
          WADI_OPEN,
          false,
          {{"advection", "traced"}, {"velocity", "cut"}},
          "f91b6100ebe051e2d47fb63a26c24d9009b500e2789805b6e5a8bcb03f65b826"},
         {"eight",
          WADI_OPEN,
          false,
          {{"pipes", "8"}, {"pipe_area", "depth"}},
          "577bf6c6233d6e0a2828e56bbcdf80ef645e9b0dc16999c448ff665df8bda3a3"},
         {"lateral",
          WADI_OPEN,
          false,
          {{"pipes", "8"}, {"pipe_area", "depth"}, {"Kl", "0.5"}},
          "cfb402e1b314d5cc1c0b7997709bdb8b70e3572e8b57f87998451158c491c49b"}},
    .next_depth = pipes_next_depth,
};
