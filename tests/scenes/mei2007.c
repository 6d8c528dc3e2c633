/* The scene of mei2007. */
#include "scenes/pipes.h"

extern const scene_kind scene_mei2007;
const scene_kind scene_mei2007 = {
    .model = "mei2007",
    .still = {{"rain", "0"}, {"Ke", "0"}, {"E", "0"}, {"infiltration", "off"}},
    .forms = {PIPE_FORMS},
    .hashes =
        {{"standard", WADI_CLOSED, false, {{0}}, "d325b6c2f65509c8f11596771eba76775d4c79b45cefa581783314f6beb656f9"},
         {"literal",
          WADI_WRAP,
          true,
          {{"pipes", "4"}, {"friction_law", "darcy"}, {"advection", "semi-lagrangian"}, {"infiltration", "off"}},
          "84adada0ef5fb7764072f8c662c15ba2e07f2a3ef5c74990a95f2cea8817ca4e"},
         {"traced",
          WADI_OPEN,
          false,
          {{"advection", "traced"}, {"velocity", "cut"}},
          "f9eb0ff6d688d08ba2a7ea4dbacf57158f626763c7819a432a4b0eb14ec371de"},
         {"eight",
          WADI_OPEN,
          false,
          {{"pipes", "8"}, {"pipe_area", "depth"}},
          "31c9253675248e9dc566e506ddef7482562cecbe6d57d11d76326f0788455026"},
         {"lateral",
          WADI_OPEN,
          false,
          {{"pipes", "8"}, {"pipe_area", "depth"}, {"Kl", "0.5"}},
          "da481c2dfb52a4848075105bfbb03ebca640ea8e8638d5775908650d9f7f67e3"}},
    .next_depth = pipes_next_depth,
};
