/* The scene of mei2007. */
#include "scenes/pipes.h"

extern const scene_kind scene_mei2007;
const scene_kind scene_mei2007 = {
    .model = "mei2007",
    .still = {{"rain", "0"}, {"Ke", "0"}, {"E", "0"}},
    .forms = {PIPE_FORMS},
    .hashes =
        {{"standard", WADI_CLOSED, false, {{0}}, "7fa773753b455670466d7075a07e8fbef7d07b14ebdfee7cac8ea3475a7c3184"},
         {"literal", WADI_WRAP, true, {{0}}, "f2a17e34cb3b5093d65fadbda01f01fb289f29bb3e0f6a223c5f24c02eaea9d2"}},
    .next_depth = pipes_next_depth,
};
