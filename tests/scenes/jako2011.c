/* The scene of jako2011. */
#include "scenes/pipes.h"

extern const scene_kind scene_jako2011;
const scene_kind scene_jako2011 = {
    .model = "jako2011",
    .still = {{"rain", "0"}, {"Ke", "0"}, {"E", "0"}, {"hydraulic", "on"}, {"thermal", "off"}},
    .forms = {PIPE_FORMS,
              {"collision", {{"capacity", "collision"}}},
              {"exchange", {{"water_exchange", "on"}, {"Kc", "0.1"}}},
              {"as-printed", {{"depth_limit", "as-printed"}, {"hardness", "as-printed"}}}},
    .hashes =
        {{"standard", WADI_CLOSED, false, {{0}}, "1f1a44347f011efe9be349697202f796f508f4bbc278ceee5544106f310d0974"},
         {"literal", WADI_OPEN, true, {{0}}, "14c8fe2662b458a3748c8743de1ef3eda687e1fc9412ef9ab4a26cd553d3082d"}},
    .next_depth = pipes_next_depth,
};
